#pragma once

#include <memory>

#include "base/clock.h"

namespace plimsoll {

/// The machine's wall clock. Its tasks run one after the other on one thread and delay each other,
/// so a task should only notify another thread. That thread accepts no SIGINT, SIGTERM or SIGHUP.
/// Safe for use by many threads; a task may call At. The destructor drops waiting tasks and waits
/// for the running one, so a task must not destroy the clock.
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

/// Returns a monotonic time with an unspecified start. For measuring how long something took.
Duration SteadyTime();
/// Same as above, but also advances while the machine is suspended. For expiry times.
Duration BootTime();

}  // namespace plimsoll
