#include "controller/job/job_spec.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/go_text.h"
#include "base/time_arithmetic.h"
#include "controller/limits.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr Duration kBackOffMin = std::chrono::seconds(10);

/// Returns the status of the first container whose exit code matches, or null.
const codec::Value* FindExit(const codec::Value& requirement, const api::Object& pod) {
  const std::string_view name = TextAt(requirement, {"containerName"});
  const bool is_in = TextAt(requirement, {"operator"}) == "In";
  const codec::Value* const values = requirement.Find("values");
  for (const std::string_view list : {"containerStatuses", "initContainerStatuses"}) {
    const codec::Value* const statuses = FindAt(pod.tree(), {"status", list});
    if (statuses == nullptr || values == nullptr) continue;
    for (const codec::Value& status : statuses->items()) {
      const std::int64_t code = IntAt(status, {"state", "terminated", "exitCode"});
      if (code == 0 || (!name.empty() && TextAt(status, {"name"}) != name)) continue;
      const bool is_listed = std::ranges::any_of(values->items(), [&](const codec::Value& value) {
        return value.is_int() && value.AsInt() == code;
      });
      if (is_listed == is_in) return &status;
    }
  }
  return nullptr;
}

/// Returns the type of the first condition that matches a pattern, or "".
std::string_view FindPattern(const codec::Value& patterns, const api::Object& pod) {
  const codec::Value* const conditions = FindAt(pod.tree(), {"status", "conditions"});
  if (conditions == nullptr) return {};
  for (const codec::Value& condition : conditions->items()) {
    for (const codec::Value& pattern : patterns.items()) {
      const std::string_view status = TextAt(pattern, {"status"});
      if (TextAt(pattern, {"type"}) == TextAt(condition, {"type"}) &&
          (status.empty() ? "True" : status) == TextAt(condition, {"status"})) {
        return TextAt(condition, {"type"});
      }
    }
  }
  return {};
}

FailureVerdict::Action ParseAction(std::string_view text) {
  if (text == "FailJob") return FailureVerdict::Action::FailJob;
  if (text == "Ignore") return FailureVerdict::Action::Ignore;
  return FailureVerdict::Action::Count;
}

}  // namespace

JobSpec ReadJobSpec(const api::Object& job) {
  const codec::Value& tree = job.tree();
  JobSpec spec;
  spec.parallelism = IntAt(tree, {"spec", "parallelism"}, 1);
  const codec::Value* const completions = FindAt(tree, {"spec", "completions"});
  if (completions != nullptr && completions->is_int()) spec.completions = completions->AsInt();
  spec.backoff_limit = IntAt(tree, {"spec", "backoffLimit"}, 6);
  const codec::Value* const deadline = FindAt(tree, {"spec", "activeDeadlineSeconds"});
  if (deadline != nullptr && deadline->is_int()) {
    spec.active_deadline = SaturatingSeconds(deadline->AsInt());
  }
  spec.is_indexed = TextAt(tree, {"spec", "completionMode"}) == "Indexed";
  spec.is_suspended = BoolAt(tree, {"spec", "suspend"});
  spec.is_restarting = TextAt(tree, {"spec", "template", "spec", "restartPolicy"}) == "OnFailure";
  spec.failure_policy = FindAt(tree, {"spec", "podFailurePolicy"});
  const std::string_view replacement = TextAt(tree, {"spec", "podReplacementPolicy"});
  spec.replaces_failed_only =
      replacement.empty() ? spec.failure_policy != nullptr : replacement == "Failed";
  const std::string_view manager = TextAt(tree, {"spec", "managedBy"});
  spec.is_managed_elsewhere = !manager.empty() && manager != "kubernetes.io/job-controller";
  return spec;
}

FailureVerdict ApplyFailurePolicy(const codec::Value* policy, const api::Object& pod) {
  const codec::Value* const rules = policy == nullptr ? nullptr : policy->Find("rules");
  if (rules == nullptr) return {};
  const std::string name =
      std::string(pod.metadata().namespace_) + "/" + std::string(pod.metadata().name);
  std::size_t index = 0;
  for (const codec::Value& rule : rules->items()) {
    const std::string_view action = TextAt(rule, {"action"});
    const std::string ending =
        " matching " + std::string(action) + " rule at index " + std::to_string(index++);
    if (const codec::Value* const exits = rule.Find("onExitCodes")) {
      if (const codec::Value* const status = FindExit(*exits, pod)) {
        const std::int64_t code = IntAt(*status, {"state", "terminated", "exitCode"});
        return {ParseAction(action), "Container " + std::string(TextAt(*status, {"name"})) +
                                         " for pod " + name + " failed with exit code " +
                                         std::to_string(code) + ending};
      }
    } else if (const codec::Value* const patterns = rule.Find("onPodConditions")) {
      const std::string_view type = FindPattern(*patterns, pod);
      if (!type.empty()) {
        return {ParseAction(action),
                "Pod " + name + " has condition " + std::string(type) + ending};
      }
    }
  }
  return {};
}

