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

/// Reads a Job's spec, and interprets the results of its pods.
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
  bool is_restarting = false;         // restartPolicy OnFailure
  bool replaces_failed_only = false;  // podReplacementPolicy Failed
  bool is_managed_elsewhere = false;
  const codec::Value* failure_policy = nullptr;
};
JobSpec ReadJobSpec(const api::Object& job);

/// Result of a Job's pod failure policy for a failed pod.
struct FailureVerdict {
  enum class Action : std::uint8_t { Count, Ignore, FailJob };
  Action action = Action::Count;
  std::string message;  // for FailJob
};
FailureVerdict ApplyFailurePolicy(const codec::Value* policy, const api::Object& pod);

bool HasFailed(const JobSpec& spec, const OwnedPod& pod);
bool HasTracking(const OwnedPod& pod);
/// Returns the pod's completion index, or nothing if it is missing or out of range.
std::optional<std::int64_t> CompletionIndex(const JobSpec& spec, const OwnedPod& pod);

/// Returns the best estimate of when the pod finished.
Instant FinishTime(const OwnedPod& pod);

/// Results of finished pods by uid. The pods may be deleted by now.
struct PodEnd {
  Instant time{};
  bool has_failed = false;

  friend auto operator<=>(const PodEnd&, const PodEnd&) = default;
};
using PodEnds = std::map<std::string, PodEnd, std::less<>>;

/// Returns the earliest time for the next pod. Failures since the last success cause back-off: ten
/// seconds after the first, doubling up to ten minutes.
Instant NextPodTime(const OwnedPods& pods, const PodEnds& ends);

/// Returns true if container restarts alone exceed the Job's back-off limit.
bool IsPastRestarts(const JobSpec& spec, const OwnedPods& pods);

/// Convert a set of indexes from and to text such as `1,3-5,7,8`.
std::set<std::int64_t> ParseIndexes(std::string_view text, std::int64_t bound);
std::string IndexesText(const std::set<std::int64_t>& indexes);

}  // namespace plimsoll::controller
