#pragma once

#include "apiserver/resource/resource.h"
#include "base/metrics.h"

namespace plimsoll::apiserver {

/// Metrics of the watches of one resource.
struct WatchCounters {
  Counter events;
  Histogram sizes;
  Counter terminated;

  /// Counts an event of this size, sent to this many watches.
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
