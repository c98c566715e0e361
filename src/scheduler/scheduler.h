#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/object_meta.h"
#include "api/pure_core.h"
#include "base/metrics.h"
#include "base/once_cache.h"
#include "base/time.h"
#include "match/rules.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/diagnosis.h"
#include "scheduler/framework/framework.h"

namespace plimsoll::scheduler {

using api::Action;
using api::ActionFinished;
using api::ActionId;
using api::Actions;
using api::BindPod;
using api::CoreInput;
using api::EventType;
using api::EvictPod;
using api::ObjectChanged;
using api::PodCondition;
using api::RecordEvent;
using api::Synced;
using api::Turn;
using api::UpdatePodStatus;
using api::WatchedKind;
using api::WriteInOrder;
using api::WriteLog;

/// Options of a profile. Its plugins place the pods whose spec.schedulerName is its name.
struct ProfileOptions {
  std::string name = "default-scheduler";
  int percentage_of_nodes_to_score = 100;  // 0: adaptive, like upstream's default
  std::function<std::vector<EnabledPlugin>(ClusterState&)> make_plugins;
};

struct SchedulerOptions {
  std::vector<ProfileOptions> profiles;
  match::Rules rules;
  DeviceSettings devices;
  Duration backoff_initial = std::chrono::seconds(1);
  Duration backoff_max = std::chrono::seconds(10);
  /// Longest time that a pod stays in the unschedulable queue without a relevant event.
  Duration unschedulable_max = std::chrono::minutes(5);
  /// Maximum number of scheduling attempts per Wake.
  std::size_t cycles_max = 1024;
  /// Maximum cost of expressions per attempt, in CEL cost units. An attempt that needs more is
  /// continued after other pods were tried.
  std::uint64_t expression_budget = 10'000'000;
  std::uint64_t seed = 1;
  /// Returns hits and misses of the cache of compiled expressions, for a metric. May be null.
  std::function<CacheCounters()> expression_cache;
  /// Monotonic clock, used only for durations in metrics and for the time limit of the device
  /// allocator. Null: durations are zero, and there is no time limit.
  std::function<Duration()> stopwatch;
};

/// Number of pending pods in each queue.
struct PendingCounts {
  std::size_t active = 0;
  std::size_t backoff = 0;
  std::size_t unschedulable = 0;
  std::size_t gated = 0;

  std::size_t total() const { return active + backoff + unschedulable + gated; }
  friend bool operator==(const PendingCounts&, const PendingCounts&) = default;
};

/// Scheduler core without I/O: cluster changes, action outcomes and the time come in, actions go
/// out. All state comes from these inputs, so a new instance that observes the same cluster
/// continues the work of a killed one. Not thread-safe.
///
///   ObjectChanged ─▶ cluster, queue ─▶ Wake: pop, place, assume ─▶ Bind ─▶ ActionFinished
///                        ▲                        │ no node                    │ failed
///                        └────────────────────────┴────────────────────────────┘
///
/// An assumed pod counts on its node until a watch event replaces the assumption, or a failure
/// undoes it. While the result of a binding is unknown, the pod keeps counting and the same binding
/// is retried. It never goes to another node meanwhile.
class Scheduler : public api::PureCore {
 public:
  /// REQUIRES: profile names are unique, and `metrics` outlives the scheduler.
  Scheduler(SchedulerOptions options, MetricsRegistry& metrics);
  ~Scheduler() override;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Returns the kinds that every scheduler watches.
  static std::span<const WatchedKind> AllWatched();
  std::span<const WatchedKind> watched() const override { return AllWatched(); }

  /// Applies an event to the state. Cheap: places no pods.
  void Observe(const CoreInput& event, const Turn& turn) override;
  /// Tries active pods until none is left, `cycles_max` is reached, or a budget is spent.
  void Wake(const Turn& turn) override;
  std::optional<Instant> NextWake() const override;

  const ClusterState& cluster() const;
  /// Returns null if there is no such profile. For queries outside of the scheduling cycle.
  Framework* FindProfile(std::string_view name);

  PendingCounts pending() const;
  /// Number of assumed pods whose binding is not confirmed yet.
  std::size_t assumed() const;
  /// Returns why the pod (by uid) was last refused; null if it was not, or is no longer pending.
  /// Valid until the next call.
  const Diagnosis* LastDiagnosis(const api::ObjectMeta& pod) const;

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace plimsoll::scheduler
