#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plimsoll::codec {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// The bytes of the character that `text` begins with: 1 to 4, or 0 when it is not UTF-8 (stray or
/// missing continuation, overlong form, surrogate, beyond U+10FFFF) or when `text` is empty.
std::size_t Utf8Bytes(std::string_view text);

/// Appends a code point, U+FFFD for one that no text may hold.
void AppendUtf8(char32_t point, std::string& out);

}  // namespace plimsoll::codec
