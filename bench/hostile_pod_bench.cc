// Measures hostile pods in the scheduler: how long another pod waits behind each of them, and how
// much memory they use.
//
//   hostile_pod_bench [--strict]   prints the table; the last column tells if the limits were
//                                  kept. With --strict, an exceeded limit is a failure

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/expression/toleration_expression.h"
#include "base/metrics.h"
#include "match/cel_evaluator.h"
#include "scheduler/default_profile_for_test.h"
#include "scheduler/objects_for_test.h"
#include "scheduler/scheduler.h"

namespace plimsoll::scheduler {
namespace {

/// Returns the CPU time of this thread, which other programs do not affect.
Duration ComputingTime() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::duration_cast<Duration>(std::chrono::seconds(now.tv_sec) +
                                              std::chrono::nanoseconds(now.tv_nsec));
}

constexpr double kDelayMillisecondsMax = 100;
constexpr std::uint64_t kBytesMax = std::uint64_t{512} << 20;

template <class Item>
std::string Joined(std::size_t count, const Item& item) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += (i == 0 ? "" : ", ") + item(std::to_string(i));
  return all;
}

/// Returns the resident memory. Total allocations would grow with the length of the attack.
std::uint64_t HeldBytes() {
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

struct Attack {
  std::string_view name;
  std::size_t nodes;
  std::size_t taints;  // per node, all different
  std::size_t pods;
  std::function<std::string(std::size_t)> spec;  // of the pod with this number
};

/// Returns expressions that are false and expensive: about 40,000 cost units each. A pod with 100
/// of them is just within the API server's limit.
std::string Expressions(std::size_t count, std::size_t pod, std::size_t range) {
  return "tolerations: [" +
         Joined(count,
                [&](const std::string& i) {
                  return "{expression: \"lists.range(" + std::to_string(range) +
                         ").all(x, x >= 0) && "
                         "taint.key == 'x" +
                         std::to_string(pod) + "-" + i + "'\"}";
                }) +
         "]";
}

std::string Affinity(std::string_view kind, std::size_t count, std::size_t pod, bool own_keys) {
  return "tolerations: [{operator: Exists}], affinity: {" + std::string(kind) +
         ": {requiredDuringSchedulingIgnoredDuringExecution: [" +
         Joined(count,
                [&](const std::string& i) {
                  const std::string id = std::to_string(pod) + "-" + i;
                  return "{topologyKey: " + (own_keys ? "k" + id : "kubernetes.io/hostname") +
                         ", labelSelector: {matchExpressions: [{key: app, operator: NotIn, values: "
                         "[x" +
                         id + "]}]}}";
                }) +
         "]}}";
}

std::string Spread(std::size_t count, std::size_t pod) {
  return "tolerations: [{operator: Exists}], topologySpreadConstraints: [" +
         Joined(count,
                [&](const std::string& i) {
                  const std::string id = std::to_string(pod) + "-" + i;
                  return "{maxSkew: 1, whenUnsatisfiable: ScheduleAnyway, topologyKey: k" + id +
                         ", labelSelector: {matchExpressions: [{key: app, operator: NotIn, values: "
                         "[x" +
                         id + "]}]}}";
                }) +
         "]";
}

std::vector<Attack> Attacks() {
  return {
      {"1,000 expressions, 23 nodes of 22 taints", 23, 22, 1,
       [](std::size_t pod) { return Expressions(1000, pod, 5000); }},
      {"1,000 expressions, 5,000 nodes", 5000, 1, 1,
       [](std::size_t pod) { return Expressions(1000, pod, 5000); }},
      {"100 pods of 100 expressions, 5,000 nodes", 5000, 1, 100,
       [](std::size_t pod) { return Expressions(100, pod, 5000); }},
      {"4,000 affinity terms, 23 nodes", 23, 0, 1,
       [](std::size_t pod) { return Affinity("podAffinity", 4000, pod, false); }},
      {"4,000 affinity terms, own topologies", 23, 0, 1,
       [](std::size_t pod) { return Affinity("podAffinity", 4000, pod, true); }},
      {"64 affinity terms, 5,000 nodes", 5000, 0, 1,
       [](std::size_t pod) { return Affinity("podAffinity", 64, pod, false); }},
      {"64 anti-affinity terms, 5,000 nodes", 5000, 0, 1,
       [](std::size_t pod) { return Affinity("podAntiAffinity", 64, pod, false); }},
      {"100 pods of 64 own topologies, 5,000 nodes", 5000, 0, 100,
       [](std::size_t pod) { return Affinity("podAntiAffinity", 64, pod, true); }},
      {"100 pods of 64 anti-affinity terms, 5,000 nodes", 5000, 0, 100,
       [](std::size_t pod) { return Affinity("podAntiAffinity", 64, pod, false); }},
      {"100 pods of 64 affinity terms, 5,000 nodes", 5000, 0, 100,
       [](std::size_t pod) { return Affinity("podAffinity", 64, pod, false); }},
      {"100 pods of 64 spread constraints, 5,000 nodes", 5000, 0, 100,
       [](std::size_t pod) { return Spread(64, pod); }},
  };
}

class Stage {
 public:
  explicit Stage(const Attack& attack) : evaluator_(expressions_) {
    SchedulerOptions options;
    options.profiles.push_back(
        {.name = "default-scheduler",
         .make_plugins = [](ClusterState& cluster) { return MakeDefaultProfile(cluster, {}); }});
    options.rules.evaluator = &evaluator_;
    options.stopwatch = ComputingTime;
    scheduler_ = std::make_unique<Scheduler>(std::move(options), metrics_);
    for (std::size_t i = 0; i < attack.nodes; ++i) {
      const std::string name = "n" + std::to_string(i);
      Tell(NodeFromYaml(name, "{allocatable: {pods: '110', cpu: '100', memory: 100Gi}}",
                        "{taints: [" +
                            Joined(attack.taints,
                                   [&](const std::string& t) {
                                     return "{key: t" + std::to_string(i) + "-" + t +
                                            ", value: v, effect: NoSchedule}";
                                   }) +
                            "]}",
                        "labels: {kubernetes.io/hostname: " + name + "}"));
      Tell(PodFromYaml("old" + std::to_string(i), "{nodeName: " + name + "}", "labels: {app: a}"));
    }
    scheduler_->Observe(Synced{}, {now_, out_});
    Finish();
  }

  void Tell(const ObjectPtr& object) {
    scheduler_->Observe(ObjectChanged{nullptr, object}, {now_, out_});
  }
  bool Wake() {
    const auto next = scheduler_->NextWake();
    if (!next || *next > now_) return false;
    scheduler_->Wake({now_, out_});
    return true;
  }
  void Finish() {
    for (int i = 0; i < 100'000 && Wake(); ++i) out_.clear();
  }
  bool IsBound(std::string_view name) const {
    return std::ranges::any_of(out_, [&](const Action& action) {
      const auto* const bind = std::get_if<BindPod>(&action);
      return bind != nullptr && bind->pod.name() == name;
    });
  }
  void Clear() { out_.clear(); }

 private:
  api::TolerationExpressions expressions_;
  match::CelEvaluator evaluator_;
  MetricsRegistry metrics_;
  Instant now_{};
  Actions out_;
  std::unique_ptr<Scheduler> scheduler_;
};

struct Outcome {
  double delay = 0;  // milliseconds: longest wait of another pod
  std::uint64_t bytes = 0;
};

Outcome Play(const Attack& attack) {
  std::vector<ObjectPtr> hostile;
  for (std::size_t i = 0; i < attack.pods; ++i) {
    hostile.push_back(PodFromYaml("bad" + std::to_string(i),
                                  "{schedulerName: default-scheduler, " + attack.spec(i) + "}",
                                  "labels: {app: b}"));
  }
  Stage stage(attack);
  Outcome outcome;
  const std::uint64_t before = HeldBytes();
  for (const ObjectPtr& pod : hostile) stage.Tell(pod);
  // Other pods arrive one after the other during the attack.
  for (int i = 0; i < 50; ++i) {
    const std::string name = "good" + std::to_string(i);
    const ObjectPtr pod =
        PodFromYaml(name, "{schedulerName: default-scheduler, tolerations: [{operator: Exists}]}");
    stage.Clear();
    const Duration start = ComputingTime();
    stage.Tell(pod);
    while (!stage.IsBound(name) && stage.Wake()) {
    }
    const std::chrono::duration<double, std::milli> took = ComputingTime() - start;
    outcome.delay = std::max(outcome.delay, took.count());
    const std::uint64_t held = HeldBytes();
    outcome.bytes = std::max(outcome.bytes, held - std::min(held, before));
    if (!stage.IsBound(name)) std::printf("%s was not placed\n", name.c_str());
  }
  return outcome;
}

}  // namespace
}  // namespace plimsoll::scheduler

int main(int count, char** arguments) {
  using namespace plimsoll::scheduler;
  bool all_kept = true;
  std::printf("%-46s %12s %12s  %s\n", "attack", "delay, ms", "MiB", "bounds");
  for (const Attack& attack : Attacks()) {
    const Outcome outcome = Play(attack);
    const bool is_kept = outcome.delay <= kDelayMillisecondsMax && outcome.bytes <= kBytesMax;
    all_kept = all_kept && is_kept;
    std::printf("%-46.*s %12.1f %12.1f  %s\n", static_cast<int>(attack.name.size()),
                attack.name.data(), outcome.delay, static_cast<double>(outcome.bytes) / (1 << 20),
                is_kept ? "kept" : "MISSED");
    std::fflush(stdout);
  }
  const bool is_strict = count > 1 && std::string_view(arguments[1]) == "--strict";
  return is_strict && !all_kept ? 1 : 0;
}
