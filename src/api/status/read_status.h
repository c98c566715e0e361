#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "api/status/status.h"
#include "codec/value.h"

namespace plimsoll::api {

/// Bytes of a body without a Status that an error message shows, as upstream. The rest is cut off.
inline constexpr std::size_t kErrorBodyBytesMax = 2048;

/// Reads a `v1` Status; nullopt if the tree is none.
std::optional<StatusObject> ReadStatus(const codec::Value& tree);

/// Reads an error response with this HTTP code: the Status of its body if it is one that reports a
/// failure, otherwise a Status made from the code with upstream's text.
StatusObject ReadRefusal(int code, std::string_view body);

}  // namespace plimsoll::api
