#pragma once

#include <string>

namespace plimsoll::cli {

/// Returns the name of this machine; empty if it has none.
std::string HostName();

}  // namespace plimsoll::cli
