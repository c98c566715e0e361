#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "base/metrics.h"
#include "base/time.h"

namespace plimsoll::controller {

/// Returns a monotonic time with an unspecified start.
using Stopwatch = Duration (*)();

/// Measures one WorkQueue, which calls it from its thread.
class QueueMeter final : public MetricsSource {
 public:
  struct Series {
    Gauge depth;
    Counter adds;
    Counter retries;
    Histogram queue_duration;
    Histogram work_duration;
    Gauge unfinished_work;
    Gauge longest_running;
  };
  QueueMeter(const Series& series, Stopwatch stopwatch) : series_(series), stopwatch_(stopwatch) {}

  /// Counts a key that is due, and returns the time, for TakeKey.
  Duration AddKey();
  /// Counts a due key that leaves the queue unprocessed.
  void DropKey() { series_.depth.Add(-1); }
  void RetryKey() { series_.retries.Add(); }
  /// The processing of a key begins, and that of the key before it ends.
  void TakeKey(Duration added_at);
  /// The processing of the last taken key has ended. May be called again.
  void FinishKey();

  /// Sets the gauges of the work in progress. May be called by any thread.
  void Refresh() override;

 private:
  static constexpr Duration kIdle = Duration::min();

  Series series_;
  const Stopwatch stopwatch_;
  std::atomic<Duration> working_since_ = kIdle;
};

/// Metrics of the controllers' work queues, with client-go's names: workqueue_depth and so on. The
/// time of a key's work is that of the controller's decision. It does not include the requests to
/// the API server, because controllers do not wait for them.
class WorkQueueMetrics {
 public:
  /// The registry must outlive this object.
  WorkQueueMetrics(MetricsRegistry& registry, Stopwatch stopwatch);

  /// Adds a queue. Its meter lives as long as the registry.
  QueueMeter& Add(std::string_view name);

 private:
  MetricsRegistry& registry_;
  const Stopwatch stopwatch_;
  MetricFamily<Gauge> depth_;
  MetricFamily<Counter> adds_;
  MetricFamily<Counter> retries_;
  MetricFamily<Histogram> queue_duration_;
  MetricFamily<Histogram> work_duration_;
  MetricFamily<Gauge> unfinished_work_;
  MetricFamily<Gauge> longest_running_;
};

}  // namespace plimsoll::controller
