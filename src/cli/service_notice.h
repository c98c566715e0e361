#pragma once

#include <string_view>

namespace plimsoll::cli {

/// Tells the service manager that started this process how it is: "READY=1", "STOPPING=1". Where
/// none asked to be told (by $NOTIFY_SOCKET, see sd_notify(3)), nothing happens.
void NotifyServiceManager(std::string_view state);

}  // namespace plimsoll::cli
