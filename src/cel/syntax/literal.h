#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace plimsoll::cel {

/// The number behind an Int, Uint or Double token, its sign given apart. Nothing: out of range.
std::optional<Value> ParseIntLiteral(std::string_view digits, bool is_negative);
std::optional<Value> ParseUintLiteral(std::string_view digits);
std::optional<Value> ParseDoubleLiteral(std::string_view digits, bool is_negative);

/// What stands between the quotes of a String or Bytes token, prefix and quotes included, with its
/// escapes resolved. The error is upstream's message.
std::expected<std::string, std::string> Unquote(std::string_view token, bool is_bytes);

}  // namespace plimsoll::cel
