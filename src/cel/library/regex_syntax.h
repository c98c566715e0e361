#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace plimsoll::cel {

/// Reads a regular expression as Go's package regexp does. RE2 takes nearly the same syntax, but
/// not exactly (`\C`, groups that share a name), and words its refusals otherwise. Answers the
/// pattern to give to RE2, or Go's text: error parsing regexp: missing closing ): `a(b`.
std::expected<std::string, std::string> TranslateRegex(std::string_view pattern);

}  // namespace plimsoll::cel
