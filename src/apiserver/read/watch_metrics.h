#pragma once

#include "apiserver/resource/resource.h"
#include "base/metrics.h"

namespace plimsoll::apiserver {

/// The metrics of one resource's watches.
struct WatchCounters {
  Counter events;
  Histogram sizes;
  Counter terminated;

  /// An event of that size went to so many.
  void CountSent(std::size_t bytes, std::size_t watches = 1) {
    events.Add(static_cast<double>(watches));
    sizes.Observe(static_cast<double>(bytes), watches);
  }
};

class WatchMetrics {
 public:
  explicit WatchMetrics(MetricsRegistry& registry);
  WatchCounters Of(const Resource& resource) const;

 private:
  MetricFamily<Counter> events_;
  MetricFamily<Histogram> sizes_;
  MetricFamily<Counter> terminated_;
};

}  // namespace plimsoll::apiserver
