// Measures how many pods a second find their node, without HTTP: a pod comes in, is placed and is
// counted on its node. `--quick` leaves out the large clusters; `--row N` runs one row, for a
// profiler.

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "api/expression/toleration_expression.h"
#include "match/cel_evaluator.h"
#include "scheduler/framework/framework.h"
#include "scheduler/plugins/registry.h"
#include "scheduler_cluster.h"

namespace plimsoll::bench {
namespace {

using scheduler::ClusterState;
using scheduler::Framework;

struct Row {
  const char* what;
  std::size_t nodes;
  std::size_t pods;
  PodKind kind;
  SchedulerCluster::Taints taints;
  std::size_t taint_changes_per_1000;  // pods
  double target;                       // pods a second
  std::size_t bytes_per_node_max;      // 0: whatever
};

constexpr auto kNumeric = SchedulerCluster::Taints::Numeric;
constexpr auto kMixed = SchedulerCluster::Taints::Mixed;

constexpr Row kRows[] = {
    {"one template with Lt", 5'000, 10'000, PodKind::Threshold, kNumeric, 0, 50'000, 0},
    {"1,000 templates, all operators", 5'000, 10'000, PodKind::Templates, kMixed, 0, 20'000, 0},
    {"hard spreading over 3 zones", 5'000, 10'000, PodKind::Spread, kNumeric, 0, 10'000, 0},
    {"anti-affinity by hostname", 5'000, 2'000, PodKind::AntiAffinity, kNumeric, 0, 5'000, 0},
    {"one template, a taint change per pod", 5'000, 10'000, PodKind::Threshold, kNumeric, 1'000,
     25'000, 0},
    {"one template with Lt", 100'000, 10'000, PodKind::Threshold, kNumeric, 0, 20'000, 0},
    {"one template with Lt", 1'000'000, 10'000, PodKind::Threshold, kNumeric, 0, 5'000, 1'024},
};

/// Of this thread on its processor, so that other work on the machine does not count.
double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

std::size_t HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

struct Figures {
  double pods_per_second = 0;
  std::size_t bytes_per_node = 0;
  std::size_t unplaced = 0;
};

Figures Run(const Row& row) {
  const api::TolerationExpressions expressions;
  const match::CelEvaluator evaluator(expressions);
  const std::vector<scheduler::ObjectPtr> pods = MakePods(row.kind, row.pods);
  SchedulerCluster nodes(row.taints);
  const std::size_t heap_before = HeapBytes();
  ClusterState cluster(match::Rules{.comparison = true, .semver = true, .evaluator = &evaluator});
  Framework framework(cluster, MakeDefaultProfile(cluster, {}), {});
  for (std::size_t i = 0; i < row.nodes; ++i) cluster.UpsertNode(nodes.Node(i));

  Figures figures;
  Random random(1);
  std::size_t changes = 0;
  const double start = ProcessorSeconds();
  for (std::size_t i = 0; i < pods.size(); ++i) {
    for (const std::size_t due = (i + 1) * row.taint_changes_per_1000 / 1'000; changes < due;) {
      ++changes;
      cluster.UpsertNode(nodes.Node(changes * 7 % row.nodes, changes));
    }
    const scheduler::PodId id = cluster.UpsertPod(pods[i]);
    const scheduler::PodRecord& record = cluster.pod(id);
    const scheduler::NodeSlot slot =
        framework.Place({id, *record.pod, *record.pod_class}, random).node;
    if (slot == scheduler::kNoNode) {
      ++figures.unplaced;
    } else {
      cluster.Assume(id, slot);
    }
  }
  figures.pods_per_second = static_cast<double>(pods.size()) / (ProcessorSeconds() - start);
  figures.bytes_per_node = (HeapBytes() - heap_before) / row.nodes;
  return figures;
}

void Report(const Row& row, const Figures& figures) {
  const bool is_met =
      figures.pods_per_second >= row.target &&
      (row.bytes_per_node_max == 0 || figures.bytes_per_node <= row.bytes_per_node_max);
  std::printf("  %-38s %9zu nodes %10.0f pods/s (at least %6.0f) %6zu B/node  %s\n", row.what,
              row.nodes, figures.pods_per_second, row.target, figures.bytes_per_node,
              is_met ? "met" : "MISSED");
  if (figures.unplaced != 0) std::printf("    %zu pods found no node\n", figures.unplaced);
}

}  // namespace
}  // namespace plimsoll::bench

int main(int count, char** arguments) {
  using namespace plimsoll::bench;
  bool is_quick = false;
  long only = -1;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--quick") == 0) is_quick = true;
    if (std::strcmp(arguments[i], "--row") == 0 && i + 1 < count) only = std::atol(arguments[++i]);
  }
  std::printf("scheduler: pods placed and counted, one thread\n");
  long number = 0;
  for (const Row& row : kRows) {
    const bool is_wanted = only < 0 ? !is_quick || row.nodes <= 5'000 : only == number;
    ++number;
    if (is_wanted) Report(row, Run(row));
  }
  return 0;
}
