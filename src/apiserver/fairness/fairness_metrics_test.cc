#include "apiserver/fairness/fairness_metrics.h"

#include <gtest/gtest.h>

#include <string>

namespace plimsoll::apiserver {
namespace {

TEST(FairnessMetricsTest, HaveUpstreamsNamesAndLabels) {
  MetricsRegistry registry;
  FairnessMetrics metrics(registry);
  metrics.OfFlow("f", "l");
  metrics.OfLevel("l");
  metrics.SampleReadWrite({}, {});
  const std::string text = registry.Text();
  for (
      const std::string_view series : {
          R"(current_executing_requests{flow_schema="f",priority_level="l"})",
          R"(current_executing_seats{flow_schema="f",priority_level="l"})",
          R"(current_inqueue_requests{flow_schema="f",priority_level="l"})",
          R"(current_inqueue_seats{flow_schema="f",priority_level="l"})",
          R"(current_limit_seats{priority_level="l"})",
          R"(current_r{priority_level="l"})",
          R"(demand_seats_count{priority_level="l"})",
          R"(demand_seats_average{priority_level="l"})",
          R"(demand_seats_high_watermark{priority_level="l"})",
          R"(demand_seats_smoothed{priority_level="l"})",
          R"(demand_seats_stdev{priority_level="l"})",
          R"(dispatched_requests_total{flow_schema="f",priority_level="l"})",
          R"(lower_limit_seats{priority_level="l"})",
          R"(nominal_limit_seats{priority_level="l"})",
          R"(priority_level_request_utilization_count{phase="waiting",priority_level="l"})",
          R"(priority_level_seat_utilization_count{phase="executing",priority_level="l"})",
          R"(read_vs_write_current_requests_count{phase="executing",request_kind="mutating"})",
          R"(read_vs_write_current_requests_count{phase="waiting",request_kind="readOnly"})",
          R"(rejected_requests_total{flow_schema="f",priority_level="l",reason="queue-full"})",
          R"(rejected_requests_total{flow_schema="f",priority_level="l",reason="time-out"})",
          R"(request_execution_seconds_count{flow_schema="f",priority_level="l",type="regular"})",
          R"(request_queue_length_after_enqueue_count{flow_schema="f",priority_level="l"})",
          R"(request_wait_duration_seconds_count{execute="true",flow_schema="f",priority_level="l"})",
          R"(seat_fair_frac)",
          R"(target_seats{priority_level="l"})",
          R"(upper_limit_seats{priority_level="l"})",
          R"(watch_count_samples_count{flow_schema="f",priority_level="l"})",
          R"(work_estimated_seats_count{flow_schema="f",priority_level="l"})",
      }) {
    EXPECT_TRUE(text.contains("\napiserver_flowcontrol_" + std::string(series) + " ")) << series;
  }
}

TEST(FairnessMetricsTest, RequestsOfAKindAreAShareOfItsLimit) {
  MetricsRegistry registry;
  FairnessMetrics metrics(registry);
  ReadWriteCounts& counts = *metrics.OfFlow("f", "l").counts;
  counts.Of(false).executing = 3;
  counts.Of(true).waiting = 5;
  metrics.SampleReadWrite({.waiting = 100, .executing = 12}, {.waiting = 50, .executing = 8});
  const std::string text = registry.Text();
  for (const std::string_view series : {
           R"({phase="executing",request_kind="readOnly"} 0.25)",
           R"({phase="waiting",request_kind="readOnly"} 0)",
           R"({phase="executing",request_kind="mutating"} 0)",
           R"({phase="waiting",request_kind="mutating"} 0.1)",
       }) {
    EXPECT_TRUE(text.contains("read_vs_write_current_requests_sum" + std::string(series) + "\n"))
        << series;
  }
}

}  // namespace
}  // namespace plimsoll::apiserver
