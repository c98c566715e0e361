#include "scheduler/metrics.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"
#include "base/omitted_label.h"
#include "scheduler/limits.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::size_t kPoints = std::countr_zero(std::uint16_t{kPostBind}) + 1;
constexpr std::size_t kCodes = static_cast<std::size_t>(Code::Pending) + 1;

std::string_view ToLabel(AttemptResult result) {
  switch (result) {
    case AttemptResult::Scheduled:
      return "scheduled";
    case AttemptResult::Unschedulable:
      return "unschedulable";
    case AttemptResult::Error:
      return "error";
  }
  return "";
}

std::string_view ToLabel(QueueName queue) {
  switch (queue) {
    case QueueName::Active:
      return "active";
    case QueueName::Backoff:
      return "backoff";
    case QueueName::Unschedulable:
      return "unschedulable";
    case QueueName::Gated:
      return "gated";
  }
  return "";
}

std::string_view ToLabel(CallType type) {
  switch (type) {
    case CallType::PodBinding:
      return "pod_binding";
    case CallType::PodStatusPatch:
      return "pod_status_patch";
  }
  return "";
}

struct Description {
  std::string_view name;  // without the prefix scheduler_
  std::array<std::string_view, 4> labels;
  Stability stability;
  std::string_view help;
};

constexpr Description kDescriptions[] = {
    {"framework_extension_point_duration_seconds",
     {"extension_point", "plugin", "profile", "status"},
     Stability::Stable,
     "Latency for running all plugins of a specific extension point."},
    {"plugin_execution_duration_seconds",
     {"extension_point", "plugin", "status"},
     Stability::Alpha,
     "Duration for running a plugin at a specific extension point."},
    {"plugin_evaluation_total",
     {"extension_point", "plugin", "profile", "status"},
     Stability::Alpha,
     "Number of attempts to schedule pods by each plugin and the extension point, by the status "
     "that the plugin returned."},
    {"queue_incoming_pods_total",
     {"event", "queue"},
     Stability::Stable,
     "Number of pods added to scheduling queues by event and queue type."},
    {"pod_scheduling_sli_duration_seconds",
     {"attempts"},
     Stability::Beta,
     "Latency for a pod being scheduled, over all attempts, from the time it was first ready for "
     "one."},
    {"scheduling_algorithm_duration_seconds",
     {},
     Stability::Alpha,
     "Scheduling algorithm latency in seconds"},
    {"pod_scheduling_attempts",
     {},
     Stability::Stable,
     "Number of attempts to successfully schedule a pod."},
    {"pod_scheduled_after_flush_total",
     {},
     Stability::Alpha,
     "Number of pods that were scheduled after a timeout had moved them out of the unschedulable "
     "pods."},
    {"preemption_attempts_total",
     {},
     Stability::Stable,
     "Total preemption attempts in the cluster till now"},
    {"preemption_victims", {}, Stability::Stable, "Number of selected preemption victims"},
    {"numeric_tolerations_total",
     {},
     Stability::Alpha,
     "Number of pods scheduled that have a toleration with a numeric operator."},
    {"numeric_taint_mismatches_total",
     {},
     Stability::Alpha,
     "Number of failed attempts in which a numeric toleration had the key and effect of a node's "
     "taint, but the taint's value was beyond its threshold."},
    {"toleration_parse_failures_total",
     {},
     Stability::Alpha,
     "Number of failed attempts in which a toleration could not be compared with a node's taint: "
     "a value was no number or no version, or the expression failed."},
    {"label_parse_failures_total",
     {},
     Stability::Alpha,
     "Number of failed attempts in which node affinity could not be compared with a node's label, "
     "because the label's value was no number or no version."},
    {"toleration_expression_cache_total",
     {"result"},
     Stability::Alpha,
     "Lookups of compiled toleration expressions: hit if it was in the cache, miss if it was "
     "compiled."},
    {"pending_pods",
     {"queue"},
     Stability::Stable,
     "Number of pending pods, by the queue type: active (ready for an attempt), backoff (waiting "
     "for the end of its back-off), unschedulable (waiting for an event), gated (by scheduling "
     "gates)."},
    {"cache_size",
     {"type"},
     Stability::Alpha,
     "Number of nodes, pods, and assumed (bound) pods in the scheduler cache."},
    {"schedule_attempts_total",
     {"profile", "result"},
     Stability::Stable,
     "Number of attempts to schedule pods, by the result. 'unschedulable' means a pod could not be "
     "scheduled, while 'error' means an internal scheduler problem."},
    {"scheduling_attempt_duration_seconds",
     {"profile", "result"},
     Stability::Stable,
     "Scheduling attempt latency in seconds (scheduling algorithm + binding)"},
    {"scheduling_attempts_total",
     {"profile", "result"},
     Stability::Alpha,
     "The same as scheduler_schedule_attempts_total."},
    {"scheduling_duration_seconds",
     {"profile", "result"},
     Stability::Alpha,
     "The same as scheduler_scheduling_attempt_duration_seconds."},
    {"unschedulable_pods",
     {"plugin", "profile"},
     Stability::Alpha,
     "The number of unschedulable pods broken down by plugin name. A pod counts for each plugin "
     "that rejected it."},
    {"event_handling_duration_seconds",
     {"event"},
     Stability::Alpha,
     "Time to process an event of the cluster and to move pods in the queue."},
    {"queueing_hint_execution_duration_seconds",
     {"event", "hint", "plugin"},
     Stability::Alpha,
     "Time that a queueing hint of a plugin takes."},
    {"inflight_events",
     {"event"},
     Stability::Alpha,
     "Number of events that the queue keeps for pods in flight, and of these pods (PodPopped)."},
    {"permit_wait_duration_seconds",
     {"result"},
     Stability::Beta,
     "Time that pods waited for Permit plugins, by result."},
    {"preemption_goroutines_execution_total",
     {"result"},
     Stability::Alpha,
     "Number of preemptions, by whether all victims could be deleted."},
    {"preemption_goroutines_duration_seconds",
     {"result"},
     Stability::Alpha,
     "Time from the choice of the victims until all of them were deleted."},
    {"async_api_call_execution_total",
     {"call_type", "result"},
     Stability::Alpha,
     "Number of asynchronous API calls that were answered."},
    {"async_api_call_execution_duration_seconds",
     {"call_type", "result"},
     Stability::Alpha,
     "Time from an asynchronous API call to its answer."},
    {"pending_async_api_calls",
     {"call_type"},
     Stability::Alpha,
     "Number of asynchronous API calls without an answer yet."},
};

