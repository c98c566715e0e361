#include "controller/job/job.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/time_arithmetic.h"
#include "codec/json.h"
#include "controller/workload/deletion_rank.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

std::set<std::string, std::less<>> ReadUids(const codec::Value& tree, std::string_view list) {
  std::set<std::string, std::less<>> uids;
  const codec::Value* const found = FindAt(tree, {"status", "uncountedTerminatedPods", list});
  if (found == nullptr) return uids;
  for (const codec::Value& uid : found->items()) uids.emplace(uid.text());
  return uids;
}

/// Returns the template's spec with the completion index as variable and in the hostname.
std::string IndexedSpecJson(const codec::Value& spec, const std::string& hostname) {
  static constexpr std::string_view kVariable =
      R"({"name":"JOB_COMPLETION_INDEX","valueFrom":{"fieldRef":{"fieldPath":)"
      R"("metadata.labels['batch.kubernetes.io/job-completion-index']"}}})";
  const auto with_variable = [](const codec::Value& containers) {
    std::string list;
    for (const codec::Value& container : containers.items()) {
      JsonText text;
      std::string env;
      for (const codec::Member& member : container.members()) {
        if (member.key != "env") {
          text.Raw(member.key, codec::WriteJson(member.value));
          continue;
        }
        for (const codec::Value& variable : member.value.items()) {
          if (TextAt(variable, {"name"}) == "JOB_COMPLETION_INDEX") continue;
          env += codec::WriteJson(variable) + ",";
        }
      }
      text.Raw("env", "[" + env + std::string(kVariable) + "]");
      list += (list.empty() ? "" : ",") + text.Done();
    }
    return "[" + list + "]";
  };
  JsonText text;
  for (const codec::Member& member : spec.members()) {
    if (member.key == "containers" || member.key == "initContainers") {
      text.Raw(member.key, with_variable(member.value));
    } else if (member.key != "hostname") {
      text.Raw(member.key, codec::WriteJson(member.value));
    }
  }
  text.Text("hostname", hostname);
  return text.Done();
}

}  // namespace

JobController::JobController()
    : WorkloadController({.kind = api::FindKind("batch", "v1", "Job"),
                          .queue_name = "job",
                          .pause_per_pod = std::chrono::microseconds(20),
                          .pod_finalizer = kJobTracking}) {}

std::span<const WatchedKind> JobController::watched() const {
  static constexpr std::array kWatched = {WatchedKind{"batch", "v1", "Job"},
                                          WatchedKind{"", "v1", "Pod"}};
  return kWatched;
}

void JobController::OwnerGone(const PodOwner& owner) {
  releasing_.erase(owner.uid);
  ends_.erase(owner.uid);
}

void JobController::Release(PodOwner& owner, const OwnedPod& pod, const Turn& turn) {
  if (!releasing_[owner.uid].emplace(pod.metadata().uid).second) return;
  const ActionId id = Begin(owner);
  releases_[id] = pod.metadata().uid;
  const std::string metadata =
      JsonText()
          .Text("uid", pod.metadata().uid)
          .Raw("$deleteFromPrimitiveList/finalizers", "[\"" + std::string(kJobTracking) + "\"]")
          .Done();
  turn.Do(PatchObject{.id = id,
                      .object = pod.object,
                      .body = JsonText().Raw("metadata", metadata).Done(),
                      .form = PatchForm::StrategicMerge});
}

void JobController::WriteFinished(PodOwner& owner, ActionId id, const Status& status,
                                  const Turn& turn) {
  const auto release = releases_.find(id);
  if (release == releases_.end()) return;
  const std::string pod_uid = std::move(release->second);
  releases_.erase(release);
  // If the pod is gone or replaced, there is nothing left to release.
  const bool is_done = status || status.error().reason == Reason::NotFound ||
                       status.error().reason == Reason::Conflict;
  const auto uids = releasing_.find(owner.uid);
  // Released uids are kept until the Job is gone, so that a stale event releases none twice.
  if (uids != releasing_.end() && (!is_done || owner.object == nullptr)) {
    uids->second.erase(pod_uid);
    if (uids->second.empty()) releasing_.erase(uids);
  }
  if (!is_done) RetryLater(owner, turn.now);
}

