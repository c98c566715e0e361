#pragma once

#include <ctime>

#include "base/time.h"

namespace plimsoll::service {

/// Kills the process at a given time, whatever it is doing. A kernel timer sends SIGKILL, so
/// even a stopped or starved process ends. A check of the time by the process itself would not
/// suffice: it may be stopped right after the check. Create one instance only. Not
/// thread-safe.
class DeadMansSwitch {
 public:
  /// Starts disarmed.
  DeadMansSwitch();
  ~DeadMansSwitch();
  DeadMansSwitch(const DeadMansSwitch&) = delete;
  DeadMansSwitch& operator=(const DeadMansSwitch&) = delete;

  /// Sets the time, by BootTime, and replaces an earlier one. A past time kills the process now.
  void KillAt(Duration when);

 private:
  timer_t timer_{};
};

}  // namespace plimsoll::service
