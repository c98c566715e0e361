#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plimsoll::cel {

/// Returns the length of the character at `at`, 1 to 4 bytes. REQUIRES: the text is valid UTF-8.
inline std::size_t Utf8Bytes(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/// Returns the number of code points of valid UTF-8.
std::size_t CountPoints(std::string_view text);

/// Returns true for a valid code point: no surrogate, and not beyond U+10FFFF.
constexpr bool IsCodePoint(char32_t point) {
  return point < 0xD800 || (point > 0xDFFF && point <= 0x10FFFF);
}

void AppendUtf8(char32_t point, std::string& out);

/// Returns the text with every invalid byte replaced by U+FFFD, as Go decodes it.
std::string ToUtf8(std::string_view text);

}  // namespace plimsoll::cel
