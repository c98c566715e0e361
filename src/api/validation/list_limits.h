#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "api/core/pod.h"

/// Limits that upstream does not have. They bound the work for one pod; docs/apiserver.md lists
/// them under "Limits". An object that already exceeds a limit can still be updated.
namespace plimsoll::api {

/// Maximum length of each of the four lists of pod affinity and anti-affinity terms.
inline constexpr std::size_t kPodAffinityTermsMax = 64;
inline constexpr std::size_t kSpreadConstraintsMax = 64;
/// Maximum estimated cost of all expressions of a pod, or of a device request.
inline constexpr std::uint64_t kExpressionsCostMax = 4'000'000;

/// Returns true if a list of the pod exceeds these limits.
bool ExceedsListLimits(const PodSpec& spec);

/// Returns `estimated cost of all expressions exceeds the limit by factor of 2.5x`. The factor is
/// rounded up, so that it is never 1.0.
std::string TooCostlyText(std::uint64_t cost);

}  // namespace plimsoll::api
