#include "apiserver/fairness/seat_demand.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace plimsoll::apiserver {

void SeatDemand::Advance(Instant now) {
  if (now <= last_change_) return;
  const double seconds = std::chrono::duration<double>(now - last_change_).count();
  last_change_ = now;
  sum_ += seats_ * seconds;
  square_sum_ += seats_ * seats_ * seconds;
}

void SeatDemand::Set(std::uint32_t seats, Instant now) {
  Advance(now);
  seats_ = seats;
  highest_ = std::max(highest_, seats_);
}

DemandStats SeatDemand::EndPeriod(Instant now) {
  Advance(now);
  const double seconds = std::chrono::duration<double>(now - period_start_).count();
  DemandStats stats{.average = seats_, .deviation = 0, .high_watermark = highest_};
  if (seconds > 0) {
    stats.average = sum_ / seconds;
    const double variance = square_sum_ / seconds - stats.average * stats.average;
    stats.deviation = std::sqrt(std::max(0.0, variance));
  }
  period_start_ = std::max(period_start_, now);
  highest_ = seats_;
  sum_ = square_sum_ = 0;
  return stats;
}

}  // namespace plimsoll::apiserver
