#pragma once

#include <functional>
#include <memory>

#include "base/clock.h"

namespace plimsoll::store {

/// Calls something every so often by a clock, which may fire once more after its end without any
/// call being made.
class Periodic {
 public:
  /// The clock must outlive it. The first call is after one interval.
  Periodic(Clock& clock, Duration interval, std::function<void(Instant now)> call);
  /// Returns when no call is being made.
  ~Periodic();
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

  void Stop();

 private:
  class Timer;
  std::shared_ptr<Timer> timer_;
};

}  // namespace plimsoll::store
