// Measures the cost of taint eviction without a server: 100,000 pods on 5,000 nodes, and then a
// NoExecute taint on every node. `--quick` uses a tenth of both.

#include <malloc.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "api/decode/decode_json_for_test.h"
#include "base/assert.h"
#include "base/metrics.h"
#include "controller/taint_eviction/taint_eviction.h"
#include "program.h"

namespace plimsoll::bench {
namespace {

using controller::ObjectPtr;

constexpr std::size_t kPodsPerNode = 20;
constexpr double kDecisionSecondsMax = 0.2;
constexpr double kBytesPerTimerMax = 128;
const Instant kStart = ParseTime("2026-03-01T12:00:00Z").value();

struct Row {
  const char* what;
  const char* toleration;    // of every pod, in addition to the two default ones
  std::size_t lists;         // number of distinct toleration lists (templates)
  bool is_value_of_its_own;  // each node's taint has a different value
  bool is_dated;             // the taint has timeAdded
};
constexpr const char* kExists = R"({"key":"risk","operator":"Exists","tolerationSeconds":300})";
constexpr const char* kLt =
    R"({"key":"risk","operator":"Lt","value":"0","effect":"NoExecute","tolerationSeconds":300})";
constexpr Row kRows[] = {
    {"not tolerated: go at once", nullptr, 1, false, true},
    {"tolerated for 300 s", kExists, 1, false, true},
    {"tolerated for 300 s, 1,000 templates", kExists, 1'000, false, true},
    {"past a threshold, another value on each node", kLt, 1, true, true},
    {"tolerated for 300 s, taints without time", kExists, 1, false, false},
};

std::size_t HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

ObjectPtr MakePod(std::size_t index, const Row& row) {
  const std::string number = std::to_string(index);
  std::string tolerations =
      R"({"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",)"
      R"("tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists",)"
      R"("effect":"NoExecute","tolerationSeconds":300},{"key":"t","operator":"Equal","value":")" +
      std::to_string(index % row.lists) + "\"}";
  if (row.toleration != nullptr) tolerations.append(",").append(row.toleration);
  return api::DecodeJson(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-)" + number +
      R"(","namespace":"default","uid":"9d1c61de-3f5a-4b0e-9d7c-)" + number +
      R"(","creationTimestamp":"2026-03-01T11:00:00Z"},"spec":{"nodeName":"node-)" +
      std::to_string(index / kPodsPerNode) + R"(","tolerations":[)" + tolerations +
      R"(]},"status":{"phase":"Running","conditions":[{"type":"PodScheduled","status":"True",)"
      R"("lastTransitionTime":"2026-03-01T11:00:00Z"}]}})");
}

ObjectPtr MakeNode(std::size_t index, const std::string& taints) {
  const std::string number = std::to_string(index);
  return api::DecodeJson(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"node-)" + number +
                         R"(","uid":"node-)" + number + R"("},"spec":{"taints":[)" + taints +
                         "]}}");
}

std::string TaintOf(std::size_t index, const Row& row) {
  return R"({"key":"risk","value":")" + std::to_string(row.is_value_of_its_own ? index : 7) +
         R"(","effect":"NoExecute")" +
         (row.is_dated ? R"(,"timeAdded":"2026-03-01T12:00:00Z"})" : "}");
}

struct Cluster {
  std::vector<ObjectPtr> pods;
  std::vector<ObjectPtr> nodes;
  std::vector<ObjectPtr> tainted;
};

Cluster MakeCluster(const Row& row, std::size_t nodes) {
  Cluster cluster;
  for (std::size_t i = 0; i < nodes; ++i) {
    cluster.nodes.push_back(MakeNode(i, ""));
    cluster.tainted.push_back(MakeNode(i, TaintOf(i, row)));
  }
  for (std::size_t i = 0; i < nodes * kPodsPerNode; ++i) cluster.pods.push_back(MakePod(i, row));
  return cluster;
}

/// Returns true if the row is within its limits.
bool Run(const Row& row, std::size_t nodes) {
  const Cluster cluster = MakeCluster(row, nodes);
  MetricsRegistry metrics;
  controller::TaintEviction core({}, {}, metrics);
  controller::Actions actions;
  const double learn = ProcessorSeconds();
  for (const ObjectPtr& node : cluster.nodes) {
    core.Observe(controller::ObjectChanged{nullptr, node}, {kStart, actions});
  }
  for (const ObjectPtr& pod : cluster.pods) {
    core.Observe(controller::ObjectChanged{nullptr, pod}, {kStart, actions});
  }
  core.Observe(controller::Synced{}, {kStart, actions});
  const double taint = ProcessorSeconds();

  const std::size_t heap_before = HeapBytes();
  for (std::size_t i = 0; i < nodes; ++i) {
    core.Observe(controller::ObjectChanged{cluster.nodes[i], cluster.tainted[i]},
                 {kStart, actions});
  }
  const double decided = ProcessorSeconds();
  const std::size_t timers = actions.empty() ? core.countdowns() : 0;
  const double bytes_per_timer =
      timers == 0 ? 0
                  : static_cast<double>(HeapBytes() - heap_before) / static_cast<double>(timers);
  core.Wake({kStart + std::chrono::seconds(300), actions});
  const double fired = ProcessorSeconds();
  PL_ASSERT(actions.size() == 2 * cluster.pods.size());  // one event and one eviction per pod

  const double seconds = fired - taint;
  const bool is_kept = seconds <= kDecisionSecondsMax && bytes_per_timer <= kBytesPerTimerMax;
  std::printf("%-46s %8.1f ms %8.1f ms %8.1f ms %6.1f B%s\n", row.what, (taint - learn) * 1e3,
              (decided - taint) * 1e3, (fired - decided) * 1e3, bytes_per_timer,
              is_kept ? "" : "  MISSED");
  return is_kept;
}

}  // namespace
}  // namespace plimsoll::bench

int main(int argc, char** argv) {
  using namespace plimsoll::bench;
  const ProgramFlags flags = ReadFlags(argc, argv);
  const std::size_t nodes = flags.is_quick ? 500 : 5'000;
  std::printf("%zu nodes, %zu pods; processor time, aim: decide and fire within %.1f s, %.0f B\n",
              nodes, nodes * kPodsPerNode, kDecisionSecondsMax, kBytesPerTimerMax);
  std::printf("%-46s %11s %11s %11s %8s\n", "", "learn", "decide", "fire", "a timer");
  bool is_kept = true;
  for (const Row& row : kRows) is_kept &= Run(row, nodes);
  return flags.is_strict && !is_kept ? 1 : 0;
}
