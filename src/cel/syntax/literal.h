#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace plimsoll::cel {

/// Parses an Int, Uint or Double token; the sign is passed separately. Nothing: out of range.
std::optional<Value> ParseIntLiteral(std::string_view digits, bool is_negative);
std::optional<Value> ParseUintLiteral(std::string_view digits);
std::optional<Value> ParseDoubleLiteral(std::string_view digits, bool is_negative);

/// Returns the contents of a String or Bytes token, given with prefix and quotes, with escapes
/// resolved. The error is upstream's message.
std::expected<std::string, std::string> Unquote(std::string_view token, bool is_bytes);

}  // namespace plimsoll::cel
