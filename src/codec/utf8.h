#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plimsoll::codec {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// Returns the length of the first character: 1 to 4 bytes. Returns 0 if `text` is empty or does
/// not begin with UTF-8 (bad continuation, overlong form, surrogate, beyond U+10FFFF).
std::size_t Utf8Bytes(std::string_view text);

/// Appends a code point, or U+FFFD if the code point is not a valid character.
void AppendUtf8(char32_t point, std::string& out);

}  // namespace plimsoll::codec
