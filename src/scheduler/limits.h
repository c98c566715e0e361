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

}  // namespace plimsoll::scheduler
