#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

/// Parts of a regular expression that match one character: classes and escapes.
namespace plimsoll::cel {

struct RegexPiece {
  std::size_t bytes = 0;
  char32_t value = 0;       // for an escape of one character
  std::uint32_t steps = 1;  // approximate number of program instructions
};

/// Formats an error as "what: `where`".
std::string RegexFault(std::string_view what, std::string_view where);

bool IsRegexAlphanumeric(char c);

/// Parses a text that begins with `[` and appends its RE2 form to `out`. The error is
/// Go's, without the common prefix.
std::expected<RegexPiece, std::string> ReadRegexClass(std::string_view text, std::string& out);

/// Parses a text that begins with a backslash: `\d`, `\pL`, `\x{67}`, `\.`.
std::expected<RegexPiece, std::string> ReadRegexEscape(std::string_view text, std::string& out);

}  // namespace plimsoll::cel
