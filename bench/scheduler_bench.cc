// Measures scheduled pods per second without HTTP: informer events go in, actions come out. A pod
// counts when its binding has succeeded and the bound pod was observed. Creating the objects is not
// measured.
//
//   --quick    skips the large clusters
//   --row N    runs one row, for a profiler
//   --pods N   sets the number of pods; the difference of two runs is the cost of one pod
//   --growth   runs the first row on more and more nodes

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/expression/toleration_expression.h"
#include "match/cel_evaluator.h"
#include "program.h"
#include "scheduler/default_profile_for_test.h"
#include "scheduler/scheduler.h"
#include "scheduler_cluster.h"

namespace plimsoll::bench {
namespace {

using namespace scheduler;  // NOLINT(google-build-using-namespace): all of it is about that

struct Row {
  const char* what;
  std::size_t nodes;
  std::size_t pods;
  PodKind kind;
  NodeTaints taints;
  std::size_t taint_changes_per_1000;  // pods
  double target;                       // pods per second
  std::size_t bytes_per_node_max;      // 0: no limit
  std::size_t devices_per_node = 0;
  std::size_t pods_before = 0;  // pods that are bound before the measurement
};

constexpr auto kNumeric = NodeTaints::Numeric;

constexpr Row kRows[] = {
    {"one template with Lt", 5'000, 10'000, PodKind::Threshold, kNumeric, 0, 50'000, 0},
    {"1,000 templates, all operators", 5'000, 10'000, PodKind::Templates, NodeTaints::Mixed, 0,
     20'000, 0},
    {"hard spreading over 3 zones", 5'000, 10'000, PodKind::Spread, kNumeric, 0, 10'000, 0},
    {"anti-affinity by hostname", 5'000, 2'000, PodKind::AntiAffinity, kNumeric, 0, 5'000, 0},
    {"full nodes, preemptors", 5'000, 5'000, PodKind::Preemptor, kNumeric, 0, 2'000, 0},
    {"one template, a taint change per pod", 5'000, 10'000, PodKind::Threshold, kNumeric, 1'000,
     25'000, 0},
    {"one template with Lt", 100'000, 10'000, PodKind::Threshold, kNumeric, 0, 20'000, 0},
    {"one template with Lt", 1'000'000, 10'000, PodKind::Threshold, kNumeric, 0, 5'000, 1'024},
    {"claims, 10 devices a node", 500, 2'500, PodKind::Device, kNumeric, 0, 3'000, 0, 10, 2'500},
    {"claims with selector and tolerations", 500, 2'500, PodKind::PickyDevice, kNumeric, 0, 2'000,
     0, 10, 2'500},
    {"claims, 8 devices a node", 5'000, 10'000, PodKind::Device, kNumeric, 0, 1'000, 0, 8, 2'500},
};

constexpr std::size_t kGrowth[] = {100,    1'000,   2'000,   5'000,   10'000,   20'000,
                                   50'000, 100'000, 200'000, 500'000, 1'000'000};

/// Number of events that an informer delivers at once.
constexpr std::size_t kBatch = 250;
constexpr std::size_t kFillersPerNode = 4;

Duration Stopwatch() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
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

/// A scheduler, and a fake server that accepts every write.
class Engine {
 public:
  explicit Engine(const Row& row, const match::ExpressionEvaluator& evaluator)
      : row_(row), scheduler_(OptionsOf(evaluator), metrics_) {}

  Figures Run() {
    const std::size_t heap_before = HeapBytes();
    for (std::size_t i = 0; i < row_.nodes; ++i) Tell(nullptr, MakeNode(row_.taints, i));
    if (row_.kind == PodKind::Preemptor) Fill();
    if (HasClaim(row_.kind)) PublishDevices();
    scheduler_.Observe(Synced{}, {now_, out_});
    const std::size_t heap_of_nodes = HeapBytes() - heap_before;

    Load(0, row_.pods_before);
    seconds_ = 0;
    Load(row_.pods_before, row_.pods_before + row_.pods);
    return {.pods_per_second = static_cast<double>(row_.pods - waiting_) / seconds_,
            .bytes_per_node = heap_of_nodes / row_.nodes,
            .unplaced = waiting_};
  }

 private:
  /// Schedules the pods from number `begin` up to `pods`.
  void Load(std::size_t begin, std::size_t pods) {
    std::size_t changes = 0;
    for (std::size_t i = begin; i < pods; i += kBatch) {
      const std::size_t end = std::min(i + kBatch, pods);
      for (const std::size_t due = end * row_.taint_changes_per_1000 / 1'000; changes < due;) {
        ++changes;
        const std::size_t node = changes * 7 % row_.nodes;
        Tell(MakeNode(row_.taints, node), MakeNode(row_.taints, node, changes));
      }
      for (std::size_t p = i; p < end; ++p) {
        if (HasClaim(row_.kind)) PutClaim(MakeClaim(row_.kind, p));
        Put(MakePod(row_.kind, p));
      }
      Settle();
    }
    for (int rounds = 0; waiting_ > 0 && rounds < 100 && scheduler_.NextWake(); ++rounds) {
      now_ = std::max(now_, *scheduler_.NextWake());
      Settle();
    }
  }

  static SchedulerOptions OptionsOf(const match::ExpressionEvaluator& evaluator) {
    SchedulerOptions options;
    options.rules = {.comparison = true, .semver = true, .evaluator = &evaluator};
    options.profiles.push_back(
        {.name = "default-scheduler",
         .make_plugins = [](ClusterState& cluster) { return MakeDefaultProfile(cluster, {}); }});
    options.stopwatch = Stopwatch;
    return options;
  }

  /// Adds the CPU time of the call.
  template <class Call>
  void Timed(const Call& call) {
    const double start = ProcessorSeconds();
    call();
    seconds_ += ProcessorSeconds() - start;
  }

  void Tell(const ObjectPtr& before, const ObjectPtr& after) {
    const CoreInput event = ObjectChanged{before, after};
    Timed([&] { scheduler_.Observe(event, {now_, out_}); });
  }
  void Put(const ObjectPtr& pod) {
    ObjectPtr& place = pods_[std::string(pod->metadata().uid)];
    const ObjectPtr before = std::exchange(place, pod);
    if (before == nullptr && pod->As<api::Pod>()->spec.node_name.empty()) ++waiting_;
    Tell(before, pod);
  }
  void PutClaim(const ObjectPtr& claim) {
    ObjectPtr& place = claims_[std::string(claim->metadata().uid)];
    const ObjectPtr before = std::exchange(place, claim);
    Tell(before, claim);
  }
  void PublishDevices() {
    Tell(nullptr, MakeDeviceClass());
    for (std::size_t i = 0; i < row_.nodes; ++i) {
      Tell(nullptr, MakeSlice(row_.kind, i, row_.devices_per_node));
    }
  }
  void Fill() {
    for (std::size_t i = 0; i < row_.nodes * kFillersPerNode; ++i) {
      const std::string node = "node-" + std::to_string(i / kFillersPerNode);
      Put(MakePod(PodKind::Filler, i, {.node = node}));
    }
  }

  /// Executes actions until nothing is due at this time.
  void Settle() {
    while (true) {
      const auto next = scheduler_.NextWake();
      if (next && *next <= now_) Timed([&] { scheduler_.Wake({now_, out_}); });
      if (out_.empty()) {
        if (!next || *next > now_) return;
        continue;
      }
      for (const Action& action : std::exchange(out_, {})) {
        std::visit([this](const auto& one) { Grant(one); }, action);
      }
    }
  }

  void Finish(ActionId id) {
    Timed([&] { scheduler_.Observe(ActionFinished{id, {}}, {now_, out_}); });
  }
  static std::size_t NumberOf(const api::ObjectRef& pod) {
    const std::string_view name = pod.name();
    return std::stoul(std::string(name.substr(name.find('-') + 1)));
  }
  void Grant(const BindPod& bind) {
    const ObjectPtr bound = MakePod(row_.kind, NumberOf(bind.pod), {.node = bind.node});
    Finish(bind.id);
    Put(bound);
    --waiting_;
  }
  void Grant(const UpdatePodStatus& patch) {
    PodState state;
    if (patch.condition) state.message = patch.condition->message;
    if (patch.nominated_node) state.nominated_node = *patch.nominated_node;
    const ObjectPtr patched = MakePod(row_.kind, NumberOf(patch.pod), state);
    Finish(patch.id);
    Put(patched);
  }
  void Grant(const EvictPod& evict) {
    Finish(evict.id);
    const auto victim = pods_.extract(std::string(evict.pod.uid()));
    if (!victim.empty()) Tell(victim.mapped(), nullptr);
  }
  void Grant(const WriteInOrder& write) {
    const std::size_t number = NumberOf(write.pod);
    Finish(write.id);
    for (const api::Write& one : write.writes) {
      // The patch contains the whole status.
      constexpr std::string_view kStatus = R"("status":)";
      const auto* const patch = std::get_if<api::PatchObject>(&one);
      const std::string_view body = patch == nullptr ? std::string_view() : patch->body;
      const std::size_t at = body.find(kStatus);
      std::string_view status;
      if (at != std::string_view::npos) {
        status = body.substr(at + kStatus.size());
        status.remove_suffix(1);
      }
      PutClaim(MakeClaim(row_.kind, number, true, status));
    }
  }
  void Grant(const auto& /*action*/) {}

  const Row& row_;
  MetricsRegistry metrics_;
  Scheduler scheduler_;
  Instant now_{std::chrono::seconds(1'000'000)};
  Actions out_;
  std::unordered_map<std::string, ObjectPtr> pods_;
  std::unordered_map<std::string, ObjectPtr> claims_;
  std::size_t waiting_ = 0;
  double seconds_ = 0;
};

Figures Run(const Row& row) {
  const api::TolerationExpressions expressions;
  const match::CelEvaluator evaluator(expressions);
  return Engine(row, evaluator).Run();
}

void PrintRow(const Row& row, const Figures& figures) {
  const bool is_met =
      figures.unplaced == 0 && figures.pods_per_second >= row.target &&
      (row.bytes_per_node_max == 0 || figures.bytes_per_node <= row.bytes_per_node_max);
  std::printf("  %-38s %9zu nodes %10.0f pods/s (at least %6.0f) %6zu B/node  %s\n", row.what,
              row.nodes, figures.pods_per_second, row.target, figures.bytes_per_node,
              is_met ? "met" : "MISSED");
  if (figures.unplaced != 0) std::printf("    %zu pods found no node\n", figures.unplaced);
}

/// Prints a chart of pods per second by nodes.
void PrintGrowth() {
  std::printf("scheduler: one template with Lt, one thread\n  %9s %10s\n", "nodes", "pods/s");
  for (const std::size_t nodes : kGrowth) {
    Row row = kRows[0];
    row.nodes = nodes;
    // A node has room for 110 pods, and half of the nodes are not tolerated.
    row.pods = std::min<std::size_t>(row.pods, nodes * 50);
    const double rate = Run(row).pods_per_second;
    const std::string bar(static_cast<std::size_t>(rate / 5'000), '#');
    std::printf("  %9zu %10.0f %s\n", nodes, rate, bar.c_str());
  }
}

}  // namespace
}  // namespace plimsoll::bench

int main(int count, char** arguments) {
  using namespace plimsoll::bench;
  bool is_quick = false;
  long only = -1;
  std::size_t pods = 0;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--quick") == 0) is_quick = true;
    if (std::strcmp(arguments[i], "--row") == 0 && i + 1 < count) only = std::atol(arguments[++i]);
    if (std::strcmp(arguments[i], "--pods") == 0 && i + 1 < count) {
      pods = std::strtoul(arguments[++i], nullptr, 10);
    }
    if (std::strcmp(arguments[i], "--growth") == 0) {
      PrintGrowth();
      return 0;
    }
  }
  std::printf("scheduler: what informers tell in, bindings out, one thread\n");
  long number = 0;
  for (Row row : kRows) {
    const bool is_wanted = only < 0 ? !is_quick || row.nodes <= 5'000 : only == number;
    if (pods != 0) row.pods = pods;
    ++number;
    if (is_wanted) PrintRow(row, Run(row));
  }
  return 0;
}
