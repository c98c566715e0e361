#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plimsoll::cel {

/// The bytes of the character at `at`, 1 to 4. The text is UTF-8.
inline std::size_t Utf8Bytes(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/// The number of code points of valid UTF-8.
std::size_t CountPoints(std::string_view text);

/// A code point that may stand in a text: not a surrogate, not beyond U+10FFFF.
constexpr bool IsCodePoint(char32_t point) {
  return point < 0xD800 || (point > 0xDFFF && point <= 0x10FFFF);
}

void AppendUtf8(char32_t point, std::string& out);

/// The text with every byte that is not part of UTF-8 replaced by U+FFFD, as Go reads it.
std::string ToUtf8(std::string_view text);

}  // namespace plimsoll::cel
