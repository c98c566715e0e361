#pragma once

#include <functional>

#include "base/time.h"

namespace plimsoll {

using Task = std::move_only_function<void()>;

/// Time and timers together, because a test that fakes one and not the other proves nothing.
/// Whatever passes clock_test.cc is a Clock. There is no way to cancel: a task that has become
/// needless finds that out when it runs, which is simpler than racing with its timer.
class Clock {
 public:
  virtual ~Clock() = default;

  virtual Instant Now() const = 0;

  /// Runs the task once, as soon as Now() is `when` or later, after all tasks that were due before
  /// it. A time that has passed already means soon, but never within this call.
  virtual void At(Instant when, Task task) = 0;
};

}  // namespace plimsoll
