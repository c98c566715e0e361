#pragma once

#include <functional>

#include "base/time.h"

namespace plimsoll {

using Task = std::move_only_function<void()>;

/// Time and timers in one interface, because a test that fakes only one of them proves nothing.
/// Every implementation must pass clock_test.cc. Timers cannot be cancelled: a task that is no
/// longer needed checks that when it runs, which is simpler than a race with the timer.
class Clock {
 public:
  virtual ~Clock() = default;

  virtual Instant Now() const = 0;

  /// Runs the task once, when Now() reaches `when`, after all tasks that were due earlier. If
  /// `when` has passed, the task runs soon, but never within this call.
  virtual void At(Instant when, Task task) = 0;
};

}  // namespace plimsoll
