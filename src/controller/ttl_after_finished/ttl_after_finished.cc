#include "controller/ttl_after_finished/ttl_after_finished.h"

#include <array>
#include <chrono>
#include <utility>
#include <variant>

#include "base/time_arithmetic.h"
#include "controller/workload/condition.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

/// Returns when the Job expires; nothing if it is unfinished, terminating or has no TTL.
std::optional<Instant> ExpiryOf(const api::Object& job) {
  const codec::Value* const ttl = FindAt(job.tree(), {"spec", "ttlSecondsAfterFinished"});
  if (ttl == nullptr || !ttl->is_int() || !job.metadata().deletion_timestamp.empty()) {
    return std::nullopt;
  }
  const WorkloadConditions conditions(job);
  for (const std::string_view type : {"Complete", "Failed"}) {
    if (!conditions.IsTrue(type)) continue;
    const Result<Instant> ended = ParseTime(conditions.Find(type)->last_transition_time);
    if (ended) return SaturatingAdd(*ended, SaturatingSeconds(ttl->AsInt()));
  }
  return std::nullopt;
}

}  // namespace

std::span<const WatchedKind> TtlAfterFinishedController::watched() const {
  static constexpr std::array kWatched = {WatchedKind{"batch", "v1", "Job"}};
  return kWatched;
}

void TtlAfterFinishedController::Observe(const CoreInput& event, const Turn& turn) {
  if (const auto* const change = std::get_if<ObjectChanged>(&event)) {
    for (const ObjectPtr& object : {change->old_object, change->new_object}) {
      if (object == nullptr) continue;
      const std::string uid(object->metadata().uid);
      const auto expiry = object == change->new_object ? ExpiryOf(*object) : std::nullopt;
      queue_.Erase(uid);
      if (expiry) {
        jobs_[uid] = object;
        queue_.AddAt(uid, *expiry);
      } else {
        jobs_.erase(uid);
      }
    }
  } else if (const auto* const finished = std::get_if<ActionFinished>(&event)) {
    const auto write = writes_.find(finished->id);
    if (write != writes_.end()) {
      if (!finished->status && jobs_.contains(write->second)) queue_.Retry(write->second, turn.now);
      writes_.erase(write);
    }
  } else {
    is_synced_ = true;
  }
  Run(turn);
}

void TtlAfterFinishedController::Wake(const Turn& turn) { Run(turn); }

std::optional<Instant> TtlAfterFinishedController::NextWake() const {
  return is_synced_ ? queue_.NextWake() : std::nullopt;
}

void TtlAfterFinishedController::Run(const Turn& turn) {
  if (!is_synced_) return;
  while (const std::optional<std::string> uid = queue_.Take(turn.now)) {
    const auto job = jobs_.find(*uid);
    if (job == jobs_.end()) continue;
    writes_[next_id_] = *uid;
    turn.Do(
        DeleteObject{.id = next_id_++, .object = job->second, .propagation_policy = "Foreground"});
  }
}

}  // namespace plimsoll::controller
