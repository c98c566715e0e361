#pragma once

#include <string>
#include <vector>

namespace plimsoll::cli {

/// Returns the words in reverse order, as CLI11 expects. Adapts two forms that CLI11 misreads:
/// `--flag=` (it takes the next word as value) and `-v=4` (it takes `=4`).
std::vector<std::string> ForParser(const std::vector<std::string>& words);

}  // namespace plimsoll::cli
