#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::api {

/// Returns nothing for valid base64, else Go's message: `illegal base64 data at input byte 4`.
std::optional<std::string> CheckBase64(std::string_view text);

/// Encodes with padding.
std::string EncodeBase64(std::string_view bytes);
/// REQUIRES: the text has passed CheckBase64.
std::string DecodeBase64(std::string_view text);
/// Returns DecodeBase64(text).size() without decoding.
std::size_t DecodedSize(std::string_view text);

}  // namespace plimsoll::api
