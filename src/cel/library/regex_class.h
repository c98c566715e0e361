#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

/// The parts of a regular expression that stand for one character: classes and escapes.
namespace plimsoll::cel {

struct RegexPiece {
  std::size_t bytes = 0;
  char32_t value = 0;       // of an escape that is one character
  std::uint32_t steps = 1;  // about as many as its part of a compiled program has
};

/// what: `where`
std::string RegexFault(std::string_view what, std::string_view where);

bool IsRegexAlphanumeric(char c);

/// A text that begins with `[`. What RE2 is to get for it goes to `out`. The error is Go's, without
/// the words that all begin with.
std::expected<RegexPiece, std::string> ReadRegexClass(std::string_view text, std::string& out);

/// A text that begins with a backslash: `\d`, `\pL`, `\x{67}`, `\.`.
std::expected<RegexPiece, std::string> ReadRegexEscape(std::string_view text, std::string& out);

}  // namespace plimsoll::cel
