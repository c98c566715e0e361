#pragma once

#include <string>

namespace plimsoll::service {

/// Returns the name of this machine; empty if it has none.
std::string HostName();

}  // namespace plimsoll::service
