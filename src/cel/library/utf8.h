#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cel/arena.h"

/// Texts as Go sees them: a sequence of code points, where a byte that is not UTF-8 is one code
/// point, U+FFFD.
namespace plimsoll::cel {

inline constexpr char32_t kReplacementRune = 0xfffd;

struct Rune {
  char32_t value = kReplacementRune;
  std::uint32_t bytes = 1;
  bool is_valid = false;
};

/// The first code point of a text that is not empty. Overlong forms, surrogates and what is beyond
/// U+10FFFF are not valid.
Rune DecodeRune(std::string_view text);

void AppendRune(std::string& out, char32_t value);

bool IsUtf8(std::string_view text);

/// The code points of a text that is UTF-8.
std::size_t CountRunes(std::string_view text);

/// The text itself, or a copy with every byte that is not UTF-8 made U+FFFD.
std::string_view ToRunes(std::string_view text, Arena& arena);

/// Where code point number `count` of a text that is UTF-8 begins; the size of the text when it has
/// no more than that.
std::size_t RuneOffset(std::string_view text, std::size_t count);

}  // namespace plimsoll::cel