MetricSpec Spec(std::string_view name) {
  const auto* const found = std::ranges::find(kDescriptions, name, &Description::name);
  PL_ASSERT(found != std::end(kDescriptions));
  MetricSpec spec{.name = std::string("scheduler_").append(name), .help = std::string(found->help)};
  spec.stability = found->stability;
  for (const std::string_view label : found->labels) {
    if (!label.empty()) spec.labels.emplace_back(label);
  }
  return spec;
}

std::vector<double> PointBuckets() { return ExponentialBuckets(0.0001, 2, 12); }
std::vector<double> AttemptBuckets() { return ExponentialBuckets(0.001, 2, 15); }

std::array<Gauge, 4> PendingGauges(const MetricFamily<Gauge>& family) {
  const auto with = [&](QueueName queue) { return family.With({ToLabel(queue)}); };
  return {with(QueueName::Active), with(QueueName::Backoff), with(QueueName::Unschedulable),
          with(QueueName::Gated)};
}

std::array<Counter, 2> HitAndMiss(const MetricFamily<Counter>& family) {
  return {family.With({"hit"}), family.With({"miss"})};
}

std::array<Gauge, 3> CacheGauges(const MetricFamily<Gauge>& family) {
  return {family.With({"assumed_pods"}), family.With({"nodes"}), family.With({"pods"})};
}

template <class Metric>
std::array<Metric, 2> ByOutcome(const MetricFamily<Metric>& family) {
  return {family.With({"error"}), family.With({"success"})};
}

/// Calls `make` for each call type and each result ("error", "success").
template <class Make>
auto ByCall(const Make& make) {
  const auto with = [&](CallType type) {
    return std::array{make(ToLabel(type), "error"), make(ToLabel(type), "success")};
  };
  return std::array{with(CallType::PodBinding), with(CallType::PodStatusPatch)};
}

auto CallCounters(const MetricFamily<Counter>& family) {
  return ByCall(
      [&](std::string_view type, std::string_view result) { return family.With({type, result}); });
}

