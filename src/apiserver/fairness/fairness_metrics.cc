#include "apiserver/fairness/fairness_metrics.h"

#include <string>
#include <vector>

namespace plimsoll::apiserver {
namespace {

MetricSpec Spec(std::string_view name, std::string help, std::vector<std::string> labels,
                Stability stability = Stability::Alpha) {
  return {std::string("apiserver_flowcontrol_").append(name), std::move(help), std::move(labels),
          stability};
}

MetricSpec FlowSpec(std::string_view name, std::string help,
                    Stability stability = Stability::Alpha) {
  return Spec(name, std::move(help), {"flow_schema", "priority_level"}, stability);
}

MetricSpec LevelSpec(std::string_view name, std::string help,
                     Stability stability = Stability::Alpha) {
  return Spec(name, std::move(help), {"priority_level"}, stability);
}

std::vector<double> SecondsBuckets() {
  return {0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30};
}

std::vector<double> UtilizationBuckets() { return LinearBuckets(0, 0.1, 11); }

}  // namespace

FairnessMetrics::FairnessMetrics(MetricsRegistry& registry)
    : dispatched_(registry.AddCounters(
          FlowSpec("dispatched_requests_total",
                   "Requests that were dispatched: they got their seats.", Stability::Beta))),
      rejected_(
          registry.AddCounters(Spec("rejected_requests_total", "Requests that were rejected.",
                                    {"flow_schema", "priority_level", "reason"}, Stability::Beta))),
      executing_requests_(registry.AddGauges(
          FlowSpec("current_executing_requests", "Requests that hold seats.", Stability::Beta))),
      executing_seats_(registry.AddGauges(
          FlowSpec("current_executing_seats", "Seats that are occupied.", Stability::Beta))),
      waiting_requests_(registry.AddGauges(
          FlowSpec("current_inqueue_requests", "Requests that wait in queues.", Stability::Beta))),
      waiting_seats_(registry.AddGauges(
          FlowSpec("current_inqueue_seats", "Seats that requests in queues wait for."))),
      execution_seconds_(registry.AddHistograms(
          Spec("request_execution_seconds", "How long requests held their seats.",
               {"flow_schema", "priority_level", "type"}),
          SecondsBuckets())),
      wait_seconds_(registry.AddHistograms(
          Spec("request_wait_duration_seconds", "How long requests waited in their queue.",
               {"execute", "flow_schema", "priority_level"}, Stability::Beta),
          SecondsBuckets())),
      queue_length_(registry.AddHistograms(
          FlowSpec("request_queue_length_after_enqueue",
                   "Length of the queue of each new request, after it was added."),
          {0, 10, 25, 50, 100, 250, 500, 1000})),
      estimated_seats_(registry.AddHistograms(
          FlowSpec("work_estimated_seats", "Seats that requests are estimated to need."),
          {1, 2, 4, 10})),
      nominal_limit_(registry.AddGauges(LevelSpec("nominal_limit_seats",
                                                  "Seats that the configuration gives the level.",
                                                  Stability::Beta))),
      lower_limit_(
          registry.AddGauges(LevelSpec("lower_limit_seats", "Seats that the level never lends."))),
      upper_limit_(registry.AddGauges(LevelSpec(
          "upper_limit_seats", "Maximum number of seats of the level, with borrowed ones."))),
      current_limit_(registry.AddGauges(
          LevelSpec("current_limit_seats", "Current number of seats of the level."))),
      current_r_(registry.AddGauges(
          LevelSpec("current_r", "Virtual time of the level's queues, in seat-seconds."))),
      demand_high_watermark_(registry.AddGauges(LevelSpec(
          "demand_seats_high_watermark", "Highest demand for seats in the last period."))),
      demand_average_(registry.AddGauges(
          LevelSpec("demand_seats_average", "Average demand for seats in the last period."))),
      demand_deviation_(registry.AddGauges(
          LevelSpec("demand_seats_stdev", "Standard deviation of the demand in the last period."))),
      demand_smoothed_(
          registry.AddGauges(LevelSpec("demand_seats_smoothed", "Smoothed demand for seats."))),
      target_(registry.AddGauges(
          LevelSpec("target_seats", "Seats that the level's demand calls for."))),
      demand_(registry.AddHistograms(
          LevelSpec("demand_seats", "Demand for seats as a share of the nominal seats, sampled."),
          {0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6})),
      seat_utilization_(
          registry.AddHistograms(Spec("priority_level_seat_utilization",
                                      "Occupied seats as a share of the level's seats, sampled.",
                                      {"phase", "priority_level"}),
                                 UtilizationBuckets())),
      request_utilization_(
          registry.AddHistograms(Spec("priority_level_request_utilization",
                                      "Requests as a share of the level's limit for them, sampled.",
                                      {"phase", "priority_level"}),
                                 UtilizationBuckets())),
      read_write_(registry.AddHistograms(
          Spec("read_vs_write_current_requests",
               "Observations, at the end of every second, of the number of requests (as a fraction "
               "of the relevant limit) waiting or in regular stage of execution",
               {"phase", "request_kind"}),
          {0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1})),
      watch_count_(registry.AddHistograms(
          FlowSpec("watch_count_samples",
                   "count of watchers for mutating requests in API Priority and Fairness"),
          {0, 1, 10, 100, 1000, 10000})),
      fair_fraction_(registry.AddGauge(
          Spec("seat_fair_frac", "Share of their target seats that levels got in the last period.",
               {}))) {}

FlowMetrics FairnessMetrics::OfFlow(std::string_view flow_schema,
                                    std::string_view priority_level) const {
  const auto& flow = flow_schema;
  const auto& level = priority_level;
  return {.dispatched = dispatched_.With({flow, level}),
          .queue_full = rejected_.With({flow, level, "queue-full"}),
          .concurrency_limit = rejected_.With({flow, level, "concurrency-limit"}),
          .timed_out = rejected_.With({flow, level, "time-out"}),
          .executing_requests = executing_requests_.With({flow, level}),
          .executing_seats = executing_seats_.With({flow, level}),
          .waiting_requests = waiting_requests_.With({flow, level}),
          .waiting_seats = waiting_seats_.With({flow, level}),
          .execution_seconds = execution_seconds_.With({flow, level, "regular"}),
          .watch_execution_seconds = execution_seconds_.With({flow, level, "watch"}),
          .wait_seconds = wait_seconds_.With({"true", flow, level}),
          .refused_wait_seconds = wait_seconds_.With({"false", flow, level}),
          .queue_length = queue_length_.With({flow, level}),
          .estimated_seats = estimated_seats_.With({flow, level}),
          .watch_count = watch_count_.With({flow, level}),
          .counts = counts_};
}

void FairnessMetrics::SampleReadWrite(const KindLimits& reading, const KindLimits& mutating) {
  const auto sample = [&](std::string_view phase, std::string_view kind, int count, double limit) {
    read_write_.With({phase, kind}).Observe(limit > 0 ? count / limit : 0.0);
  };
  const auto sample_kind = [&](bool is_mutating, const KindLimits& limits) {
    const ReadWriteCounts::Kind& counts = counts_->Of(is_mutating);
    const std::string_view kind = is_mutating ? "mutating" : "readOnly";
    sample("waiting", kind, counts.waiting.load(std::memory_order_relaxed), limits.waiting);
    sample("executing", kind, counts.executing.load(std::memory_order_relaxed), limits.executing);
  };
  sample_kind(false, reading);
  sample_kind(true, mutating);
}

LevelMetrics FairnessMetrics::OfLevel(std::string_view level) const {
  return {.nominal_limit = nominal_limit_.With({level}),
          .lower_limit = lower_limit_.With({level}),
          .upper_limit = upper_limit_.With({level}),
          .current_limit = current_limit_.With({level}),
          .current_r = current_r_.With({level}),
          .demand_high_watermark = demand_high_watermark_.With({level}),
          .demand_average = demand_average_.With({level}),
          .demand_deviation = demand_deviation_.With({level}),
          .demand_smoothed = demand_smoothed_.With({level}),
          .target = target_.With({level}),
          .demand = demand_.With({level}),
          .seat_utilization = seat_utilization_.With({"executing", level}),
          .waiting_utilization = request_utilization_.With({"waiting", level}),
          .executing_utilization = request_utilization_.With({"executing", level})};
}

}  // namespace plimsoll::apiserver
