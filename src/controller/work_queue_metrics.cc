#include "controller/work_queue_metrics.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::controller {
namespace {

double Seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

MetricSpec Spec(std::string name, std::string help) {
  return {"workqueue_" + std::move(name), std::move(help), {"name"}, Stability::Beta};
}

std::vector<double> DurationBuckets() { return ExponentialBuckets(10e-7, 10, 10); }

}  // namespace

Duration QueueMeter::AddKey() {
  series_.adds.Add();
  series_.depth.Add(1);
  return stopwatch_();
}

void QueueMeter::TakeKey(Duration added_at) {
  FinishKey();
  const Duration now = stopwatch_();
  series_.depth.Add(-1);
  series_.queue_duration.Observe(Seconds(now - added_at));
  working_since_.store(now, std::memory_order_relaxed);
}

void QueueMeter::FinishKey() {
  const Duration since = working_since_.exchange(kIdle, std::memory_order_relaxed);
  if (since != kIdle) series_.work_duration.Observe(Seconds(stopwatch_() - since));
}

void QueueMeter::Refresh() {
  const Duration since = working_since_.load(std::memory_order_relaxed);
  const double seconds = since == kIdle ? 0 : Seconds(stopwatch_() - since);
  // One thread processes the keys, so at most one is in progress.
  series_.unfinished_work.Set(seconds);
  series_.longest_running.Set(seconds);
}

WorkQueueMetrics::WorkQueueMetrics(MetricsRegistry& registry, Stopwatch stopwatch)
    : registry_(registry),
      stopwatch_(stopwatch),
      depth_(registry.AddGauges(Spec("depth", "Current depth of workqueue"))),
      adds_(registry.AddCounters(Spec("adds_total", "Total number of adds handled by workqueue"))),
      retries_(registry.AddCounters(
          Spec("retries_total", "Total number of retries handled by workqueue"))),
      queue_duration_(registry.AddHistograms(
          Spec("queue_duration_seconds",
               "How long in seconds an item stays in workqueue before being requested."),
          DurationBuckets())),
      work_duration_(registry.AddHistograms(
          Spec("work_duration_seconds",
               "How long in seconds processing an item from workqueue takes."),
          DurationBuckets())),
      unfinished_work_(registry.AddGauges(
          Spec("unfinished_work_seconds",
               "How many seconds of work has done that is in progress and hasn't been observed by "
               "work_duration. Large values indicate stuck threads. One can deduce the number of "
               "stuck threads by observing the rate at which this increases."))),
      longest_running_(registry.AddGauges(
          Spec("longest_running_processor_seconds",
               "How many seconds has the longest running processor for workqueue been "
               "running."))) {}

QueueMeter& WorkQueueMetrics::Add(std::string_view name) {
  auto meter = std::make_unique<QueueMeter>(
      QueueMeter::Series{.depth = depth_.With({name}),
                         .adds = adds_.With({name}),
                         .retries = retries_.With({name}),
                         .queue_duration = queue_duration_.With({name}),
                         .work_duration = work_duration_.With({name}),
                         .unfinished_work = unfinished_work_.With({name}),
                         .longest_running = longest_running_.With({name})},
      stopwatch_);
  QueueMeter& added = *meter;
  registry_.AddSource(std::move(meter));
  return added;
}

}  // namespace plimsoll::controller
