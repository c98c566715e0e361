#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "agent/pod_life.h"
#include "api/object.h"
#include "base/time.h"

/// Reads a pod's status, so that a new agent can continue where the previous one stopped. Missing
/// or invalid values count as never written.
namespace plimsoll::agent {

std::optional<Instant> ReadStartTime(const api::Object& pod);
PodConditionState ReadCondition(const api::Object& pod, PodConditionType type);
/// Returns true if the pod has a condition of this type and status.
bool HasCondition(const api::Object& pod, std::string_view type, bool holds);
/// Sets state, restarts and terminations of the container from its status.
void ReadContainer(const api::Object& pod, bool is_init, std::string_view name,
                   ContainerLife& container);
/// Returns status.podIP, or "".
std::string_view ReadPodAddress(const api::Object& pod);

/// Returns the ResourceClaim of an entry in spec.resourceClaims. "" means that none is needed,
/// nothing means that it does not exist yet.
std::optional<std::string_view> ReadClaimName(const api::Object& pod,
                                              const api::PodResourceClaim& claim);
/// Returns the claim that was created for extended resources, or "".
std::string_view ReadExtendedClaim(const api::Object& pod);

/// Returns those of spec.readinessGates whose condition is not True.
std::vector<std::string_view> MissingReadinessGates(const api::Object& pod);

}  // namespace plimsoll::agent
