#pragma once

#include <memory>

#include "base/clock.h"

namespace plimsoll {

/// The machine's wall clock. Its tasks run one after the other on a thread of its own and hold each
/// other up, so a task should do no more than hand the news to whoever waits for it. Safe for use
/// by many threads; a task may set others. The tasks still waiting at the end are dropped, and
/// the one that runs is waited for, so a task must not be what destroys the clock.
class RealClock final : public Clock {
 public:
  RealClock();
  ~RealClock() override;
  RealClock(const RealClock&) = delete;
  RealClock& operator=(const RealClock&) = delete;

  Instant Now() const override;
  void At(Instant when, Task task) override;

 private:
  class Timers;
  std::unique_ptr<Timers> timers_;
};

/// Time that never goes back, from an unknown beginning: for how long something took.
Duration SteadyTime();
/// The same, and it goes on while the machine sleeps: for how long something is good.
Duration BootTime();

}  // namespace plimsoll
