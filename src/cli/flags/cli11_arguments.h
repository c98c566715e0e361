#pragma once

#include <string>
#include <vector>

namespace plimsoll::cli {

/// Returns the arguments in reverse order, as CLI11 expects. Adapts two forms that CLI11 misreads:
/// `--flag=` (it takes the next argument as value) and `-v=4` (it takes `=4`).
std::vector<std::string> ToCli11Arguments(const std::vector<std::string>& arguments);

}  // namespace plimsoll::cli
