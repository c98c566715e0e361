#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/object.h"
#include "api/status/status.h"
#include "apiserver/write/write_target.h"
#include "base/time.h"

namespace plimsoll::apiserver {

enum class PatchType : std::uint8_t { Json, Merge, StrategicMerge, Apply };

/// By the content type. Nothing: it is none of them.
std::optional<PatchType> FindPatchType(std::string_view content_type);

/// What a patch makes of the object, with defaults, and with who set what. Unknown fields become
/// warnings, or under Strict the refusal. `body` is as it was sent. Not for applies.
api::Answer<Draft> ApplyPatch(const WriteTarget& target, PatchType type, std::string_view body,
                              const api::Object& before, Instant now);

/// The same of a configuration that is applied; `before` is null when there is no such object.
api::Answer<Draft> ApplyConfiguration(const WriteTarget& target, std::string_view body,
                                      const api::Object* before, Instant now);

}  // namespace plimsoll::apiserver
