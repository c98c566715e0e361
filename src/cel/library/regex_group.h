#pragma once

#include <string_view>

namespace plimsoll::cel {

/// Returns RE2's name of a Unicode category or script, as in `\p{Greek}`; empty if none. Ignores
/// case, blanks, underscores and hyphens, and accepts long names of categories, as Go does.
std::string_view FindUnicodeGroup(std::string_view name);

}  // namespace plimsoll::cel
