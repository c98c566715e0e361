#pragma once

#include <string_view>

namespace plimsoll::service {

/// Sends a state to the service manager: "READY=1", "STOPPING=1". No effect if $NOTIFY_SOCKET is
/// not set (see sd_notify(3)).
void NotifyServiceManager(std::string_view state);

}  // namespace plimsoll::service
