#include "scheduler/scheduler.h"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <utility>

#include "base/allocation_meter.h"
#include "base/assert.h"
#include "scheduler/dra/devices.h"
#include "scheduler/scheduler_core.h"

namespace plimsoll::scheduler {
namespace {

// Finished pods use no resources, so they are not watched.
constexpr auto kWatched = std::to_array<WatchedKind>({
    {"", "v1", "Node"},
    {"", "v1", "Pod", {}, "status.phase!=Succeeded,status.phase!=Failed"},
    {"", "v1", "Namespace"},
    {"", "v1", "Service"},
    {"", "v1", "ReplicationController"},
    {"apps", "v1", "ReplicaSet"},
    {"apps", "v1", "StatefulSet"},
    {"", "v1", "PersistentVolume"},
    {"", "v1", "PersistentVolumeClaim"},
    {"storage.k8s.io", "v1", "StorageClass"},
    {"storage.k8s.io", "v1", "CSINode"},
    {"storage.k8s.io", "v1", "CSIDriver"},
    {"storage.k8s.io", "v1", "CSIStorageCapacity"},
    {"storage.k8s.io", "v1", "VolumeAttachment"},
    {"policy", "v1", "PodDisruptionBudget"},
    {"resource.k8s.io", "v1", "ResourceClaim"},
    {"resource.k8s.io", "v1", "ResourceSlice"},
    {"resource.k8s.io", "v1", "DeviceClass"},
    {"resource.k8s.io", "v1", "DeviceTaintRule"},
});

/// Maximum allocation of one scheduling attempt. A usual pod needs less than a thousandth of it.
constexpr std::uint64_t kAttemptBytesMax = std::uint64_t{2} << 30;

std::vector<std::unique_ptr<Framework>> MakeProfiles(const SchedulerOptions& options,
                                                     ClusterState& cluster) {
  std::vector<std::unique_ptr<Framework>> profiles;
  for (const ProfileOptions& profile : options.profiles) {
    const auto has_name = [&](const auto& other) {
      return other->options().profile == profile.name;
    };
    PL_ASSERT(std::ranges::none_of(profiles, has_name));
    profiles.push_back(std::make_unique<Framework>(
        cluster, profile.make_plugins(cluster),
        FrameworkOptions{profile.name, profile.percentage_of_nodes_to_score, options.stopwatch}));
  }
  return profiles;
}

std::vector<ProfileShape> Shapes(const std::vector<std::unique_ptr<Framework>>& profiles) {
  std::vector<ProfileShape> shapes;
  for (const auto& profile : profiles) {
    ProfileShape& shape = shapes.emplace_back();
    shape.name = profile->options().profile;
    for (const EnabledPlugin& enabled : profile->plugins()) {
      shape.plugins.emplace_back(enabled.plugin->name(), enabled.points);
    }
  }
  return shapes;
}

std::vector<const Framework*> Pointers(const std::vector<std::unique_ptr<Framework>>& profiles) {
  std::vector<const Framework*> pointers;
  for (const auto& profile : profiles) pointers.push_back(profile.get());
  return pointers;
}

}  // namespace

Scheduler::Core::Core(SchedulerOptions options, MetricsRegistry& metrics)
    : options_(std::move(options)),
      cluster_(options_.rules, options_.devices),
      profiles_(MakeProfiles(options_, cluster_)),
      metrics_(metrics, Shapes(profiles_)),
      queue_(cluster_, Pointers(profiles_), metrics_,
             {.backoff = {.initial = options_.backoff_initial, .max = options_.backoff_max},
              .unschedulable_max = options_.unschedulable_max}),
      random_(options_.seed),
      placed_(profiles_.size()) {
  cluster_.devices().allocator().SetStopwatch(options_.stopwatch);
}

void Scheduler::Core::Observe(const CoreInput& event, const Turn& turn) {
  cluster_.devices().SetNow(turn.now);
  if (const auto* change = std::get_if<ObjectChanged>(&event)) {
    OnObject(*change, turn);
  } else if (const auto* finished = std::get_if<ActionFinished>(&event)) {
    OnFinished(*finished, turn);
  } else {
    is_synced_ = true;
  }
  SettlePermits(turn);
  is_report_due_ = true;
}

void Scheduler::Core::Wake(const Turn& turn) {
  if (!is_synced_) return;
  cluster_.devices().SetNow(turn.now);
  queue_.Flush(turn.now);
  RunTimers(turn);
  SettlePermits(turn);
  is_budget_spent_ = false;
  hurried_cost_ = 0;
  hurried_work_ = 0;
  woken_at_ = Elapsed();
  // Stop early when the budget is spent, so that the caller can deliver new events.
  for (std::size_t cycle = 0; cycle < options_.cycles_max && !is_budget_spent_; ++cycle) {
    const std::optional<PodId> id = queue_.Pop();
    if (!id) break;
    try {
      const AllocationBudget budget(kAttemptBytesMax);
      TryPod(*id, turn);
    } catch (const std::bad_alloc&) {
      SetAside(*id, "it takes too much memory", turn);
    } catch (const std::exception& error) {
      SetAside(*id, error.what(), turn);
    }
    SettlePermits(turn);
  }
  ReportSizes();
}

std::optional<Instant> Scheduler::Core::NextWake() const {
  if (!is_synced_) return std::nullopt;
  // Wake at once for a due report; otherwise gauges would be stale until the next pod arrives.
  if (queue_.HasReady() || is_report_due_ || waiting_.HasDecision()) return Instant::min();
  std::optional<Instant> next = queue_.NextFlush();
  if (!timers_.empty() && (!next || timers_.begin()->first < *next)) {
    next = timers_.begin()->first;
  }
  return next;
}

Framework* Scheduler::Core::FindProfile(std::string_view name) {
  const auto found = std::ranges::find_if(
      profiles_, [&](const auto& profile) { return profile->options().profile == name; });
  return found == profiles_.end() ? nullptr : found->get();
}

PendingCounts Scheduler::Core::pending() const {
  return {.active = queue_.active(),
          .backoff = queue_.backoff(),
          .unschedulable = queue_.unschedulable(),
          .gated = queue_.gated()};
}

const Diagnosis* Scheduler::Core::LastDiagnosis(const api::ObjectMeta& pod) {
  const PodId id = cluster_.FindPod(pod);
  return id == kNoPod || id >= diagnoses_.size() ? nullptr : diagnoses_[id].get();
}

std::optional<std::size_t> Scheduler::Core::ProfileOf(const api::Pod& pod) const {
  for (std::size_t i = 0; i < options_.profiles.size(); ++i) {
    if (options_.profiles[i].name == pod.spec.scheduler_name) return i;
  }
  return std::nullopt;
}

PodUnderTest Scheduler::Core::UnderTest(PodId id) const {
  const PodRecord& record = cluster_.pod(id);
  return {id, *record.pod, *record.pod_class};
}

std::optional<CallType> Scheduler::Core::CallTypeOf(PendingAction::Kind kind) {
  switch (kind) {
    case PendingAction::Kind::Bind:
      return CallType::PodBinding;
    case PendingAction::Kind::Patch:
      return CallType::PodStatusPatch;
    case PendingAction::Kind::None:
    case PendingAction::Kind::Evict:
    case PendingAction::Kind::Write:
      break;
  }
  return std::nullopt;
}

ActionId Scheduler::Core::Begin(PendingAction::Kind kind, PodId pod) {
  if (free_actions_.empty()) {
    free_actions_.push_back(static_cast<std::uint32_t>(actions_.size()));
    actions_.emplace_back();
  }
  const std::uint32_t slot = free_actions_.back();
  free_actions_.pop_back();
  PendingAction& action = actions_[slot];
  action.kind = kind;
  action.pod = pod;
  if (const std::optional<CallType> call = CallTypeOf(kind)) {
    action.began = Elapsed();
    ++pending_calls_[static_cast<std::size_t>(*call)];
  }
  return static_cast<ActionId>(++action.generation) << 32 | slot;
}

void Scheduler::Core::OnFinished(const ActionFinished& finished, const Turn& turn) {
  const auto slot = static_cast<std::uint32_t>(finished.id);
  if (slot >= actions_.size() || actions_[slot].kind == PendingAction::Kind::None ||
      actions_[slot].generation != finished.id >> 32) {
    return;  // already finished
  }
  const PendingAction::Kind kind = std::exchange(actions_[slot].kind, PendingAction::Kind::None);
  const PodId pod = std::exchange(actions_[slot].pod, kNoPod);
  free_actions_.push_back(slot);
  if (const std::optional<CallType> call = CallTypeOf(kind)) {
    --pending_calls_[static_cast<std::size_t>(*call)];
    metrics_.CallEnded(*call, finished.status.has_value(), Elapsed() - actions_[slot].began);
  }
  // The pod may be deleted and its PodId reused, or the pod may have been unreserved since.
  const bool is_awaited = pod != kNoPod && pod < flows_.size() && flows_[pod].action == finished.id;
  switch (kind) {
    case PendingAction::Kind::None:
    case PendingAction::Kind::Patch:
      return;
    case PendingAction::Kind::Bind:
      if (is_awaited) OnBindAnswer(pod, finished.status, turn);
      return;
    case PendingAction::Kind::Write:
      if (is_awaited) {
        OnWritten(pod, finished.status, turn);
      } else {
        OnHelpWritten(pod, finished.id, finished.status, turn);
      }
      return;
    case PendingAction::Kind::Evict:
      OnEvicted(pod, std::move(actions_[slot].eviction), finished.status, turn);
      return;
  }
}

void Scheduler::Core::ReportSizes() {
  is_report_due_ = false;
  metrics_.Flush();
  for (std::size_t profile = 0; profile < placed_.size(); ++profile) FlushEvaluations(profile);
  metrics_.SetPending(QueueName::Active, queue_.active());
  metrics_.SetPending(QueueName::Backoff, queue_.backoff());
  metrics_.SetPending(QueueName::Unschedulable, queue_.unschedulable());
  metrics_.SetPending(QueueName::Gated, queue_.gated());
  for (const CallType call : {CallType::PodBinding, CallType::PodStatusPatch}) {
    metrics_.SetPendingCalls(call, pending_calls_[static_cast<std::size_t>(call)]);
  }
  if (options_.expression_cache) {
    const CacheCounters counters = options_.expression_cache();
    metrics_.SetExpressionCache(counters.hits, counters.misses);
  }
  metrics_.SetCacheSize(cluster_.node_count(), cluster_.pod_count(), assumed_);
}

Scheduler::Scheduler(SchedulerOptions options, MetricsRegistry& metrics)
    : core_(std::make_unique<Core>(std::move(options), metrics)) {}
Scheduler::~Scheduler() = default;

std::span<const WatchedKind> Scheduler::AllWatched() { return kWatched; }

void Scheduler::Observe(const CoreInput& event, const Turn& turn) { core_->Observe(event, turn); }
void Scheduler::Wake(const Turn& turn) { core_->Wake(turn); }
std::optional<Instant> Scheduler::NextWake() const { return core_->NextWake(); }
const ClusterState& Scheduler::cluster() const { return core_->cluster(); }
Framework* Scheduler::FindProfile(std::string_view name) { return core_->FindProfile(name); }
PendingCounts Scheduler::pending() const { return core_->pending(); }
std::size_t Scheduler::assumed() const { return core_->assumed(); }
const Diagnosis* Scheduler::LastDiagnosis(const api::ObjectMeta& pod) const {
  return core_->LastDiagnosis(pod);
}

}  // namespace plimsoll::scheduler
