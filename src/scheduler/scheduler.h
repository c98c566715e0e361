#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/object_meta.h"
#include "base/metrics.h"
#include "base/once_cache.h"
#include "base/time.h"
#include "match/rules.h"
#include "scheduler/action.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/diagnosis.h"
#include "scheduler/framework/framework.h"

namespace plimsoll::scheduler {

/// A profile: the pods whose spec.schedulerName is its name are placed by its plugins.
struct ProfileOptions {
  std::string name = "default-scheduler";
  int percentage_of_nodes_to_score = 100;  // 0: adaptive, as upstream's default
  std::function<std::vector<EnabledPlugin>(ClusterState&)> make_plugins;
};

struct SchedulerOptions {
  std::vector<ProfileOptions> profiles;
  match::Rules rules;
  DeviceSettings devices;
  Duration backoff_initial = std::chrono::seconds(1);
  Duration backoff_max = std::chrono::seconds(10);
  /// A refused pod is tried again after this long even if nothing happened.
  Duration unschedulable_max = std::chrono::minutes(5);
  /// How many pods are tried in one Wake.
  std::size_t cycles_max = 1024;
  /// Cost of the expressions that one attempt may evaluate, in CEL's units. An attempt that needs
  /// more goes on after other pods were tried.
  std::uint64_t expression_budget = 10'000'000;
  std::uint64_t seed = 1;
  /// What became of the questions for compiled expressions, for a metric. Null: none were asked.
  std::function<CacheCounters()> expression_cache;
  /// Reads a clock that never goes back, for the durations in metrics and the limit of the search
  /// for devices alone. Null: the durations are zero, and there is no such limit.
  std::function<Duration()> stopwatch;
};

/// How many pods wait, and where.
struct PendingCounts {
  std::size_t active = 0;
  std::size_t backoff = 0;
  std::size_t unschedulable = 0;
  std::size_t gated = 0;

  std::size_t total() const { return active + backoff + unschedulable + gated; }
  friend bool operator==(const PendingCounts&, const PendingCounts&) = default;
};

/// The scheduler without its calls: changes of the cluster, outcomes and the time come in, actions
/// go out. It knows nothing but what it was told since it was made, so a new one that is told the
/// same cluster goes on where another was killed. One thread at a time.
///
///   ObjectChanged ─▶ cluster, queue ─▶ Wake: pop, place, assume ─▶ Bind ─▶ ActionFinished
///                        ▲                        │ no node                    │ failed
///                        └────────────────────────┴────────────────────────────┘
///
/// A pod counts on its node from the moment it is assumed until the server's own word replaces
/// that, or a failure undoes it. While nobody knows whether a binding was done, it goes on counting
/// and the same binding is asked for again; it never goes to another node meanwhile.
class Scheduler {
 public:
  /// Every profile must have a name of its own. The registry must outlive it.
  Scheduler(SchedulerOptions options, MetricsRegistry& metrics);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Takes in what happened. Cheap: places nothing.
  void Observe(const InputEvent& event, Instant now, Actions& out);
  /// Tries pods until none is active, or `cycles_max` were tried.
  void Wake(Instant now, Actions& out);
  /// When to Wake next; a time that is past means at once. Ask again after each call.
  std::optional<Instant> NextWake() const;

  const ClusterState& cluster() const;
  /// Null when there is none of that name. For questions beside the cycle.
  Framework* FindProfile(std::string_view name);

  PendingCounts pending() const;
  /// Pods that are assumed and not yet known to be bound.
  std::size_t assumed() const;
  /// Why the pod, by uid, was last refused; null when it was not, or waits no more. Good until the
  /// next call.
  const Diagnosis* LastDiagnosis(const api::ObjectMeta& pod) const;

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace plimsoll::scheduler
