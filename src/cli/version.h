#pragma once

#include <string_view>

namespace plimsoll::cli {

/// The release of this program.
std::string_view Version();

}  // namespace plimsoll::cli
