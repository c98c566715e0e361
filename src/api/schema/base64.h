#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::api {

/// Nothing for a text in standard base64, or Go's message: `illegal base64 data at input byte 4`.
std::optional<std::string> CheckBase64(std::string_view text);

/// With padding.
std::string EncodeBase64(std::string_view bytes);
/// The text must have passed CheckBase64.
std::string DecodeBase64(std::string_view text);
/// As DecodeBase64(text).size().
std::size_t DecodedSize(std::string_view text);

}  // namespace plimsoll::api
