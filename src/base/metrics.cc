#include "base/metrics.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <set>
#include <utility>

#include "base/assert.h"
#include "base/metrics_text.h"
#include "base/omitted_label.h"
#include "base/text/ascii.h"
#include "prometheus/counter.h"
#include "prometheus/family.h"
#include "prometheus/gauge.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"

namespace plimsoll {
namespace {

bool IsName(std::string_view name, bool is_colon_allowed) {
  const auto fits = [&](char c) {
    return IsAlphanumeric(c) || c == '_' || (c == ':' && is_colon_allowed);
  };
  return !name.empty() && (name[0] < '0' || name[0] > '9') && std::ranges::all_of(name, fits);
}

std::string Help(const MetricSpec& spec) {
  switch (spec.stability) {
    case Stability::Internal:
      return "[INTERNAL] " + spec.help;
    case Stability::Alpha:
      return "[ALPHA] " + spec.help;
    case Stability::Beta:
      return "[BETA] " + spec.help;
    case Stability::Stable:
      return "[STABLE] " + spec.help;
    case Stability::Unmarked:
      break;
  }
  return spec.help;
}

/// Pairs label names with their values, in the type of the Prometheus library.
prometheus::Labels Pair(const std::vector<std::string>& names,
                        std::initializer_list<std::string_view> values) {
  PL_ASSERT(names.size() == values.size());
  prometheus::Labels labels;
  const auto* value = values.begin();
  for (const std::string& name : names) {
    if (*value != kOmittedLabel) labels.emplace(name, *value);
    ++value;
  }
  return labels;
}

}  // namespace

template <>
class MetricFamily<Counter>::Series {
 public:
  Counter With(const prometheus::Labels& values) const { return Counter(family.Add(values)); }

  prometheus::Family<prometheus::Counter>& family;
  std::vector<std::string> labels;
};

template <>
class MetricFamily<Gauge>::Series {
 public:
  Gauge With(const prometheus::Labels& values) const { return Gauge(family.Add(values)); }

  prometheus::Family<prometheus::Gauge>& family;
  std::vector<std::string> labels;
};

template <>
class MetricFamily<Histogram>::Series {
 public:
  Histogram With(const prometheus::Labels& values) const {
    return Histogram(family.Add(values, bounds), bounds);
  }

  prometheus::Family<prometheus::Histogram>& family;
  std::vector<std::string> labels;
  prometheus::Histogram::BucketBoundaries bounds;
};

template <class Metric>
Metric MetricFamily<Metric>::With(std::initializer_list<std::string_view> values) const {
  return series_->With(Pair(series_->labels, values));
}

template class MetricFamily<Counter>;
template class MetricFamily<Gauge>;
template class MetricFamily<Histogram>;

void Counter::Add(double by) {
  PL_ASSERT(by >= 0);
  counter_->Increment(by);
}
double Counter::value() const { return counter_->Value(); }

void Gauge::Set(double value) { gauge_->Set(value); }
void Gauge::Add(double by) { gauge_->Increment(by); }
double Gauge::value() const { return gauge_->Value(); }

void Histogram::Observe(double value) { histogram_->Observe(value); }

void Histogram::Observe(double value, std::size_t times) {
  std::vector<double> increments(bounds_->size() + 1);
  const auto bucket = std::ranges::lower_bound(*bounds_, value) - bounds_->begin();
  const auto count = static_cast<double>(times);
  increments[static_cast<std::size_t>(bucket)] = count;
  histogram_->ObserveMultiple(increments, value * count);
}

class MetricsRegistry::Families {
 public:
  /// Registers the library's family, and adds the series that holds its label names.
  template <class Metric, class Builder, class... Bounds>
  MetricFamily<Metric> Add(Builder builder, MetricSpec spec,
                           std::deque<typename MetricFamily<Metric>::Series>& all,
                           Bounds... bounds) {
    PL_ASSERT(IsName(spec.name, true));
    for (const std::string& label : spec.labels) PL_ASSERT(IsName(label, false));
    const std::lock_guard lock(mutex_);
    PL_ASSERT(names_.insert(spec.name).second);
    auto& family = builder.Name(spec.name).Help(Help(spec)).Register(registry_);
    // `all` is a deque, because the returned handles point to its elements.
    all.push_back({family, std::move(spec.labels), std::move(bounds)...});
    return MetricFamily<Metric>(all.back());
  }

  void Add(std::unique_ptr<MetricsSource> source) {
    const std::lock_guard lock(sources_mutex_);
    sources_.push_back(std::move(source));
  }

  std::string Text() {
    {
      const std::lock_guard lock(sources_mutex_);
      for (const auto& source : sources_) source->Refresh();
    }
    return FormatMetrics(registry_.Collect());
  }

  std::deque<MetricFamily<Counter>::Series> counters;
  std::deque<MetricFamily<Gauge>::Series> gauges;
  std::deque<MetricFamily<Histogram>::Series> histograms;

 private:
  std::mutex mutex_;
  std::set<std::string> names_;
  prometheus::Registry registry_;
  std::mutex sources_mutex_;
  std::vector<std::unique_ptr<MetricsSource>> sources_;
};

MetricsRegistry::MetricsRegistry() : families_(std::make_unique<Families>()) {}
MetricsRegistry::~MetricsRegistry() = default;

MetricFamily<Counter> MetricsRegistry::AddCounters(MetricSpec spec) {
  return families_->Add<Counter>(prometheus::BuildCounter(), std::move(spec), families_->counters);
}

MetricFamily<Gauge> MetricsRegistry::AddGauges(MetricSpec spec) {
  return families_->Add<Gauge>(prometheus::BuildGauge(), std::move(spec), families_->gauges);
}

MetricFamily<Histogram> MetricsRegistry::AddHistograms(MetricSpec spec,
                                                       std::vector<double> bounds) {
  PL_ASSERT(std::ranges::adjacent_find(bounds, std::ranges::greater_equal()) == bounds.end());
  PL_ASSERT(std::ranges::find(spec.labels, "le") == spec.labels.end());
  return families_->Add<Histogram>(prometheus::BuildHistogram(), std::move(spec),
                                   families_->histograms, std::move(bounds));
}

void MetricsRegistry::AddSource(std::unique_ptr<MetricsSource> source) {
  families_->Add(std::move(source));
}

std::string MetricsRegistry::Text() const { return families_->Text(); }

std::vector<double> ExponentialBuckets(double start, double factor, std::size_t count) {
  PL_ASSERT(start > 0 && factor > 1);
  std::vector<double> bounds;
  // Multiply repeatedly, so that the bounds equal those of Kubernetes components to the last
  // digit.
  for (; bounds.size() < count; start *= factor) bounds.push_back(start);
  return bounds;
}

std::vector<double> LinearBuckets(double start, double width, std::size_t count) {
  PL_ASSERT(width > 0);
  std::vector<double> bounds;
  for (; bounds.size() < count; start += width) bounds.push_back(start);
  return bounds;
}

}  // namespace plimsoll
