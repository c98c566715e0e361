#pragma once

#include <functional>

#include "base/result.h"
#include "base/time.h"

namespace plimsoll::service {

/// Sends SIGTERM to a process and blocks until it has ended. Calls `is_it` once the process can
/// no longer be mistaken for another one with its PID. False means that it has ended already.
/// Timeout: it still runs after `limit`, with the advice to wait or to kill it. Forbidden: it
/// belongs to another user. Calls `on_wait`, if set, several times per second meanwhile.
Status StopProcess(int pid, const std::function<bool()>& is_it, Duration limit,
                   const std::function<void()>& on_wait = {});

}  // namespace plimsoll::service
