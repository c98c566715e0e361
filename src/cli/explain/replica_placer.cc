#include "cli/explain/replica_placer.h"

#include <algorithm>

#include "base/assert.h"

namespace plimsoll::cli {
namespace {

/// Maximum number of turns for one pod: an attempt with costly expressions takes several.
constexpr int kTurnsMax = 1000;

std::vector<std::string> NamesOf(const scheduler::SchedulerOptions& options) {
  std::vector<std::string> names;
  for (const scheduler::ProfileOptions& profile : options.profiles) names.push_back(profile.name);
  return names;
}

bool IsWaiting(const api::Object& object) {
  const auto* const pod = object.As<api::Pod>();
  return pod != nullptr && pod->spec.node_name.empty();
}

}  // namespace

ReplicaPlacer::ReplicaPlacer(scheduler::SchedulerOptions options,
                             const std::vector<ObjectPtr>& objects, Instant now)
    : now_(now), profiles_(NamesOf(options)), scheduler_(std::move(options), metrics_) {
  PL_ASSERT(!profiles_.empty());
  for (const ObjectPtr& object : objects) {
    if (!IsWaiting(*object)) Observe(object);
  }
  scheduler::Actions ignored_actions;
  scheduler_.Observe(scheduler::Synced{}, {now_, ignored_actions});
}

void ReplicaPlacer::Observe(const ObjectPtr& object) {
  scheduler::Actions ignored_actions;
  scheduler_.Observe(scheduler::ObjectChanged{nullptr, object}, {now_, ignored_actions});
}

Result<std::string> ReplicaPlacer::Place(const Replica& replica, std::string& refusal) {
  const std::string_view wanted = replica.pod->As<api::Pod>()->spec.scheduler_name;
  const auto found = std::ranges::find(profiles_, wanted);
  const std::string& profile = found == profiles_.end() ? profiles_.front() : *found;
  const ObjectPtr pod = PL_TRY(AsPendingPod(*replica.pod, profile));
  scheduler::Framework& framework = *scheduler_.FindProfile(profile);
  const scheduler::Verdict gate = framework.PreEnqueue(*pod);
  for (const ObjectPtr& claim : replica.claims) Observe(claim);
  Observe(pod);
  scheduler::ClusterState& cluster = framework.cluster();
  for (int turn = 0; turn < kTurnsMax; ++turn) {
    scheduler::Actions ignored_actions;
    scheduler_.Wake({now_, ignored_actions});
    const scheduler::PodId id = cluster.FindPod(pod->metadata());
    PL_ASSERT(id != scheduler::kNoPod);
    const scheduler::PodRecord& record = cluster.pod(id);
    if (record.is_assumed) return std::string(cluster.node_name(record.node));
    if (const auto* const diagnosis = scheduler_.LastDiagnosis(pod->metadata())) {
      refusal = diagnosis->error.ok() ? diagnosis->FilterMessage() : diagnosis->error.Message();
      return std::string();
    }
    if (!scheduler_.NextWake() || *scheduler_.NextWake() > now_) break;
  }
  refusal = gate.ok() ? "the scheduler has not decided" : gate.Message();
  return std::string();
}

}  // namespace plimsoll::cli
