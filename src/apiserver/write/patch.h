#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/object.h"
#include "api/status/status.h"
#include "apiserver/write/write_target.h"
#include "apiserver/write/writer.h"

namespace plimsoll::apiserver {

enum class PatchType : std::uint8_t { Json, Merge, StrategicMerge, Apply };

/// Returns the patch type of a content type, or nullopt for another content type.
std::optional<PatchType> FindPatchType(std::string_view content_type);

/// Returns the patched object with defaults and managedFields. Unknown fields become warnings, or
/// an error under Strict. `body` is as sent. Not for Apply.
api::Answer<Draft> ApplyPatch(const WriteTarget& target, PatchType type, std::string_view body,
                              const api::Object& before, const WriteParts& parts);

/// Same as above, for server-side apply. `before` is null if the object does not exist.
api::Answer<Draft> ApplyConfiguration(const WriteTarget& target, std::string_view body,
                                      const api::Object* before, const WriteParts& parts);

}  // namespace plimsoll::apiserver