void JobController::SyncOrphaned(PodOwner& owner, const Turn& turn) {
  for (const auto& [name, pod] : owner.pods.all()) {
    if (HasTracking(pod)) Release(owner, pod, turn);
  }
}

void JobController::Sync(PodOwner& owner, const Turn& turn) {
  Look look{owner, ReadJobSpec(*owner.object), turn, WorkloadConditions(*owner.object)};
  if (look.spec.is_managed_elsewhere) return;
  ReadPods(look);
  if (look.conditions.IsTrue("Complete") || look.conditions.IsTrue("Failed")) {
    for (const auto& [name, pod] : owner.pods.all()) {
      if (HasTracking(pod)) Release(owner, pod, turn);
    }
    return;
  }
  PodEnds& ends = ends_[owner.uid];
  for (const bool has_failed : {false, true}) {
    for (const OwnedPod* const pod : has_failed ? look.new_failed : look.new_succeeded) {
      ends.try_emplace(std::string(pod->metadata().uid), PodEnd{FinishTime(*pod), has_failed});
    }
  }
  if (look.started.empty() && !look.spec.is_suspended) look.started = FormatTime(turn.now);
  Decide(look);
  const bool is_settled = IsSettled(owner, turn.now);
  if (HasTarget(look)) {
    std::vector<const OwnedPod*> to_delete;
    for (const OwnedPod* const pod : look.active) {
      if (to_delete.size() == kBurst) break;
      if (!owner.expectations.is_deleting(pod->metadata().uid)) to_delete.push_back(pod);
    }
    DeletePods(owner, to_delete, turn);
  } else if (is_settled && !owner.is_terminating()) {
    Manage(look);
    NoteSuspension(look);
  }
  WriteStatus(look);
  // Releases only pods that the stored status contains, so that each one is counted.
  for (const OwnedPod* const pod : look.releasable) Release(owner, *pod, turn);
}

void JobController::ReadPods(Look& look) {
  const codec::Value& tree = look.owner.tree();
  look.uncounted_succeeded = ReadUids(tree, "succeeded");
  look.uncounted_failed = ReadUids(tree, "failed");
  look.started = TextAt(tree, {"status", "startTime"});
  look.stored_indexes =
      ParseIndexes(TextAt(tree, {"status", "completedIndexes"}), look.spec.completions.value_or(0));
  look.indexes = look.stored_indexes;
  for (const auto& [name, pod] : look.owner.pods.all()) {
    if (HasTracking(pod)) look.held.insert(pod.metadata().uid);
    if (pod.is_active()) {
      look.active.push_back(&pod);
      look.ready += pod.is_ready ? 1 : 0;
    } else if (!pod.is_finished()) {
      ++look.terminating;
    }
    ReadFinished(look, pod);
  }
  look.failed += IntAt(tree, {"status", "failed"}) +
                 static_cast<std::int64_t>(look.uncounted_failed.size() + look.new_failed.size());
  look.succeeded = look.spec.is_indexed
                       ? static_cast<std::int64_t>(look.indexes.size())
                       : IntAt(tree, {"status", "succeeded"}) +
                             static_cast<std::int64_t>(look.uncounted_succeeded.size() +
                                                       look.new_succeeded.size());
}

void JobController::ReadFinished(Look& look, const OwnedPod& pod) {
  if (!HasTracking(pod)) return;
  const std::string_view uid = pod.metadata().uid;
  if (pod.phase == PodPhase::Succeeded) {
    if (look.spec.is_indexed) {
      // For an indexed Job the stored indexes tell which pods are counted.
      const auto index = CompletionIndex(look.spec, pod);
      if (!index || look.stored_indexes.contains(*index)) {
        look.releasable.push_back(&pod);
      } else {
        look.indexes.insert(*index);
      }
    } else if (look.uncounted_succeeded.contains(uid)) {
      look.releasable.push_back(&pod);
    } else {
      look.new_succeeded.push_back(&pod);
    }
    return;
  }
  // A terminating Job does not count its terminating pods any more.
  const bool is_dropped = look.owner.is_terminating() && pod.is_terminating;
  if (!is_dropped && !HasFailed(look.spec, pod)) return;
  if (is_dropped || look.uncounted_failed.contains(uid)) {
    look.releasable.push_back(&pod);
    return;
  }
  FailureVerdict verdict;
  if (pod.phase == PodPhase::Failed) {
    verdict = ApplyFailurePolicy(look.spec.failure_policy, *pod.object);
  }
  if (verdict.action == FailureVerdict::Action::Ignore) {
    look.releasable.push_back(&pod);
    return;
  }
  if (verdict.action == FailureVerdict::Action::FailJob && look.fail_message.empty()) {
    look.fail_message = std::move(verdict.message);
  }
  look.new_failed.push_back(&pod);
}

