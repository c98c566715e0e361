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

/// Same as above, for server-side apply. `before` is null if the object does not exist.
api::Answer<Draft> ApplyConfiguration(const WriteTarget& target, std::string_view body,
                                      const api::Object* before, const WriteParts& parts);

}  // namespace plimsoll::apiserver
