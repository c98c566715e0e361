#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

/// Forms of base64. The standard forms may have line ends between the digits, as in Go.
enum class Base64 : std::uint8_t {
  Standard,          // with `+` and `/`, padded with `=`: Secrets, kubeconfig files
  StandardUnpadded,  // the same without padding
  Url,               // with `-` and `_`, without padding: JSON web tokens
};

std::string EncodeBase64(std::string_view bytes, Base64 form = Base64::Standard);

/// Decodes the text. BadRequest with Go's message otherwise: `illegal base64 data at input byte 4`.
Result<std::string> DecodeBase64(std::string_view text, Base64 form = Base64::Standard);

/// Returns the message with which DecodeBase64 would fail, or nothing, without decoding.
std::optional<std::string> CheckBase64(std::string_view text);

/// Returns `DecodeBase64(text)->size()`. REQUIRES: the text has passed CheckBase64.
std::size_t DecodedSize(std::string_view text);

}  // namespace plimsoll