bool JobController::HasTarget(const Look& look) {
  return look.conditions.IsTrue("FailureTarget") || look.conditions.IsTrue("SuccessCriteriaMet");
}

void JobController::Decide(Look& look) {
  if (HasTarget(look)) return;
  const auto set = [&](std::string_view type, std::string_view reason, std::string message) {
    const std::string time = FormatTime(look.turn.now);
    look.conditions.Set({.type = std::string(type),
                         .status = "True",
                         .reason = std::string(reason),
                         .message = std::move(message),
                         .last_transition_time = time,
                         .last_probe_time = time});
  };
  const JobSpec& spec = look.spec;
  if (!look.fail_message.empty()) {
    return set("FailureTarget", "PodFailurePolicy", std::move(look.fail_message));
  }
  if (look.failed > spec.backoff_limit || IsPastRestarts(spec, look.owner.pods)) {
    return set("FailureTarget", "BackoffLimitExceeded",
               "Job has reached the specified backoff limit");
  }
  if (spec.active_deadline && !spec.is_suspended && !look.started.empty()) {
    const Result<Instant> started = ParseTime(look.started);
    if (started && TimeBetween(*started, look.turn.now) >= *spec.active_deadline) {
      return set("FailureTarget", "DeadlineExceeded",
                 "Job was active longer than specified deadline");
    }
    if (started) EnqueueAt(look.owner, SaturatingAdd(*started, *spec.active_deadline));
  }
  const bool is_complete =
      spec.completions ? look.succeeded >= *spec.completions : look.succeeded > 0;
  if (is_complete && look.active.empty() && look.owner.expectations.is_empty()) {
    set("SuccessCriteriaMet", "CompletionsReached", "Reached expected number of succeeded pods");
  }
}

/// Creates and deletes pods until the desired number is active.
void JobController::Manage(Look& look) {
  const JobSpec& spec = look.spec;
  const auto active = static_cast<std::int64_t>(look.active.size());
  std::int64_t want = spec.parallelism;
  if (spec.is_suspended) {
    want = 0;
  } else if (!spec.completions) {
    if (look.succeeded > 0) want = active;
  } else {
    want = std::clamp<std::int64_t>(*spec.completions - look.succeeded, 0, spec.parallelism);
  }
  std::vector<const OwnedPod*> to_delete =
      PodsToRemove(look, std::max<std::int64_t>(0, active - want));
  if (!to_delete.empty()) {
    to_delete.resize(std::min(to_delete.size(), kBurst));
    // Surplus pods count neither as failed nor as succeeded.
    for (const OwnedPod* const pod : to_delete) {
      if (HasTracking(*pod)) Release(look.owner, *pod, look.turn);
    }
    DeletePods(look.owner, to_delete, look.turn);
    return;
  }
  const std::int64_t replaced = spec.replaces_failed_only ? look.terminating : 0;
  const std::int64_t missing = want - replaced - active;
  if (missing > 0) {
    CreateMissing(look, std::min<std::int64_t>(missing, kBurst));
  } else {
    look.owner.create_wait = {};
  }
}

