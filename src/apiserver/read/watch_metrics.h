#pragma once

#include "apiserver/resource/resource.h"
#include "base/metrics.h"

namespace plimsoll::apiserver {

/// The metrics of one resource's watches.
struct WatchCounters {
  Counter events;
  Histogram sizes;
  Counter terminated;
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
