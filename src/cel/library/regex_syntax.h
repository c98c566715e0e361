#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace plimsoll::cel {

/// A pattern for RE2, and about how many steps its program will have.
struct TranslatedRegex {
  std::string pattern;
  std::uint64_t steps = 0;
};

/// Reads a regular expression as Go's package regexp does. RE2 takes nearly the same syntax, but
/// not exactly (`\C`, groups that share a name), and words its refusals otherwise. Answers what
/// to give to RE2, or Go's text: error parsing regexp: missing closing ): `a(b`.
std::expected<TranslatedRegex, std::string> TranslateRegex(std::string_view pattern);

}  // namespace plimsoll::cel
