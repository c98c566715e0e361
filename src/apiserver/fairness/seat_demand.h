#pragma once

#include <cstdint>

#include "base/time.h"

namespace plimsoll::apiserver {

/// Statistics of a level's demand for seats over one period.
struct DemandStats {
  double average = 0;
  double deviation = 0;
  double high_watermark = 0;
};

/// Tracks the number of seats that the requests of a level use and wait for.
class SeatDemand {
 public:
  explicit SeatDemand(Instant start) : period_start_(start), last_change_(start) {}

  void Set(std::uint32_t seats, Instant now);
  /// Returns the statistics since the last call and begins a new period.
  DemandStats EndPeriod(Instant now);

 private:
  void Advance(Instant now);

  Instant period_start_;
  Instant last_change_;
  double seats_ = 0;
  double highest_ = 0;
  double sum_ = 0;         // of seats × seconds
  double square_sum_ = 0;  // of seats² × seconds
};

}  // namespace plimsoll::apiserver
