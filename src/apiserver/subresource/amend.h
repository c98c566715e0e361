#pragma once

#include <functional>

#include "apiserver/strategy/place.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

/// Changes the draft, a copy of the stored object, or says why not. Called again when another
/// writer was faster.
using Amendment = std::function<api::Answer<void>(Place object, const api::Object& before)>;

/// Changes a stored object past its strategy and validation: for what the server itself does to it,
/// as in binding and eviction. Nothing is written in a dry run. NotFound.
api::Answer<ObjectPtr> Amend(Writer& writer, const WriteTarget& target, const Amendment& amendment);

/// Sets the condition of that type in status.conditions. The time of transition changes only with
/// the status. Returns the condition, for what else its kind has.
Place SetCondition(Place object, std::string_view type, std::string_view status,
                   std::string_view reason, std::string_view message, Instant now);

}  // namespace plimsoll::apiserver
