#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "controller/controller.h"

/// Computes ReplicaSet sizes during a rollout. Pure arithmetic on specs and statuses.
namespace plimsoll::controller {

inline constexpr std::string_view kRevision = "deployment.kubernetes.io/revision";
inline constexpr std::string_view kRevisionHistory = "deployment.kubernetes.io/revision-history";
inline constexpr std::string_view kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
inline constexpr std::string_view kMaxReplicas = "deployment.kubernetes.io/max-replicas";
inline constexpr std::string_view kRollbackTo = "deprecated.deployment.rollback.to";

/// Fields of a Deployment's spec that a rollout uses.
struct RolloutSpec {
  std::int64_t replicas = 1;
  bool is_rolling = true;  // RollingUpdate; else Recreate
  bool is_paused = false;
  std::int64_t max_surge = 0;
  std::int64_t max_unavailable = 0;
  std::int64_t min_ready_seconds = 0;
  std::int64_t revision_history_limit = INT32_MAX;     // INT32_MAX: unlimited
  std::int64_t progress_deadline_seconds = INT32_MAX;  // INT32_MAX: no deadline

  bool has_progress_deadline() const { return progress_deadline_seconds != INT32_MAX; }
  std::int64_t max_replicas() const { return replicas + max_surge; }
};
RolloutSpec ReadRolloutSpec(const api::Object& deployment);

/// A ReplicaSet of a Deployment, with its new size.
struct RolloutSet {
  ObjectPtr object;
  std::int64_t replicas = 0;  // spec.replicas as stored
  std::int64_t want = 0;      // spec.replicas to write
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

/// Returns the number in an annotation, or nothing if there is none.
std::optional<std::int64_t> AnnotatedNumber(const api::Object& object, std::string_view key);

/// Returns the new ReplicaSet's size: as many of the missing replicas as maxSurge permits.
std::int64_t NewSetReplicas(const RolloutSpec& spec, const RolloutSets& all,
                            std::int64_t new_replicas);
/// Scales old sets down: unhealthy replicas first, then available ones. True if one changed.
bool ScaleDownOld(const RolloutSpec& spec, RolloutSets old_sets, const RolloutSet& new_set);
/// Distributes a change of the Deployment's size over its ReplicaSets in proportion to their sizes.
void ScaleProportionally(const RolloutSpec& spec, RolloutSets active, std::int64_t actual_total);

}  // namespace plimsoll::controller