auto CallTallies(MetricsRegistry& registry) {
  const std::vector<double> bounds = ExponentialBuckets(0.001, 2, 15);
  const MetricFamily<Histogram> family =
      registry.AddHistograms(Spec("async_api_call_execution_duration_seconds"), bounds);
  return ByCall([&](std::string_view type, std::string_view result) {
    return Tally(family.With({type, result}), bounds);
  });
}

std::array<Gauge, kCallTypes> PendingCallGauges(const MetricFamily<Gauge>& family) {
  return {family.With({ToLabel(CallType::PodBinding)}),
          family.With({ToLabel(CallType::PodStatusPatch)})};
}

template <class Metric>
std::vector<std::array<Metric, 3>> ByResult(const MetricFamily<Metric>& family,
                                            const std::vector<ProfileShape>& profiles) {
  std::vector<std::array<Metric, 3>> series;
  for (const ProfileShape& profile : profiles) {
    const auto with = [&](AttemptResult result) {
      return family.With({profile.name, ToLabel(result)});
    };
    series.push_back({with(AttemptResult::Scheduled), with(AttemptResult::Unschedulable),
                      with(AttemptResult::Error)});
  }
  return series;
}

std::vector<std::vector<Gauge>> ByPlugin(const MetricFamily<Gauge>& family,
                                         const std::vector<ProfileShape>& profiles) {
  std::vector<std::vector<Gauge>> series;
  for (const ProfileShape& profile : profiles) {
    std::vector<Gauge>& row = series.emplace_back();
    for (const auto& [plugin, points] : profile.plugins) {
      row.push_back(family.With({plugin, profile.name}));
    }
  }
  return series;
}

/// Returns the cached series for `key`; creates it on first use.
template <class Map, class Make>
auto& Kept(Map& map, const typename Map::key_type& key, const Make& make) {
  const auto found = map.find(key);
  return found != map.end() ? found->second : map.emplace(key, make()).first->second;
}

/// Same as above, but compares labels by address.
template <class Metric, class Make>
Metric& KeptByLabel(std::vector<std::pair<const char*, Metric>>& known, std::string_view label,
                    const Make& make) {
  for (auto& [data, metric] : known) {
    if (data == label.data()) return metric;
  }
  return known.emplace_back(label.data(), make()).second;
}

}  // namespace

