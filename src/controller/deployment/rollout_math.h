#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "controller/action.h"

/// What a rollout decides with: numbers out of Deployments and ReplicaSets, and what follows.
namespace plimsoll::controller {

inline constexpr std::string_view kRevision = "deployment.kubernetes.io/revision";
inline constexpr std::string_view kRevisionHistory = "deployment.kubernetes.io/revision-history";
inline constexpr std::string_view kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
inline constexpr std::string_view kMaxReplicas = "deployment.kubernetes.io/max-replicas";
inline constexpr std::string_view kRollbackTo = "deprecated.deployment.rollback.to";

/// A Deployment's wishes.
struct RolloutSpec {
  std::int64_t replicas = 1;
  bool is_rolling = true;  // RollingUpdate; else Recreate
  bool is_paused = false;
  std::int64_t max_surge = 0;
  std::int64_t max_unavailable = 0;
  std::int64_t min_ready_seconds = 0;
  std::int64_t revision_history_limit = INT32_MAX;     // INT32_MAX: none
  std::int64_t progress_deadline_seconds = INT32_MAX;  // likewise

  bool has_progress_deadline() const { return progress_deadline_seconds != INT32_MAX; }
  std::int64_t max_replicas() const { return replicas + max_surge; }
};
RolloutSpec ReadRolloutSpec(const api::Object& deployment);

/// A ReplicaSet of a Deployment, with the size that it is to have.
struct RolloutSet {
  ObjectPtr object;
  std::int64_t replicas = 0;  // asked for, as stored
  std::int64_t want = 0;      // to be asked for
  std::int64_t actual = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::int64_t terminating = 0;
  std::int64_t revision = 0;
  Instant created{};

  std::string_view name() const { return object->metadata().name; }
};
RolloutSet ReadRolloutSet(const ObjectPtr& set);
using RolloutSets = std::vector<RolloutSet*>;

/// The number that an annotation says, or nothing.
std::optional<std::int64_t> AnnotatedNumber(const api::Object& object, std::string_view key);

std::int64_t TotalWanted(const RolloutSets& sets);
/// The size that the new ReplicaSet may have now: what is missing, within the surge.
std::int64_t NewSetReplicas(const RolloutSpec& spec, const RolloutSets& all,
                            std::int64_t new_replicas);
/// Takes old pods away: first the unhealthy ones, then as many as can be spared. True when some go.
bool ScaleDownOld(const RolloutSpec& spec, RolloutSets old_sets, const RolloutSet& new_set);
/// Shares a change of the Deployment's size out among its ReplicaSets, by their sizes.
void ScaleProportionally(const RolloutSpec& spec, RolloutSets active, std::int64_t actual_total);

}  // namespace plimsoll::controller
