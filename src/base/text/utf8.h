#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// UTF-8 as Go reads it: a text is a sequence of runes (code points), and each byte that is not
/// UTF-8 is one rune, U+FFFD. Overlong forms, surrogates and values above U+10FFFF are not UTF-8.
namespace plimsoll {

inline constexpr char32_t kReplacementRune = 0xfffd;
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // the same in UTF-8

struct Rune {
  char32_t value = kReplacementRune;
  std::uint32_t bytes = 1;
  bool is_valid = false;
};

/// Decodes the first rune. REQUIRES: the text is not empty.
Rune DecodeRune(std::string_view text);

/// Returns the number of bytes of the first rune, or 0 if it is not UTF-8 or the text is empty.
std::size_t Utf8Bytes(std::string_view text);

/// Returns true if the byte continues a rune, i.e. is not its first.
constexpr bool IsUtf8Tail(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// Returns true if the value may stand in a text: no surrogate, not above U+10FFFF.
constexpr bool IsCodePoint(char32_t value) {
  return value < 0xd800 || (value > 0xdfff && value <= 0x10ffff);
}

/// Appends the rune, or U+FFFD for a value that is not a code point.
void AppendUtf8(char32_t value, std::string& out);

bool IsUtf8(std::string_view text);

/// Returns the text with each byte that is not UTF-8 replaced by U+FFFD.
std::string ToValidUtf8(std::string_view text);

/// Counts the runes. REQUIRES: the text is UTF-8.
std::size_t CountRunes(std::string_view text);

/// Returns the offset of rune number `index`, or the size of the text if it has no such rune.
/// REQUIRES: the text is UTF-8.
std::size_t RuneOffset(std::string_view text, std::size_t index);

}  // namespace plimsoll