SchedulerMetrics::SchedulerMetrics(MetricsRegistry& registry, std::vector<ProfileShape> profiles)
    : profiles_(std::move(profiles)),
      point_family_(registry.AddHistograms(Spec("framework_extension_point_duration_seconds"),
                                           PointBuckets())),
      plugin_family_(registry.AddHistograms(Spec("plugin_execution_duration_seconds"),
                                            ExponentialBuckets(0.00001, 1.5, 20))),
      evaluation_family_(registry.AddCounters(Spec("plugin_evaluation_total"))),
      incoming_family_(registry.AddCounters(Spec("queue_incoming_pods_total"))),
      sli_family_(registry.AddHistograms(Spec("pod_scheduling_sli_duration_seconds"),
                                         ExponentialBuckets(0.01, 2, 20))),
      handling_family_(
          registry.AddHistograms(Spec("event_handling_duration_seconds"), PointBuckets())),
      hint_family_(registry.AddHistograms(Spec("queueing_hint_execution_duration_seconds"),
                                          ExponentialBuckets(0.00001, 1.5, 20))),
      in_flight_family_(registry.AddGauges(Spec("inflight_events"))),
      permit_family_(registry.AddHistograms(Spec("permit_wait_duration_seconds"),
                                            ExponentialBuckets(0.001, 2, 15))),
      algorithm_(registry.AddHistogram(Spec("scheduling_algorithm_duration_seconds"),
                                       ExponentialBuckets(0.001, 2, 15))),
      attempts_(
          registry.AddHistogram(Spec("pod_scheduling_attempts"), ExponentialBuckets(1, 2, 5))),
      after_flush_(registry.AddCounter(Spec("pod_scheduled_after_flush_total"))),
      preemption_attempts_(registry.AddCounter(Spec("preemption_attempts_total"))),
      preemption_victims_(
          registry.AddHistogram(Spec("preemption_victims"), ExponentialBuckets(1, 2, 7))),
      numeric_tolerations_(registry.AddCounter(Spec("numeric_tolerations_total"))),
      numeric_mismatches_(registry.AddCounter(Spec("numeric_taint_mismatches_total"))),
      parse_failures_(registry.AddCounter(Spec("toleration_parse_failures_total"))),
      label_failures_(registry.AddCounter(Spec("label_parse_failures_total"))),
      expression_cache_(
          HitAndMiss(registry.AddCounters(Spec("toleration_expression_cache_total")))),
      pending_(PendingGauges(registry.AddGauges(Spec("pending_pods")))),
      cache_size_(CacheGauges(registry.AddGauges(Spec("cache_size")))),
      preemption_ends_(
          ByOutcome(registry.AddCounters(Spec("preemption_goroutines_execution_total")))),
      preemption_durations_(ByOutcome(registry.AddHistograms(
          Spec("preemption_goroutines_duration_seconds"), ExponentialBuckets(0.01, 2, 20)))),
      call_counts_(CallCounters(registry.AddCounters(Spec("async_api_call_execution_total")))),
      call_durations_(CallTallies(registry)),
      pending_calls_(PendingCallGauges(registry.AddGauges(Spec("pending_async_api_calls")))),
      attempt_counts_(ByResult(registry.AddCounters(Spec("schedule_attempts_total")), profiles_)),
      attempt_durations_(ByResult(
          registry.AddHistograms(Spec("scheduling_attempt_duration_seconds"), AttemptBuckets()),
          profiles_)),
      attempt_counts_by_other_name_(
          ByResult(registry.AddCounters(Spec("scheduling_attempts_total")), profiles_)),
      attempt_durations_by_other_name_(
          ByResult(registry.AddHistograms(Spec("scheduling_duration_seconds"), AttemptBuckets()),
                   profiles_)),
      refusals_(ByPlugin(registry.AddGauges(Spec("unschedulable_pods")), profiles_)) {
  for (std::uint32_t attempts = 1; attempts < kAttemptLabelsMax; ++attempts) {
    sli_.push_back(sli_family_.With({std::to_string(attempts)}));
  }
  sli_.push_back(sli_family_.With({"15+"}));
  // Errors are rare and timings are sampled. Create these series now, so that scrapes show 0.
  for (std::size_t profile = 0; profile < profiles_.size(); ++profile) {
    for (std::size_t i = 0; i < profiles_[profile].plugins.size(); ++i) {
      for (const ExtensionPoint point : {kPreFilter, kFilter, kPreScore, kScore}) {
        if ((profiles_[profile].plugins[i].second & point) == 0) continue;
        Evaluated(profile, i, point, Code::Error, 0);
        if (point == kFilter || point == kScore) {
          SeriesOf(profile, profiles_[profile].plugins[i].first, point, Code::Success);
        }
      }
    }
  }
}

void SchedulerMetrics::Attempted(std::size_t profile, AttemptResult result, Duration took) {
  const auto place = static_cast<std::size_t>(result);
  attempt_counts_[profile][place].Add();
  attempt_counts_by_other_name_[profile][place].Add();
  attempt_durations_[profile][place].Observe(Seconds(took));
  attempt_durations_by_other_name_[profile][place].Observe(Seconds(took));
}

void SchedulerMetrics::PointRan(std::size_t profile, ExtensionPoint point, Code status,
                                Duration took) {
  const auto place = static_cast<std::size_t>(std::countr_zero(std::uint16_t{point}));
  const std::size_t index = (profile * kPoints + place) * kCodes + static_cast<std::size_t>(status);
  if (index >= points_.size()) points_.resize(index + 1);
  if (!points_[index]) {
    points_[index].emplace(
        point_family_.With({ToText(point), kOmittedLabel, profiles_[profile].name, ToText(status)}),
        PointBuckets());
  }
  points_[index]->Observe(Seconds(took));
}

void SchedulerMetrics::PluginRan(std::string_view plugin, ExtensionPoint point, Code status,
                                 Duration took) {
  for (Histogram* const series : SeriesOf(sampled_profile_, plugin, point, status)) {
    series->Observe(Seconds(took));
  }
}

std::array<Histogram*, 2> SchedulerMetrics::SeriesOf(std::size_t profile, std::string_view plugin,
                                                     ExtensionPoint point, Code status) {
  return {
      &Kept(plugins_, {plugin, point, status},
            [&] { return plugin_family_.With({ToText(point), plugin, ToText(status)}); }),
      &Kept(plugin_points_, {profile, plugin, point, status}, [&] {
        return point_family_.With({ToText(point), plugin, profiles_[profile].name, ToText(status)});
      })};
}

