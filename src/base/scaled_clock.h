#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/clock.h"

namespace plimsoll {

/// Another clock, but faster: from its making on, `scale` seconds pass in one of the other's. For
/// clusters that show within a minute what takes an hour. As safe for threads as the other
/// clock. Tasks less than `scale` nanoseconds apart run in the order of their calls.
class ScaledClock final : public Clock {
 public:
  /// `scale` is above zero; with 1 the two clocks are the same.
  ScaledClock(std::unique_ptr<Clock> clock, std::int64_t scale)
      : scale_(scale), origin_(clock->Now()), clock_(std::move(clock)) {}

  Instant Now() const override;
  void At(Instant when, Task task) override;

 private:
  const std::int64_t scale_;
  const Instant origin_;
  // Last: tasks that still run while it ends may ask for the time.
  const std::unique_ptr<Clock> clock_;
};

}  // namespace plimsoll
