#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/object.h"
#include "base/time.h"

/// What a node's conditions say, and what becomes of them when nobody speaks for the node any more.
namespace plimsoll::controller {

/// Of the condition Ready.
enum class Readiness : std::uint8_t { Missing, True, False, Unknown };
Readiness ReadinessOf(const api::Object& node);

/// When the node last spoke for itself: the heartbeat of its Ready, else its creation.
Instant HeartbeatOf(const api::Object& node);

/// The strategic merge patch of a node's status after which Ready and the kinds of pressure are
/// Unknown. Empty when Ready is.
std::string LapsePatch(const api::Object& node, Instant now);

/// Likewise for a pod whose node is not ready: Ready becomes False. Empty when it is, or when
/// nobody has said anything of it.
std::string NotReadyPatch(const api::Object& pod, Instant now);

/// When the lease was renewed; nothing when it does not say.
std::optional<Instant> RenewTimeOf(const api::Object& lease);

}  // namespace plimsoll::controller
