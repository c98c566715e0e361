#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
}  // namespace prometheus

namespace plimsoll {

// Handles are pointers: cheap to copy, safe for use by many threads, valid as long as the registry.

/// A number that only grows.
class Counter {
 public:
  explicit Counter(prometheus::Counter& counter) : counter_(&counter) {}
  /// REQUIRES: `by` is not negative.
  void Add(double by = 1);
  double value() const;

 private:
  prometheus::Counter* counter_;
};

/// A number that goes up and down.
class Gauge {
 public:
  explicit Gauge(prometheus::Gauge& gauge) : gauge_(&gauge) {}
  void Set(double value);
  void Add(double by);
  double value() const;

 private:
  prometheus::Gauge* gauge_;
};

/// Number of observations below each bound, and their sum.
class Histogram {
 public:
  /// `bounds` must outlive the histogram.
  Histogram(prometheus::Histogram& histogram, const std::vector<double>& bounds)
      : histogram_(&histogram), bounds_(&bounds) {}
  void Observe(double value);
  /// Observes the same value `times` times, at the cost of one observation.
  void Observe(double value, std::size_t times);

 private:
  prometheus::Histogram* histogram_;
  const std::vector<double>* bounds_;
};

/// One metric per combination of label values.
template <class Metric>
class MetricFamily {
 public:
  class Series;
  explicit MetricFamily(Series& series) : series_(&series) {}

  /// Returns the metric with these label values, in the order of the label names. The first call
  /// creates it. kOmittedLabel omits its label. Takes a lock: do not call it in loops.
  Metric With(std::initializer_list<std::string_view> values) const;

 private:
  Series* series_;
};

/// Stability level of a metric's name and labels. The help text begins with it, as in Kubernetes:
/// `[ALPHA] …`. Unmarked: without such a beginning, as the metrics of Prometheus' own collectors.
enum class Stability : std::uint8_t { Internal, Alpha, Beta, Stable, Unmarked };

struct MetricSpec {
  std::string name;
  std::string help;
  std::vector<std::string> labels;
  Stability stability = Stability::Alpha;
};

/// Metrics whose values are only read when somebody reads the registry, such as memory in use.
class MetricsSource {
 public:
  virtual ~MetricsSource() = default;
  /// Sets the metrics. Called at the start of MetricsRegistry::Text, by one thread at a time. Must
  /// not call the registry.
  virtual void Refresh() = 0;
};

/// All metrics of one component. Registering a name twice, or a name that Prometheus rejects, is a
/// bug and fails an assert. Safe for use by many threads.
class MetricsRegistry {
 public:
  MetricsRegistry();
  ~MetricsRegistry();
  MetricsRegistry(const MetricsRegistry&) = delete;
  MetricsRegistry& operator=(const MetricsRegistry&) = delete;

  MetricFamily<Counter> AddCounters(MetricSpec spec);
  MetricFamily<Gauge> AddGauges(MetricSpec spec);
  /// `bounds` are the increasing upper bounds of the buckets; the +Inf bucket is added.
  MetricFamily<Histogram> AddHistograms(MetricSpec spec, std::vector<double> bounds);

  // Metrics without labels exist from the start, with the value zero.
  Counter AddCounter(MetricSpec spec) { return AddCounters(std::move(spec)).With({}); }
  Gauge AddGauge(MetricSpec spec) { return AddGauges(std::move(spec)).With({}); }
  Histogram AddHistogram(MetricSpec spec, std::vector<double> bounds) {
    return AddHistograms(std::move(spec), std::move(bounds)).With({});
  }

  /// Refreshes the source before each Text.
  void AddSource(std::unique_ptr<MetricsSource> source);

  /// Returns all metrics in Prometheus' text format 0.0.4, sorted by name and labels.
  std::string Text() const;

 private:
  class Families;
  std::unique_ptr<Families> families_;
};

/// Returns start, start × factor, start × factor² …
std::vector<double> ExponentialBuckets(double start, double factor, std::size_t count);
/// Returns start, start + width, start + 2 × width …
std::vector<double> LinearBuckets(double start, double width, std::size_t count);

}  // namespace plimsoll
