#pragma once

#include <string>
#include <string_view>

namespace plimsoll::cel {

/// Encodes as base64 with padding.
std::string EncodeBase64(std::string_view bytes);

}  // namespace plimsoll::cel
