#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::api {

/// Nothing for a text in standard base64, or Go's message: `illegal base64 data at input byte 4`.
std::optional<std::string> CheckBase64(std::string_view text);

}  // namespace plimsoll::api
