#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string_view>

#include "base/metrics.h"

namespace plimsoll::apiserver {

/// Requests that wait and execute now, at all levels: reading ones, then mutating ones.
struct ReadWriteCounts {
  struct Kind {
    std::atomic<int> waiting = 0;
    std::atomic<int> executing = 0;
  };

  Kind& Of(bool is_mutating) { return kinds[is_mutating ? 1 : 0]; }

  std::array<Kind, 2> kinds;
};

/// Limits of the requests of one kind. Zero: there is no such limit.
struct KindLimits {
  double waiting = 0;
  double executing = 0;
};

/// Series of one FlowSchema at its priority level.
struct FlowMetrics {
  Counter dispatched;
  Counter queue_full;
  Counter concurrency_limit;
  Counter timed_out;
  Gauge executing_requests;
  Gauge executing_seats;
  Gauge waiting_requests;
  Gauge waiting_seats;
  Histogram execution_seconds;        // type="regular"
  Histogram watch_execution_seconds;  // type="watch"
  Histogram wait_seconds;             // execute="true"
  Histogram refused_wait_seconds;     // execute="false"
  Histogram queue_length;
  Histogram estimated_seats;
  Histogram watch_count;
  std::shared_ptr<ReadWriteCounts> counts;  // shared by all flows
};

/// Series of one priority level.
struct LevelMetrics {
  Gauge nominal_limit;
  Gauge lower_limit;
  Gauge upper_limit;
  Gauge current_limit;
  Gauge current_r;
  Gauge demand_high_watermark;
  Gauge demand_average;
  Gauge demand_deviation;
  Gauge demand_smoothed;
  Gauge target;
  Histogram demand;
  Histogram seat_utilization;
  Histogram waiting_utilization;
  Histogram executing_utilization;
};

/// The `apiserver_flowcontrol_*` metrics, under upstream's names. Safe for use by many threads.
class FairnessMetrics {
 public:
  explicit FairnessMetrics(MetricsRegistry& registry);

  FlowMetrics OfFlow(std::string_view flow_schema, std::string_view priority_level) const;
  LevelMetrics OfLevel(std::string_view priority_level) const;
  Gauge& fair_fraction() { return fair_fraction_; }
  /// Observes the reading and the mutating requests of this moment as shares of their limits.
  void SampleReadWrite(const KindLimits& reading, const KindLimits& mutating);

 private:
  MetricFamily<Counter> dispatched_;
  MetricFamily<Counter> rejected_;
  MetricFamily<Gauge> executing_requests_;
  MetricFamily<Gauge> executing_seats_;
  MetricFamily<Gauge> waiting_requests_;
  MetricFamily<Gauge> waiting_seats_;
  MetricFamily<Histogram> execution_seconds_;
  MetricFamily<Histogram> wait_seconds_;
  MetricFamily<Histogram> queue_length_;
  MetricFamily<Histogram> estimated_seats_;
  MetricFamily<Gauge> nominal_limit_;
  MetricFamily<Gauge> lower_limit_;
  MetricFamily<Gauge> upper_limit_;
  MetricFamily<Gauge> current_limit_;
  MetricFamily<Gauge> current_r_;
  MetricFamily<Gauge> demand_high_watermark_;
  MetricFamily<Gauge> demand_average_;
  MetricFamily<Gauge> demand_deviation_;
  MetricFamily<Gauge> demand_smoothed_;
  MetricFamily<Gauge> target_;
  MetricFamily<Histogram> demand_;
  MetricFamily<Histogram> seat_utilization_;
  MetricFamily<Histogram> request_utilization_;
  MetricFamily<Histogram> read_write_;
  MetricFamily<Histogram> watch_count_;
  std::shared_ptr<ReadWriteCounts> counts_ = std::make_shared<ReadWriteCounts>();
  Gauge fair_fraction_;
};

}  // namespace plimsoll::apiserver
