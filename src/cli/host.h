#pragma once

#include <string>

namespace plimsoll::cli {

/// This machine's name; empty when it has none.
std::string HostName();

}  // namespace plimsoll::cli
