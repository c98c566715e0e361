#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/time.h"
#include "controller/workload/owned_pods.h"

/// What a Job asks for, and what its pods' ends mean to it.
namespace plimsoll::controller {

inline constexpr std::string_view kJobTracking = "batch.kubernetes.io/job-tracking";
inline constexpr std::string_view kCompletionIndex = "batch.kubernetes.io/job-completion-index";

struct JobSpec {
  std::int64_t parallelism = 1;
  std::optional<std::int64_t> completions;  // unset: one success is enough
  std::int64_t backoff_limit = 6;
  std::optional<Duration> active_deadline;
  bool is_indexed = false;
  bool is_suspended = false;
  bool is_restarting = false;         // pods restart their containers: OnFailure
  bool replaces_failed_only = false;  // a pod on its way out does not count as failed yet
  bool is_managed_elsewhere = false;
  const codec::Value* failure_policy = nullptr;
};
JobSpec ReadJobSpec(const api::Object& job);

/// What a Job's failure policy says about a failed pod.
struct FailureVerdict {
  enum class Action : std::uint8_t { Count, Ignore, FailJob };
  Action action = Action::Count;
  std::string message;  // of FailJob
};
FailureVerdict ApplyFailurePolicy(const codec::Value* policy, const api::Object& pod);

bool HasFailed(const JobSpec& spec, const OwnedPod& pod);
bool HasTracking(const OwnedPod& pod);
/// Nothing when the pod has none, or one that is not for this Job.
std::optional<std::int64_t> CompletionIndex(const JobSpec& spec, const OwnedPod& pod);

/// When the pod ended, as well as it is known.
Instant FinishTime(const OwnedPod& pod);

/// How pods ended that may be gone by now, by their uids.
struct PodEnd {
  Instant time{};
  bool has_failed = false;

  friend auto operator<=>(const PodEnd&, const PodEnd&) = default;
};
using PodEnds = std::map<std::string, PodEnd, std::less<>>;

/// When the next pod may be made, after those that failed since the last one that succeeded: ten
/// seconds after the first, doubling up to ten minutes.
Instant NextPodTime(const OwnedPods& pods, const PodEnds& ends);

/// Whether the containers' restarts alone are more than the Job allows.
bool IsPastRestarts(const JobSpec& spec, const OwnedPods& pods);

/// Indexes as text: `1,3-5,7,8`.
std::set<std::int64_t> ParseIndexes(std::string_view text, std::int64_t bound);
std::string IndexesText(const std::set<std::int64_t>& indexes);

}  // namespace plimsoll::controller
