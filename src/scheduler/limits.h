#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/time.h"

/// Maxima that bound the memory or the work of the scheduler. Options have their defaults where
/// they are declared.
namespace plimsoll::scheduler {

// Attempts.

/// Maximum allocation of one attempt. A usual pod needs less than a thousandth of it.
inline constexpr std::uint64_t kAttemptBytesMax = std::uint64_t{2} << 30;
/// Maximum cost of expressions that all attempts of one Wake evaluate while other pods wait.
inline constexpr std::uint64_t kContendedExpressionCostMax = 500'000;
/// Maximum number of nodes and pods that Prepare visits per Wake while other pods wait.
inline constexpr std::uint64_t kContendedPrepareWorkMax = 200'000;
/// Maximum number of nodes and pods that Prepare visits in one attempt while no other pod waits.
inline constexpr std::uint64_t kPrepareWorkMax = 1'000'000;
/// Maximum duration of each of the two kinds of preparation. The attempt is then put off.
inline constexpr Duration kPrepareDurationMax = std::chrono::milliseconds(40);

// Explanations.

/// Maximum cost of expressions that are evaluated again to explain one refusal.
inline constexpr std::uint64_t kDiagnosisExpressionCostMax = 500'000;
/// Maximum number of taints that a diagnosis lists.
inline constexpr std::size_t kDiagnosedTaintsMax = 100;
/// Maximum number of devices that a diagnosis lists.
inline constexpr std::size_t kDiagnosedDevicesMax = 100;
/// Maximum number of logged faults that are remembered, so that each is logged once.
inline constexpr std::size_t kLoggedFaultsMax = 1024;
/// Maximum length of an event note, in bytes.
inline constexpr std::size_t kNoteBytesMax = 1024;

// The queue and events.

/// Maximum number of pods that overtake one whose attempt was put off.
inline constexpr std::uint32_t kPopsPastPutOffMax = 256;
/// Maximum number of plugins of a profile: a set of them has one bit for each.
inline constexpr std::size_t kProfilePluginsMax = 64;
/// Maximum cost of expressions that TaintToleration evaluates per pod and event. A pod that costs
/// more is queued.
inline constexpr std::uint64_t kHintExpressionCostMax = 10'000;
/// Maximum time that a plugin holds a pod at Permit. Longer timeouts are cut to this.
inline constexpr Duration kPermitTimeoutMax = std::chrono::minutes(15);
/// Highest number of attempts with a label of its own in metrics. Higher ones share `15+`.
inline constexpr std::uint32_t kAttemptLabelsMax = 15;

// Caches.

/// Maximum memory of a profile's node rankings: a constant, and an amount per node.
inline constexpr std::size_t kRankingBytesMax = std::size_t{128} << 20;
inline constexpr std::size_t kRankingBytesPerNodeMax = 256;
/// Maximum number of pod classes that are kept without a pod.
inline constexpr std::size_t kIdleClassesMax = 1024;
/// Maximum memory of the pod counts for affinity terms.
inline constexpr std::size_t kAffinityTallyBytesMax = std::size_t{256} << 20;
/// Maximum number of times that other classes are put off for a class whose counts are protected,
/// but not used.
inline constexpr int kProtectedPutOffsMax = 1024;
/// Maximum number of pod counts that are kept without a user.
inline constexpr std::size_t kIdleTalliesMax = 256;
/// Maximum number of unused affinity terms of existing pods, beside half of all terms.
inline constexpr std::size_t kUnusedTermsMax = 256;
/// Maximum number of namespaces that replace the namespace selector of an affinity term.
inline constexpr std::size_t kNamespacesOfTermMax = 64;
/// Maximum number of different spreading scores that are normalized by a table.
inline constexpr std::int64_t kTabledScoresMax = 256;

// Claims.

/// Maximum number of pods that share a ResourceClaim, as in upstream's API.
inline constexpr std::size_t kClaimConsumersMax = 256;

}  // namespace plimsoll::scheduler
