#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "api/core/pod.h"

/// Limits that upstream does not have. They keep the work for one pod small, and are listed in
/// docs/apiserver.md under "Limits". An object that is above one already can still be updated.
namespace plimsoll::api {

/// Items in each of the four lists of pod affinity and anti-affinity terms.
inline constexpr std::size_t kPodAffinityTermsMax = 64;
inline constexpr std::size_t kSpreadConstraintsMax = 64;
/// Estimated cost of all expressions of a pod, or of a device request, together.
inline constexpr std::uint64_t kExpressionsCostMax = 4'000'000;

/// Whether a list of the pod is longer than these limits allow.
bool ExceedsListLimits(const PodSpec& spec);

/// `estimated cost of all expressions exceeds the limit by factor of 2.5x`. The factor is rounded
/// up, so that it is never 1.0.
std::string TooCostlyText(std::uint64_t cost);

}  // namespace plimsoll::api