bool HasFailed(const JobSpec& spec, const OwnedPod& pod) {
  if (pod.phase == PodPhase::Failed) return true;
  // A deleted pod may never report the phase Failed.
  return !spec.replaces_failed_only && pod.is_terminating && pod.phase != PodPhase::Succeeded;
}

bool HasTracking(const OwnedPod& pod) {
  const auto& finalizers = pod.metadata().finalizers;
  return std::ranges::find(finalizers, kJobTracking) != finalizers.end();
}

std::optional<std::int64_t> CompletionIndex(const JobSpec& spec, const OwnedPod& pod) {
  const auto text = pod.metadata().annotations.Find(kCompletionIndex);
  if (!text) return std::nullopt;
  const Result<std::int64_t> index = GoParseInt(*text);
  if (!index || *index < 0 || *index >= spec.completions.value_or(0)) return std::nullopt;
  return *index;
}

Instant FinishTime(const OwnedPod& pod) {
  std::optional<Instant> last;
  const codec::Value& tree = pod.object->tree();
  if (const codec::Value* const statuses = FindAt(tree, {"status", "containerStatuses"})) {
    for (const codec::Value& status : statuses->items()) {
      const auto time = TimeAt(status, {"state", "terminated", "finishedAt"});
      if (time && (!last || *last < *time)) last = time;
    }
  }
  if (last) return *last;
  if (const auto deleted = TimeAt(tree, {"metadata", "deletionTimestamp"})) return *deleted;
  if (pod.ready_since != Instant()) return pod.ready_since;
  return CreationTime(pod.metadata());
}

Instant NextPodTime(const OwnedPods& pods, const PodEnds& ends) {
  std::vector<PodEnd> all;
  for (const auto& [uid, end] : ends) all.push_back(end);
  for (const auto& [name, pod] : pods.all()) {
    if (!pod.is_finished() || ends.contains(pod.metadata().uid)) continue;
    all.push_back({FinishTime(pod), pod.phase == PodPhase::Failed});
  }
  std::ranges::sort(all);
  Instant next = Instant::min();
  Duration wait{};
  for (const PodEnd& end : all) {
    if (end.has_failed) {
      wait = wait == Duration::zero() ? kBackOffMin : std::min(wait * 2, kJobBackOffMax);
      next = end.time + wait;
    } else {
      wait = {};
      next = Instant::min();
    }
  }
  return next;
}

bool IsPastRestarts(const JobSpec& spec, const OwnedPods& pods) {
  if (!spec.is_restarting) return false;
  std::int64_t restarts = 0;
  for (const auto& [name, pod] : pods.all()) {
    if (pod.phase != PodPhase::Running && pod.phase != PodPhase::Pending) continue;
    for (const std::string_view list : {"initContainerStatuses", "containerStatuses"}) {
      const codec::Value* const statuses = FindAt(pod.object->tree(), {"status", list});
      if (statuses == nullptr) continue;
      for (const codec::Value& status : statuses->items()) {
        restarts += IntAt(status, {"restartCount"});
      }
    }
  }
  return spec.backoff_limit == 0 ? restarts > 0 : restarts >= spec.backoff_limit;
}

std::set<std::int64_t> ParseIndexes(std::string_view text, std::int64_t bound) {
  std::set<std::int64_t> indexes;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::size_t dash = part.find('-');
    const Result<std::int64_t> first = GoParseInt(part.substr(0, dash));
    const Result<std::int64_t> last =
        dash == std::string_view::npos ? first : GoParseInt(part.substr(dash + 1));
    if (!first || !last) continue;
    for (std::int64_t i = *first; i <= *last && i < bound; ++i) indexes.insert(i);
  }
  return indexes;
}

std::string IndexesText(const std::set<std::int64_t>& indexes) {
  std::string text;
  for (auto at = indexes.begin(); at != indexes.end();) {
    const std::int64_t first = *at;
    std::int64_t last = first;
    for (++at; at != indexes.end() && *at == last + 1; ++at) last = *at;
    text += (text.empty() ? "" : ",") + std::to_string(first);
    if (last > first) text += (last == first + 1 ? "," : "-") + std::to_string(last);
  }
  return text;
}

}  // namespace plimsoll::controller
