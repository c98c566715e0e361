#pragma once

#include "api/object.h"
#include "base/metrics.h"

namespace plimsoll::controller {

/// How many claims there are, and how many were made.
class ClaimMetrics {
 public:
  explicit ClaimMetrics(MetricsRegistry& metrics);

  /// A claim came (1) or went (-1).
  void Count(const api::Object& claim, int by);
  void CountCreation(bool is_success, bool is_admin);

 private:
  MetricFamily<Gauge> claims_;
  MetricFamily<Counter> creations_;
};

}  // namespace plimsoll::controller
