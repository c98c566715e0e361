#pragma once

#include <array>
#include <atomic>

#include "apiserver/server/request_metrics.h"

namespace plimsoll::apiserver {

struct InflightLimits {
  int reading_max = 400;   // --max-requests-inflight
  int mutating_max = 200;  // --max-mutating-requests-inflight
};

/// How many requests are worked on at once. Safe for use by many threads.
class Inflight {
 public:
  Inflight(InflightLimits limits, RequestMetrics& metrics) : limits_(limits), metrics_(metrics) {}

  /// False when there are too many already. What was let in leaves again.
  bool Enter(bool is_mutating, bool is_exempt);
  void Leave(bool is_mutating);

 private:
  const InflightLimits limits_;
  RequestMetrics& metrics_;
  std::array<std::atomic<int>, 2> counts_{};
};

}  // namespace plimsoll::apiserver
