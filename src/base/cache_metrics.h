#pragma once

#include <mutex>

#include "base/metrics.h"
#include "base/once_cache.h"

namespace plimsoll {

/// Exports how often a cache was asked: `<name>{result="hit"}` and `<name>{result="miss"}`. Safe
/// for use by many threads. The registry must outlive it.
class CacheMetrics {
 public:
  /// `spec` has no labels. Counts from `start` on, which is what the cache has counted so far.
  CacheMetrics(MetricsRegistry& metrics, MetricSpec spec, const CacheCounters& start)
      : CacheMetrics(AddFamily(metrics, std::move(spec)), start) {}

  /// Raises the metric to what the cache has counted by now.
  void Raise(const CacheCounters& now) {
    const std::lock_guard lock(mutex_);
    if (now.hits > told_.hits) hits_.Add(static_cast<double>(now.hits - told_.hits));
    if (now.misses > told_.misses) misses_.Add(static_cast<double>(now.misses - told_.misses));
    told_ = now;
  }

 private:
  static MetricFamily<Counter> AddFamily(MetricsRegistry& metrics, MetricSpec spec) {
    spec.labels = {"result"};
    return metrics.AddCounters(std::move(spec));
  }
  CacheMetrics(const MetricFamily<Counter>& family, const CacheCounters& start)
      : hits_(family.With({"hit"})), misses_(family.With({"miss"})), told_(start) {}

  std::mutex mutex_;
  Counter hits_;
  Counter misses_;
  CacheCounters told_;
};

}  // namespace plimsoll
