#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "apiserver/server/request_metrics.h"

namespace plimsoll::apiserver {

struct InflightLimits {
  int reading_max = 400;   // --max-requests-inflight
  int mutating_max = 200;  // --max-mutating-requests-inflight
};

/// Whose request it is, as far as the limits care.
enum class Standing : std::uint8_t {
  Limited,
  Exempt,  // let in always, though it takes a place
  Apart,   // of a component in this process, which bounds its calls itself: takes no place either
};

/// How many requests are worked on at once. Safe for use by many threads.
class Inflight {
 public:
  Inflight(InflightLimits limits, RequestMetrics& metrics) : limits_(limits), metrics_(metrics) {}

  /// False when there are too many already. What was let in leaves again, in the same standing.
  bool Enter(bool is_mutating, Standing standing);
  void Leave(bool is_mutating, Standing standing);

 private:
  struct Count {
    std::atomic<int> places;  // taken of those that are limited
    std::atomic<int> inside;
  };

  const InflightLimits limits_;
  RequestMetrics& metrics_;
  std::array<Count, 2> counts_{};
};

}  // namespace plimsoll::apiserver
