#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/worker_pool.h"

namespace plimsoll {

struct PeriodicOptions {
  Duration interval;                         // from the end of a call to the next
  std::optional<Duration> first_delay = {};  // before the first call; default: the interval
  WorkerPool* workers =
      nullptr;  // where calls are made; null: on the clock's thread, so they must be short
};

/// Repeats a call until it is destroyed. Calls never overlap.
class Periodic {
 public:
  /// The clock and the workers must outlive it.
  Periodic(Clock& clock, PeriodicOptions options, std::function<void(Instant now)> call);
  /// Waits for a call that is being made. Afterwards the clock may still fire once, without effect.
  ~Periodic();
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

  /// Does the same as the destructor. No call is made after it has returned.
  void Stop();

 private:
  class Timer;
  std::shared_ptr<Timer> timer_;
};

}  // namespace plimsoll
