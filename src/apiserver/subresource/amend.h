#pragma once

#include <functional>

#include "apiserver/strategy/object_editor.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

/// Changes `object`, a copy of the stored object, or fails.
/// Called again after a conflict.
using Amendment = std::function<api::Answer<void>(ObjectEditor object, const api::Object& before)>;

/// Changes a stored object without its strategy and validation, for changes by the server itself,
/// as in binding and eviction. A dry run writes nothing. Fails with NotFound.
api::Answer<ObjectPtr> Amend(Writer& writer, const WriteTarget& target, const Amendment& amendment);

/// Sets the condition of that type in status.conditions. lastTransitionTime changes only with the
/// status. Returns the condition, so that the caller can set further fields.
ObjectEditor SetCondition(ObjectEditor object, std::string_view type, std::string_view status,
                          std::string_view reason, std::string_view message, Instant now);

}  // namespace plimsoll::apiserver
