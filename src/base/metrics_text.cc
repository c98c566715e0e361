// Replaces the library's serializer, which writes hash tables in their order, different in each
// run, and rounds to 16 digits.

#include "base/metrics_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "base/assert.h"
#include "prometheus/client_metric.h"
#include "prometheus/metric_family.h"
#include "prometheus/metric_type.h"

namespace plimsoll {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

std::string Number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  char digits[32];
  const auto end =
      std::to_chars(std::begin(digits), std::end(digits), value, std::chars_format::general).ptr;
  return {digits, end};
}

std::string Escape(std::string_view text, bool is_quoted) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\n') {
      escaped += "\\n";
      continue;
    }
    // The format has no escape for NUL, and many readers treat a text with NUL as binary data.
    if (c == '\0') {
      escaped += "\uFFFD";
      continue;
    }
    if (c == '\\' || (is_quoted && c == '"')) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

void AppendSample(std::string& out, std::string_view name, const Labels& labels,
                  std::string_view value) {
  out += name;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    out += i == 0 ? '{' : ',';
    out += labels[i].name + "=\"" + Escape(labels[i].value, true) + '"';
  }
  if (!labels.empty()) out += '}';
  out += ' ';
  out += value;
  out += '\n';
}

void AppendHistogram(std::string& out, const std::string& name, const ClientMetric& metric) {
  for (const ClientMetric::Bucket& bucket : metric.histogram.bucket) {
    Labels labels = metric.label;
    labels.push_back({"le", Number(bucket.upper_bound)});
    AppendSample(out, name + "_bucket", labels, std::to_string(bucket.cumulative_count));
  }
  AppendSample(out, name + "_sum", metric.label, Number(metric.histogram.sample_sum));
  AppendSample(out, name + "_count", metric.label, std::to_string(metric.histogram.sample_count));
}

std::string_view TypeName(MetricType type) {
  switch (type) {
    case MetricType::Counter:
      return "counter";
    case MetricType::Gauge:
      return "gauge";
    case MetricType::Histogram:
      return "histogram";
    default:
      return {};
  }
}

void AppendFamily(std::string& out, const prometheus::MetricFamily& family) {
  const std::string_view type = TypeName(family.type);
  PL_ASSERT(!type.empty());
  out += "# HELP " + family.name + ' ' + Escape(family.help, false) + '\n';
  out += "# TYPE " + family.name + ' ' + std::string(type) + '\n';
  for (const ClientMetric& metric : family.metric) {
    if (family.type == MetricType::Histogram) {
      AppendHistogram(out, family.name, metric);
    } else {
      const bool is_counter = family.type == MetricType::Counter;
      const double value = is_counter ? metric.counter.value : metric.gauge.value;
      AppendSample(out, family.name, metric.label, Number(value));
    }
  }
}

}  // namespace

std::string FormatMetrics(std::vector<prometheus::MetricFamily> families) {
  std::ranges::sort(families, {}, &prometheus::MetricFamily::name);
  std::string out;
  for (prometheus::MetricFamily& family : families) {
    if (family.metric.empty()) continue;
    for (ClientMetric& metric : family.metric) std::ranges::sort(metric.label, std::less());
    std::ranges::sort(family.metric, [](const ClientMetric& a, const ClientMetric& b) {
      return std::ranges::lexicographical_compare(a.label, b.label, std::less());
    });
    AppendFamily(out, family);
  }
  return out;
}

}  // namespace plimsoll
