#pragma once

#include <ctime>

#include "base/time.h"

namespace plimsoll::cli {

/// Ends the process at a time, whatever it is doing then. The kernel does it, by a timer of its own
/// and SIGKILL, so that a process which is stopped or starved ends as well, without another step:
/// whoever checks the time itself may be stopped between the check and what it allows. One at a
/// time, for use by one thread at a time.
class DeadMansSwitch {
 public:
  /// Not armed.
  DeadMansSwitch();
  ~DeadMansSwitch();
  DeadMansSwitch(const DeadMansSwitch&) = delete;
  DeadMansSwitch& operator=(const DeadMansSwitch&) = delete;

  /// By BootTime, and instead of the time before; one that has passed ends it now.
  void EndAt(Duration when);
  void Disarm();

 private:
  timer_t timer_{};
};

}  // namespace plimsoll::cli
