#pragma once

#include "api/object.h"
#include "base/metrics.h"

namespace plimsoll::controller {

/// Metrics of ResourceClaims: number of claims and of creations.
class ClaimMetrics {
 public:
  explicit ClaimMetrics(MetricsRegistry& metrics);

  /// Counts a claim in (`by` 1) or out (`by` -1).
  void Count(const api::Object& claim, int by);
  void CountCreation(bool is_success, bool is_admin);

 private:
  MetricFamily<Gauge> claims_;
  MetricFamily<Counter> creations_;
};

}  // namespace plimsoll::controller
