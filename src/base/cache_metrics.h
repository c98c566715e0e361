#pragma once

#include <mutex>

#include "base/metrics.h"
#include "base/once_cache.h"

namespace plimsoll {

/// Exports a cache's hits and misses: `<name>{result="hit"}` and `<name>{result="miss"}`. Safe for
/// use by many threads. The registry must outlive it.
class CacheMetrics {
 public:
  /// REQUIRES: `spec` has no labels. The metrics count only what the cache counts after `start`.
  CacheMetrics(MetricsRegistry& metrics, MetricSpec spec, const CacheCounters& start)
      : CacheMetrics(AddFamily(metrics, std::move(spec)), start) {}

  /// Adds what the cache has counted since the last call.
  void Update(const CacheCounters& now) {
    const std::lock_guard lock(mutex_);
    if (now.hits > exported_.hits) hits_.Add(static_cast<double>(now.hits - exported_.hits));
    if (now.misses > exported_.misses)
      misses_.Add(static_cast<double>(now.misses - exported_.misses));
    exported_ = now;
  }

 private:
  static MetricFamily<Counter> AddFamily(MetricsRegistry& metrics, MetricSpec spec) {
    spec.labels = {"result"};
    return metrics.AddCounters(std::move(spec));
  }
  CacheMetrics(const MetricFamily<Counter>& family, const CacheCounters& start)
      : hits_(family.With({"hit"})), misses_(family.With({"miss"})), exported_(start) {}

  std::mutex mutex_;
  Counter hits_;
  Counter misses_;
  CacheCounters exported_;
};

}  // namespace plimsoll
