#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/metrics.h"
#include "base/time.h"
#include "scheduler/framework/framework.h"

namespace plimsoll::scheduler {

enum class QueueName : std::uint8_t { Active, Backoff, Unschedulable, Gated };

/// How an attempt ended.
enum class AttemptResult : std::uint8_t { Scheduled, Unschedulable, Error };

/// Profiles and plugins by their place, as in the scheduler's options.
struct ProfileShape {
  std::string name;
  std::vector<std::pair<std::string_view, ExtensionPoints>> plugins;
};

/// The scheduler's metrics, with upstream's names, labels and buckets. Series are looked up once
/// and then kept, because some are counted for every pod.
class SchedulerMetrics final : public PluginObserver {
 public:
  SchedulerMetrics(MetricsRegistry& registry, std::vector<ProfileShape> profiles);

  // Attempts.
  void Attempted(std::size_t profile, AttemptResult result, Duration took);
  void AlgorithmRan(Duration took) { algorithm_.Observe(Seconds(took)); }
  void PointRan(std::size_t profile, ExtensionPoint point, Code status, Duration took);
  void PluginRan(std::string_view plugin, ExtensionPoint point, Code status,
                 Duration took) override;
  void Evaluated(std::size_t profile, std::size_t plugin, ExtensionPoint point, Code status,
                 double times);
  /// A pod is bound: how often it was tried, and how long that took in all.
  void PodScheduled(std::uint32_t attempts, Duration since_first, bool was_flushed);
  void Preempted(std::size_t victims);
  void PreemptionTried() { preemption_attempts_.Add(); }

  // The queue.
  void Incoming(QueueName queue, std::string_view label);
  void Refusals(std::size_t profile, std::size_t plugin, double by);
  void SetPending(QueueName queue, std::size_t pods);
  void SetCacheSize(std::size_t nodes, std::size_t pods, std::size_t assumed);

  // Tolerations that compare (D18, D19).
  void PlacedWithNumericToleration() { numeric_tolerations_.Add(); }
  void NumericMismatch() { numeric_mismatches_.Add(); }
  void TolerationParseFailure() { parse_failures_.Add(); }

 private:
  static double Seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
  }

  std::vector<ProfileShape> profiles_;

  MetricFamily<Histogram> point_family_;
  MetricFamily<Histogram> plugin_family_;
  MetricFamily<Counter> evaluation_family_;
  MetricFamily<Counter> incoming_family_;
  MetricFamily<Histogram> sli_family_;

  Histogram algorithm_;
  Histogram attempts_;
  Counter after_flush_;
  Counter preemption_attempts_;
  Histogram preemption_victims_;
  Counter numeric_tolerations_;
  Counter numeric_mismatches_;
  Counter parse_failures_;
  std::array<Gauge, 4> pending_;     // by QueueName
  std::array<Gauge, 3> cache_size_;  // assumed_pods, nodes, pods

  // By profile and AttemptResult.
  std::vector<std::array<Counter, 3>> attempt_counts_;
  std::vector<std::array<Histogram, 3>> attempt_durations_;
  // By profile and plugin.
  std::vector<std::vector<Gauge>> refusals_;
  // Found by where the label lies, as a label always lies in one place.
  std::array<std::vector<std::pair<const char*, Counter>>, 4> incoming_;
  std::vector<std::optional<Histogram>> points_;  // by profile, point and code
  std::map<std::tuple<std::string_view, ExtensionPoint, Code>, Histogram> plugins_;
  std::map<std::tuple<std::size_t, std::size_t, ExtensionPoint, Code>, Counter> evaluations_;
  std::vector<Histogram> sli_;  // by the number of attempts
};

}  // namespace plimsoll::scheduler
