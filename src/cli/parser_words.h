#pragma once

#include <string>
#include <vector>

namespace plimsoll::cli {

/// The words from the back, as CLI11 takes them. To it `--flag=` is a flag whose value is the next
/// word; to everyone else the value is empty. And of `-v=4` it takes the value to be `=4`.
std::vector<std::string> ForParser(const std::vector<std::string>& words);

}  // namespace plimsoll::cli
