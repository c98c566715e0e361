#include <algorithm>
#include <string>
#include <utility>

#include "base/go_text.h"
#include "controller/job/job.h"
#include "controller/limits.h"
#include "controller/workload/tree.h"

// Writes the Job's status: the counters, and the final condition.
namespace plimsoll::controller {
namespace {

std::string UidsJson(const std::set<std::string, std::less<>>& uids) {
  std::string list;
  for (const std::string& uid : uids) list += (list.empty() ? "" : ",") + GoJsonQuote(uid);
  return list.empty() ? "null" : "[" + list + "]";
}

}  // namespace

/// Sets the final condition if no pod is left and all are counted. Returns true if it did.
bool JobController::EndIfDone(Look& look, const Uids& uncounted_succeeded,
                              const Uids& uncounted_failed) {
  if (!HasTarget(look)) return false;
  const bool is_open = !look.active.empty() || look.terminating > 0 ||
                       !uncounted_succeeded.empty() || !uncounted_failed.empty() ||
                       !look.owner.expectations.is_empty();
  if (is_open) return false;
  const WorkloadCondition* const failure = look.conditions.Find("FailureTarget");
  const bool has_failed = failure != nullptr && failure->status == "True";
  WorkloadCondition last = has_failed ? *failure : *look.conditions.Find("SuccessCriteriaMet");
  last.type = has_failed ? "Failed" : "Complete";
  last.last_transition_time = last.last_probe_time = FormatTime(look.turn.now);
  if (has_failed) {
    static constexpr std::array<std::string_view, 3> kReasons = {
        "PodFailurePolicy", "BackoffLimitExceeded", "DeadlineExceeded"};
    const auto reason = std::ranges::find(kReasons, last.reason);
    Record(look.owner.object, EventType::Warning,
           reason == kReasons.end() ? std::string_view("Failed") : *reason, last.message,
           look.turn);
  } else {
    Record(look.owner.object, EventType::Normal, "Completed", "Job completed", look.turn);
  }
  look.conditions.Set(std::move(last));
  return true;
}

void JobController::WriteStatus(Look& look) {
  // A pod must not be added twice while a status write is in flight.
  if (IsStatusPending(look.owner)) return;
  const codec::Value& tree = look.owner.tree();
  std::int64_t succeeded = IntAt(tree, {"status", "succeeded"});
  std::int64_t failed = IntAt(tree, {"status", "failed"});
  Uids uncounted_succeeded = look.uncounted_succeeded;
  Uids uncounted_failed = look.uncounted_failed;
  const auto is_released = [&](const std::string& uid) { return !look.held.contains(uid); };
  succeeded += static_cast<std::int64_t>(std::erase_if(uncounted_succeeded, is_released));
  failed += static_cast<std::int64_t>(std::erase_if(uncounted_failed, is_released));
  const auto note = [&](const std::vector<const OwnedPod*>& pods, Uids& uids) {
    for (const OwnedPod* const pod : pods) {
      if (uncounted_succeeded.size() + uncounted_failed.size() >= kUncountedPodsMax) return;
      uids.emplace(pod->metadata().uid);
    }
  };
  note(look.new_succeeded, uncounted_succeeded);
  note(look.new_failed, uncounted_failed);
  const bool is_noted =
      uncounted_succeeded != look.uncounted_succeeded || uncounted_failed != look.uncounted_failed;
  if (look.spec.is_indexed) succeeded = static_cast<std::int64_t>(look.indexes.size());
  const bool has_ended = EndIfDone(look, uncounted_succeeded, uncounted_failed);

  StatusChange change(*look.owner.object);
  change.Text("startTime", look.started)
      .Count("active", static_cast<std::int64_t>(look.active.size()))
      .Count("succeeded", succeeded)
      .Count("failed", failed)
      .Int("terminating", look.terminating)
      .Int("ready", look.ready);
  if (look.spec.is_indexed) change.Text("completedIndexes", IndexesText(look.indexes));
  if (is_noted || FindAt(tree, {"status", "uncountedTerminatedPods"}) == nullptr) {
    change.Raw("uncountedTerminatedPods", JsonText()
                                              .Raw("succeeded", UidsJson(uncounted_succeeded))
                                              .Raw("failed", UidsJson(uncounted_failed))
                                              .Done());
  }
  if (look.conditions.is_changed()) change.Raw("conditions", look.conditions.Json());
  if (has_ended && look.conditions.IsTrue("Complete")) {
    change.Text("completionTime", FormatTime(look.turn.now));
  }
  if (!change.empty()) PatchStatus(look.owner, change.Patch(), look.turn);
}

}  // namespace plimsoll::controller
