#pragma once

#include <string>
#include <vector>

namespace plimsoll::apiserver {

/// Returns the warnings that become `Warning:` headers: each text once, with upstream's limits. If
/// they have more than 4096 characters in total, each is cut to 256 characters. Warnings beyond
/// 4096 characters are then dropped.
std::vector<std::string> BoundedWarnings(const std::vector<std::string>& warnings);

}  // namespace plimsoll::apiserver