void JobController::CreateMissing(Look& look, std::int64_t count) {
  const Instant next = NextPodTime(look.owner.pods, ends_[look.owner.uid]);
  if (next > look.turn.now) return EnqueueAt(look.owner, next);
  const codec::Value* const pod_template = FindAt(look.owner.tree(), {"spec", "template"});
  if (pod_template == nullptr) return;
  const std::string name(look.owner.metadata().name);
  PodAdditions additions{.name_prefix = PodNamePrefix(name),
                         .finalizers = {std::string(kJobTracking)}};
  std::vector<std::string> pods;
  if (!look.spec.is_indexed) {
    pods.assign(static_cast<std::size_t>(count),
                PodFromTemplate(*pod_template, *look.owner.object, additions));
  } else {
    const codec::Value* const spec = pod_template->Find("spec");
    for (const std::int64_t index : MissingIndexes(look, count)) {
      const std::string text = std::to_string(index);
      additions.name_prefix = name + "-" + text + "-";
      additions.labels = {{std::string(kCompletionIndex), text}};
      additions.annotations = {{std::string(kCompletionIndex), text}};
      additions.spec_json = spec == nullptr ? "" : IndexedSpecJson(*spec, name + "-" + text);
      pods.push_back(PodFromTemplate(*pod_template, *look.owner.object, additions));
    }
  }
  CreatePods(look.owner, std::move(pods), look.turn);
}

std::vector<std::int64_t> JobController::MissingIndexes(const Look& look,
                                                        std::int64_t count) const {
  std::set<std::int64_t> taken = look.indexes;
  for (const auto& [name, pod] : look.owner.pods.all()) {
    const bool is_leaving = pod.is_terminating && !pod.is_finished();
    if (!pod.is_active() && !(look.spec.replaces_failed_only && is_leaving)) continue;
    if (const auto index = CompletionIndex(look.spec, pod)) taken.insert(*index);
  }
  std::vector<std::int64_t> missing;
  for (std::int64_t i = 0; i < look.spec.completions.value_or(0); ++i) {
    if (static_cast<std::int64_t>(missing.size()) == count) break;
    if (!taken.contains(i)) missing.push_back(i);
  }
  return missing;
}

/// Returns at least this many pods: those without a usable index, then as ReplicaSets do.
std::vector<const OwnedPod*> JobController::PodsToRemove(const Look& look,
                                                         std::int64_t at_least) const {
  std::vector<RankedPod> active;
  for (const OwnedPod* const pod : look.active) active.push_back({pod, 0});
  if (at_least > 0) SortForDeletion(active, look.turn.now);
  std::vector<const OwnedPod*> chosen;
  if (look.spec.is_indexed) {
    std::set<std::int64_t> seen;
    // Among duplicates, the pod that would be deleted last keeps the index.
    for (auto at = active.rbegin(); at != active.rend(); ++at) {
      const auto index = CompletionIndex(look.spec, *at->pod);
      if (index && !look.indexes.contains(*index) && seen.insert(*index).second) continue;
      chosen.push_back(at->pod);
      at->pod = nullptr;
    }
  }
  for (const RankedPod& ranked : active) {
    if (static_cast<std::int64_t>(chosen.size()) >= at_least) break;
    if (ranked.pod != nullptr) chosen.push_back(ranked.pod);
  }
  return chosen;
}

void JobController::NoteSuspension(Look& look) {
  if (IsStatusPending(look.owner)) return;
  const WorkloadCondition* const known = look.conditions.Find("Suspended");
  const bool was_suspended = known != nullptr && known->status == "True";
  if (was_suspended == look.spec.is_suspended) return;
  const std::string time = FormatTime(look.turn.now);
  look.conditions.Set({.type = "Suspended",
                       .status = look.spec.is_suspended ? "True" : "False",
                       .reason = look.spec.is_suspended ? "JobSuspended" : "JobResumed",
                       .message = look.spec.is_suspended ? "Job suspended" : "Job resumed",
                       .last_transition_time = time,
                       .last_probe_time = time});
  if (look.spec.is_suspended) {
    Record(look.owner.object, EventType::Normal, "Suspended", "Job suspended", look.turn);
  } else {
    // activeDeadlineSeconds counts from the resumption.
    look.started = time;
    Record(look.owner.object, EventType::Normal, "Resumed", "Job resumed", look.turn);
  }
}

}  // namespace plimsoll::controller
