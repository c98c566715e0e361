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
#include "scheduler/tally.h"

namespace plimsoll::scheduler {

enum class QueueName : std::uint8_t { Active, Backoff, Unschedulable, Gated };

/// Result of a scheduling attempt.
enum class AttemptResult : std::uint8_t { Scheduled, Unschedulable, Error };

/// API calls that the scheduler sends without blocking on the response.
enum class CallType : std::uint8_t { PodBinding, PodStatusPatch };
inline constexpr std::size_t kCallTypes = 2;

/// Profile name and its plugins, in the order of the scheduler's options.
struct ProfileShape {
  std::string name;
  std::vector<std::pair<std::string_view, ExtensionPoints>> plugins;
};

/// The scheduler's metrics, with upstream's names, labels and buckets. Series are looked up once
/// and cached, because some are updated for every pod.
class SchedulerMetrics final : public PluginObserver {
 public:
  SchedulerMetrics(MetricsRegistry& registry, std::vector<ProfileShape> profiles);

  // Attempts.
  void Attempted(std::size_t profile, AttemptResult result, Duration took);
  void AlgorithmRan(Duration took) { algorithm_.Observe(Seconds(took)); }
  void PointRan(std::size_t profile, ExtensionPoint point, Code status, Duration took);
  /// Sets the profile that later PluginRan() calls belong to.
  void Sample(std::size_t profile) { sampled_profile_ = profile; }
  void PluginRan(std::string_view plugin, ExtensionPoint point, Code status,
                 Duration took) override;
  void Evaluated(std::size_t profile, std::size_t plugin, ExtensionPoint point, Code status,
                 double times);
  /// Records a bound pod: its number of attempts, and the time since it first became active.
  void PodScheduled(std::uint32_t attempts, Duration since_first, bool was_flushed);
  void Preempted(std::size_t victims);
  void PreemptionTried() { preemption_attempts_.Add(); }
  /// Records the end of a preemption. `is_done`: every eviction request succeeded.
  void PreemptionEnded(bool is_done, Duration took);
  /// Records the end of a pod's wait at Permit: allowed or rejected.
  void PermitEnded(Code result, Duration waited);

  // The queue.
  void Incoming(QueueName queue, std::string_view label);
  void Refusals(std::size_t profile, std::size_t plugin, double by);
  void SetPending(QueueName queue, std::size_t pods);
  void SetCacheSize(std::size_t nodes, std::size_t pods, std::size_t assumed);

  /// Records that a cluster event was processed. `label` comes from EventLabel.
  void EventHandled(std::string_view label, Duration took);
  void HintGiven(std::string_view plugin, std::string_view label, Hint hint, Duration took);
  /// Adds `by` to the number of in-flight events or pods with this label.
  void InFlight(std::string_view label, double by);

  // Calls.
  void CallEnded(CallType type, bool is_done, Duration took);
  void SetPendingCalls(CallType type, std::size_t calls);

  /// Publishes the buffered durations of events, calls and extension points. Scrapes do not show
  /// them before.
  void Flush();

  // Tolerations and selectors that compare numbers or versions.
  void PlacedWithNumericToleration() { numeric_tolerations_.Add(); }
  void NumericMismatch() { numeric_mismatches_.Add(); }
  void TolerationParseFailure() { parse_failures_.Add(); }
  void LabelParseFailure() { label_failures_.Add(); }
  /// Sets the total hits and misses of the cache of compiled expressions since the start.
  void SetExpressionCache(std::uint64_t hits, std::uint64_t misses);

 private:
  static double Seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
  }

  /// Returns both histograms that record the plugin's durations.
  std::array<Histogram*, 2> SeriesOf(std::size_t profile, std::string_view plugin,
                                     ExtensionPoint point, Code status);

  /// One series per label, found by the label's address: each label is one string constant.
  template <class Metric>
  using ByLabel = std::vector<std::pair<const char*, Metric>>;

  std::vector<ProfileShape> profiles_;

  MetricFamily<Histogram> point_family_;
  MetricFamily<Histogram> plugin_family_;
  MetricFamily<Counter> evaluation_family_;
  MetricFamily<Counter> incoming_family_;
  MetricFamily<Histogram> sli_family_;
  MetricFamily<Histogram> handling_family_;
  MetricFamily<Histogram> hint_family_;
  MetricFamily<Gauge> in_flight_family_;
  MetricFamily<Histogram> permit_family_;

  Histogram algorithm_;
  Histogram attempts_;
  Counter after_flush_;
  Counter preemption_attempts_;
  Histogram preemption_victims_;
  Counter numeric_tolerations_;
  Counter numeric_mismatches_;
  Counter parse_failures_;
  Counter label_failures_;
  std::array<Counter, 2> expression_cache_;  // hit, miss
  std::array<Gauge, 4> pending_;             // by QueueName
  std::array<Gauge, 3> cache_size_;          // assumed_pods, nodes, pods
  // Indexed by success: 0 failed, 1 done.
  std::array<Counter, 2> preemption_ends_;
  std::array<Histogram, 2> preemption_durations_;
  // Indexed by CallType, then by success.
  std::array<std::array<Counter, 2>, kCallTypes> call_counts_;
  std::array<std::array<Tally, 2>, kCallTypes> call_durations_;
  std::array<Gauge, kCallTypes> pending_calls_;

  // Indexed by profile and AttemptResult.
  std::vector<std::array<Counter, 3>> attempt_counts_;
  std::vector<std::array<Histogram, 3>> attempt_durations_;
  // The same two metrics under the names that the design documents use.
  std::vector<std::array<Counter, 3>> attempt_counts_by_other_name_;
  std::vector<std::array<Histogram, 3>> attempt_durations_by_other_name_;
  // Indexed by profile and plugin.
  std::vector<std::vector<Gauge>> refusals_;
  std::array<ByLabel<Counter>, 4> incoming_;
  ByLabel<Tally> handling_;
  ByLabel<Gauge> in_flight_;
  std::vector<std::optional<Tally>> points_;  // indexed by profile, point and code
  std::map<std::tuple<std::string_view, ExtensionPoint, Code>, Histogram> plugins_;
  std::size_t sampled_profile_ = 0;
  std::map<std::tuple<std::size_t, std::string_view, ExtensionPoint, Code>, Histogram>
      plugin_points_;
  std::map<std::tuple<std::size_t, std::size_t, ExtensionPoint, Code>, Counter> evaluations_;
  std::map<std::tuple<std::string_view, std::string_view, Hint>, Histogram> hints_;
  std::map<Code, Histogram> permits_;
  std::vector<Histogram> sli_;  // indexed by number of attempts
};

}  // namespace plimsoll::scheduler
