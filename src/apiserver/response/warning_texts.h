#pragma once

#include <string>
#include <vector>

namespace plimsoll::apiserver {

/// Returns the warnings that become `Warning:` headers: each text once, and bounded as upstream
/// bounds them. When all together have more than 4096 characters, each is cut after 256, and those
/// beyond 4096 are left out.
std::vector<std::string> BoundedWarnings(const std::vector<std::string>& warnings);

}  // namespace plimsoll::apiserver
