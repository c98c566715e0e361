#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/clock.h"

namespace plimsoll {

/// Runs `scale` times as fast as another clock, from its construction on. For clusters that show
/// within a minute what takes an hour. It is as thread-safe as the other clock. Tasks less than
/// `scale` nanoseconds apart run in the order of their calls.
class ScaledClock final : public Clock {
 public:
  /// REQUIRES: `scale` is above zero. With 1 both clocks show the same time.
  ScaledClock(std::unique_ptr<Clock> clock, std::int64_t scale)
      : scale_(scale), origin_(clock->Now()), clock_(std::move(clock)) {}

  Instant Now() const override;
  void At(Instant when, Task task) override;

 private:
  const std::int64_t scale_;
  const Instant origin_;
  // Last member: its tasks may call Now() while it is destroyed.
  const std::unique_ptr<Clock> clock_;
};

}  // namespace plimsoll
