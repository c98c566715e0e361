#include "base/scaled_clock.h"

#include <utility>

namespace plimsoll {

Instant ScaledClock::Now() const { return origin_ + (clock_->Now() - origin_) * scale_; }

void ScaledClock::At(Instant when, Task task) {
  if (when > origin_) {
    // Round up, so that no task runs too early.
    const Duration ahead = when - origin_;
    when = origin_ + ahead / scale_ + Duration(ahead % scale_ != Duration::zero() ? 1 : 0);
  }
  clock_->At(when, std::move(task));
}

}  // namespace plimsoll
