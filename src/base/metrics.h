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

// Handles are pointers: cheap to copy, safe for use by many threads, good as long as the registry.

/// A number that only grows.
class Counter {
 public:
  explicit Counter(prometheus::Counter& counter) : counter_(&counter) {}
  /// By something not negative.
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

/// How many observations fell below each bound, and their sum.
class Histogram {
 public:
  /// The bounds must live as long as the histogram.
  Histogram(prometheus::Histogram& histogram, const std::vector<double>& bounds)
      : histogram_(&histogram), bounds_(&bounds) {}
  void Observe(double value);
  /// The same value so many times, for the price of one.
  void Observe(double value, std::size_t times);

 private:
  prometheus::Histogram* histogram_;
  const std::vector<double>* bounds_;
};

/// One metric for each combination of its labels' values.
template <class Metric>
class MetricFamily {
 public:
  class Series;
  explicit MetricFamily(Series& series) : series_(&series) {}

  /// The metric with these values, in the order of the label names; made when it is asked for the
  /// first time. kLeftOutLabel leaves its label out. Takes a lock: keep it out of loops.
  Metric With(std::initializer_list<std::string_view> values) const;

 private:
  Series* series_;
};

/// How much a metric's name and labels can be relied on; its help text begins with it, as
/// Kubernetes has it: `[ALPHA] …`.
enum class Stability : std::uint8_t { Internal, Alpha, Beta, Stable };

struct MetricSpec {
  std::string name;
  std::string help;
  std::vector<std::string> labels;
  Stability stability = Stability::Alpha;
};

/// All metrics of one component. A name is registered once; a second time is a fault of the
/// program, as is a name that Prometheus would refuse. Safe for use by many threads.
class MetricsRegistry {
 public:
  MetricsRegistry();
  ~MetricsRegistry();
  MetricsRegistry(const MetricsRegistry&) = delete;
  MetricsRegistry& operator=(const MetricsRegistry&) = delete;

  MetricFamily<Counter> AddCounters(MetricSpec spec);
  MetricFamily<Gauge> AddGauges(MetricSpec spec);
  /// The upper bounds of the buckets must rise; the one without bound is added.
  MetricFamily<Histogram> AddHistograms(MetricSpec spec, std::vector<double> bounds);

  // A metric without labels is there, at zero, from the start.
  Counter AddCounter(MetricSpec spec) { return AddCounters(std::move(spec)).With({}); }
  Gauge AddGauge(MetricSpec spec) { return AddGauges(std::move(spec)).With({}); }
  Histogram AddHistogram(MetricSpec spec, std::vector<double> bounds) {
    return AddHistograms(std::move(spec), std::move(bounds)).With({});
  }

  /// Everything in Prometheus' text format 0.0.4, sorted by name and labels.
  std::string Text() const;

 private:
  class Families;
  std::unique_ptr<Families> families_;
};

/// start, start × factor, start × factor² …
std::vector<double> ExponentialBuckets(double start, double factor, std::size_t count);
/// start, start + width, start + 2 × width …
std::vector<double> LinearBuckets(double start, double width, std::size_t count);

}  // namespace plimsoll
