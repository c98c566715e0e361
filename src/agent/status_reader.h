#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "agent/pod_life.h"
#include "api/object.h"
#include "base/time.h"

/// What a pod's status says already, so that an agent can go on where another was stopped. What is
/// missing or cannot be read counts as never written.
namespace plimsoll::agent {

std::optional<Instant> ReadStartTime(const api::Object& pod);
PodConditionState ReadCondition(const api::Object& pod, PodConditionType type);
/// Whether the pod has a condition of that type and status.
bool HasCondition(const api::Object& pod, std::string_view type, bool holds);
/// Sets state, restarts and terminations of the container as its status has them.
void ReadContainer(const api::Object& pod, bool is_init, std::string_view name,
                   ContainerLife& container);
/// status.podIP; empty: none.
std::string_view ReadPodAddress(const api::Object& pod);

/// The ResourceClaim behind an element of spec.resourceClaims: empty when none is needed, nothing
/// when there is none yet.
std::optional<std::string_view> ReadClaimName(const api::Object& pod,
                                              const api::PodResourceClaim& claim);
/// The claim that was made for extended resources; empty: none.
std::string_view ReadExtendedClaim(const api::Object& pod);

/// Of spec.readinessGates, those whose condition is not True.
std::vector<std::string_view> MissingReadinessGates(const api::Object& pod);

}  // namespace plimsoll::agent
