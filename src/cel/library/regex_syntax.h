#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace plimsoll::cel {

/// A pattern for RE2, and the approximate number of instructions of its program.
struct TranslatedRegex {
  std::string pattern;
  std::uint64_t steps = 0;
};

/// Parses a regular expression as Go's package regexp does. RE2's syntax differs slightly (`\C`,
/// groups with equal names), and so do its error texts. Returns the pattern for RE2, or Go's error
/// text: error parsing regexp: missing closing ): `a(b`.
std::expected<TranslatedRegex, std::string> TranslateRegex(std::string_view pattern);

}  // namespace plimsoll::cel