void SchedulerMetrics::Evaluated(std::size_t profile, std::size_t plugin, ExtensionPoint point,
                                 Code status, double times) {
  Kept(evaluations_, {profile, plugin, point, status}, [&] {
    return evaluation_family_.With({ToText(point), profiles_[profile].plugins[plugin].first,
                                    profiles_[profile].name, ToText(status)});
  }).Add(times);
}

void SchedulerMetrics::PodScheduled(std::uint32_t attempts, Duration since_first,
                                    bool was_flushed) {
  attempts_.Observe(attempts);
  sli_[std::clamp(attempts, 1U, kAttemptLabelsMax) - 1].Observe(Seconds(since_first));
  if (was_flushed) after_flush_.Add();
}

void SchedulerMetrics::Preempted(std::size_t victims) {
  preemption_victims_.Observe(static_cast<double>(victims));
}

void SchedulerMetrics::PreemptionEnded(bool is_done, Duration took) {
  preemption_ends_[is_done ? 1 : 0].Add();
  preemption_durations_[is_done ? 1 : 0].Observe(Seconds(took));
}

void SchedulerMetrics::PermitEnded(Code result, Duration waited) {
  Kept(permits_, result, [&] {
    return permit_family_.With({ToText(result)});
  }).Observe(Seconds(waited));
}

void SchedulerMetrics::Incoming(QueueName queue, std::string_view label) {
  KeptByLabel(incoming_[static_cast<std::size_t>(queue)], label, [&] {
    return incoming_family_.With({label, ToLabel(queue)});
  }).Add();
}

void SchedulerMetrics::EventHandled(std::string_view label, Duration took) {
  KeptByLabel(handling_, label, [&] {
    return Tally(handling_family_.With({label}), PointBuckets());
  }).Observe(Seconds(took));
}

void SchedulerMetrics::HintGiven(std::string_view plugin, std::string_view label, Hint hint,
                                 Duration took) {
  Kept(hints_, {plugin, label, hint}, [&] {
    return hint_family_.With({label, hint == Hint::Queue ? "Queue" : "QueueSkip", plugin});
  }).Observe(Seconds(took));
}

void SchedulerMetrics::InFlight(std::string_view label, double by) {
  KeptByLabel(in_flight_, label, [&] { return in_flight_family_.With({label}); }).Add(by);
}

void SchedulerMetrics::CallEnded(CallType type, bool is_done, Duration took) {
  call_counts_[static_cast<std::size_t>(type)][is_done ? 1 : 0].Add();
  call_durations_[static_cast<std::size_t>(type)][is_done ? 1 : 0].Observe(Seconds(took));
}

void SchedulerMetrics::Flush() {
  for (auto& [label, tally] : handling_) tally.Flush();
  for (std::optional<Tally>& tally : points_) {
    if (tally) tally->Flush();
  }
  for (std::array<Tally, 2>& tallies : call_durations_) {
    for (Tally& tally : tallies) tally.Flush();
  }
}

void SchedulerMetrics::SetPendingCalls(CallType type, std::size_t calls) {
  pending_calls_[static_cast<std::size_t>(type)].Set(static_cast<double>(calls));
}

void SchedulerMetrics::Refusals(std::size_t profile, std::size_t plugin, double by) {
  refusals_[profile][plugin].Add(by);
}

void SchedulerMetrics::SetPending(QueueName queue, std::size_t pods) {
  pending_[static_cast<std::size_t>(queue)].Set(static_cast<double>(pods));
}

void SchedulerMetrics::SetExpressionCache(std::uint64_t hits, std::uint64_t misses) {
  const auto raise = [](Counter& counter, std::uint64_t to) {
    counter.Add(static_cast<double>(to) - counter.value());
  };
  raise(expression_cache_[0], hits);
  raise(expression_cache_[1], misses);
}

void SchedulerMetrics::SetCacheSize(std::size_t nodes, std::size_t pods, std::size_t assumed) {
  cache_size_[0].Set(static_cast<double>(assumed));
  cache_size_[1].Set(static_cast<double>(nodes));
  cache_size_[2].Set(static_cast<double>(pods));
}

}  // namespace plimsoll::scheduler
