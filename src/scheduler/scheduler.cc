#include "scheduler/scheduler.h"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <utility>

#include "base/allocation_meter.h"
#include "base/assert.h"
#include "scheduler/dra/devices.h"
#include "scheduler/limits.h"
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

Profiles MakeProfiles(const SchedulerOptions& options, ClusterState& cluster) {
  Profiles profiles;
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

std::vector<ProfileShape> Shapes(const Profiles& profiles) {
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

std::vector<const Framework*> Pointers(const Profiles& profiles) {
  std::vector<const Framework*> pointers;
  for (const auto& profile : profiles) pointers.push_back(profile.get());
  return pointers;
}

}  // namespace

Scheduler::Core::Core(SchedulerOptions options, MetricsRegistry& metrics)
    : options_(std::move(options)),
      stopwatch_(options_.stopwatch),
      cluster_(options_.rules, options_.devices),
      profiles_(MakeProfiles(options_, cluster_)),
      metrics_(metrics, Shapes(profiles_)),
      queue_(cluster_, Pointers(profiles_), metrics_,
             {.backoff = {.initial = options_.backoff_initial, .max = options_.backoff_max},
              .unschedulable_max = options_.unschedulable_max}),
      inflight_(metrics_, stopwatch_),
      attempt_metrics_(profiles_, metrics_),
      preparation_(cluster_, queue_, stopwatch_, options_.expression_budget),
      refusals_(cluster_),
      failures_(cluster_, profiles_, queue_, inflight_, refusals_, attempt_metrics_, metrics_,
                stopwatch_),
      nominator_(cluster_, inflight_),
      preemption_(cluster_, profiles_, queue_, waiting_, inflight_, metrics_, stopwatch_),
      binding_(cluster_, profiles_, queue_, waiting_, inflight_, failures_, metrics_, stopwatch_),
      random_(options_.seed) {
  cluster_.devices().allocator().SetStopwatch(options_.stopwatch);
}

void Scheduler::Core::Observe(const CoreInput& event, const Turn& turn) {
  cluster_.devices().SetNow(turn.now);
  if (const auto* change = std::get_if<ObjectChanged>(&event)) {
    OnObjectChanged(*change, turn);
  } else if (const auto* finished = std::get_if<ActionFinished>(&event)) {
    OnActionFinished(*finished, turn);
  } else {
    is_synced_ = true;
  }
  binding_.ApplyPermitDecisions(turn);
  is_report_due_ = true;
}

void Scheduler::Core::Wake(const Turn& turn) {
  if (!is_synced_) return;
  cluster_.devices().SetNow(turn.now);
  queue_.Flush(turn.now);
  binding_.RunTimers(turn);
  binding_.ApplyPermitDecisions(turn);
  preparation_.StartWake();
  for (std::size_t cycle = 0; cycle < options_.cycles_max && !preparation_.is_wake_spent();
       ++cycle) {
    const std::optional<PodId> id = queue_.Pop();
    if (!id) break;
    try {
      const AllocationBudget budget(kAttemptBytesMax);
      ScheduleOne(*id, turn);
    } catch (const std::bad_alloc&) {
      SetAside(*id, "it takes too much memory", turn);
    } catch (const std::exception& error) {
      SetAside(*id, error.what(), turn);
    }
    binding_.ApplyPermitDecisions(turn);
  }
  PublishSizes();
}

std::optional<Instant> Scheduler::Core::NextWake() const {
  if (!is_synced_) return std::nullopt;
  // Wake at once for a due report; otherwise gauges would be stale until the next pod arrives.
  if (queue_.HasReady() || is_report_due_ || waiting_.HasDecision()) return Instant::min();
  const std::optional<Instant> next = queue_.NextFlush();
  const std::optional<Instant> timer = binding_.NextTimer();
  return timer && (!next || *timer < *next) ? timer : next;
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
  return id == kNoPod ? nullptr : refusals_.Last(id);
}

std::optional<std::size_t> Scheduler::Core::ProfileOf(const api::Pod& pod) const {
  for (std::size_t i = 0; i < options_.profiles.size(); ++i) {
    if (options_.profiles[i].name == pod.spec.scheduler_name) return i;
  }
  return std::nullopt;
}

void Scheduler::Core::OnActionFinished(const ActionFinished& finished, const Turn& turn) {
  const std::optional<InflightActions::Finished> action = inflight_.Finish(finished);
  if (!action) return;
  const PodId pod = action->pod;
  switch (action->kind) {
    case InflightActions::Kind::PatchStatus:
      return;
    case InflightActions::Kind::Bind:
      binding_.OnBindFinished(pod, finished.id, finished.status, turn);
      return;
    case InflightActions::Kind::Evict:
      preemption_.OnEvicted(finished.id, finished.status, turn);
      return;
    case InflightActions::Kind::Write:
      break;
  }
  // Writes of PreBind, of PostFilter, or of Unreserve, for which nothing waits.
  if (binding_.OnWritesFinished(pod, finished.id, finished.status, turn)) return;
  const bool is_reported = failures_.OnWritesFinished(pod, finished.id, finished.status, turn);
  if (is_reported && !preemption_.IsPreempting(pod)) queue_.Release(pod, turn.now);
}

void Scheduler::Core::PublishSizes() {
  is_report_due_ = false;
  metrics_.Flush();
  attempt_metrics_.Flush();
  metrics_.SetPending(QueueName::Active, queue_.active());
  metrics_.SetPending(QueueName::Backoff, queue_.backoff());
  metrics_.SetPending(QueueName::Unschedulable, queue_.unschedulable());
  metrics_.SetPending(QueueName::Gated, queue_.gated());
  inflight_.PublishPendingCalls();
  if (options_.expression_cache) {
    const CacheCounters counters = options_.expression_cache();
    metrics_.SetExpressionCache(counters.hits, counters.misses);
  }
  metrics_.SetCacheSize(cluster_.node_count(), cluster_.pod_count(), assumed());
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
