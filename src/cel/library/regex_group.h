#pragma once

#include <string_view>

namespace plimsoll::cel {

/// RE2's name of a Unicode category or script, as in `\p{Greek}`; empty when there is none. As in
/// Go, case, blanks, underscores and hyphens do not count, and categories have long names as well.
std::string_view FindUnicodeGroup(std::string_view name);

}  // namespace plimsoll::cel
