#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cel/arena.h"

/// Texts as Go sees them: sequences of code points, in which each byte that is not valid
/// UTF-8 is one code point, U+FFFD.
namespace plimsoll::cel {

inline constexpr char32_t kReplacementRune = 0xfffd;

struct Rune {
  char32_t value = kReplacementRune;
  std::uint32_t bytes = 1;
  bool is_valid = false;
};

/// Decodes the first code point of a non-empty text. Overlong forms, surrogates and code points
/// beyond U+10FFFF are invalid.
Rune DecodeRune(std::string_view text);

void AppendRune(std::string& out, char32_t value);

bool IsUtf8(std::string_view text);

/// Returns the number of code points of valid UTF-8.
std::size_t CountRunes(std::string_view text);

/// Returns the text itself, or a copy with every invalid byte replaced by U+FFFD.
std::string_view ToRunes(std::string_view text, Arena& arena);

/// Returns the offset of code point number `count` in valid UTF-8; the size of the text
/// if it has no more than that.
std::size_t RuneOffset(std::string_view text, std::size_t count);

}  // namespace plimsoll::cel
