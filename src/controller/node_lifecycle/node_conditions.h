#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/object.h"
#include "base/time.h"

/// Reads node conditions, and patches them when a node stops reporting.
namespace plimsoll::controller {

/// Status of the condition Ready.
enum class Readiness : std::uint8_t { Missing, True, False, Unknown };
Readiness ReadinessOf(const api::Object& node);

/// Returns the node's last heartbeat, or its creation time if it has no Ready condition.
Instant HeartbeatOf(const api::Object& node);

/// Returns a strategic merge patch of a node's status that sets Ready and the pressure conditions
/// to Unknown. Returns "" if Ready is Unknown already.
std::string LapsePatch(const api::Object& node, Instant now);

/// Returns a patch that sets a pod's Ready condition to False. Returns "" if it is False already or
/// missing.
std::string NotReadyPatch(const api::Object& pod, Instant now);

/// Returns the lease's renewTime, or nothing if it has none.
std::optional<Instant> RenewTimeOf(const api::Object& lease);

}  // namespace plimsoll::controller
