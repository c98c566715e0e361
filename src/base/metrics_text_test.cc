#include "base/metrics_text.h"

#include <cmath>
#include <string>
#include <vector>

#include "base/metrics.h"
#include "base/omitted_label.h"
#include "gtest/gtest.h"
#include "prometheus/metric_family.h"

namespace plimsoll {
namespace {

TEST(MetricsTextTest, SortsWhateverOrderItIsGiven) {
  prometheus::ClientMetric b;
  b.label = {{"x", "1"}, {"a", "2"}};
  prometheus::ClientMetric a;
  a.label = {{"x", "0"}, {"a", "2"}};
  EXPECT_EQ(FormatMetrics({{"second", "", prometheus::MetricType::Gauge, {}},
                           {"later", "", prometheus::MetricType::Gauge, {b, a}},
                           {"first", "", prometheus::MetricType::Counter, {a}}}),
            "# HELP first \n# TYPE first counter\nfirst{a=\"2\",x=\"0\"} 0\n"
            "# HELP later \n# TYPE later gauge\n"
            "later{a=\"2\",x=\"0\"} 0\nlater{a=\"2\",x=\"1\"} 0\n");
}

TEST(MetricsTextTest, EscapesLabelValues) {
  MetricsRegistry registry;
  registry.AddGauges({"g", "", {"path"}}).With({"a\"b\\c\nd"}).Set(1);
  EXPECT_TRUE(registry.Text().ends_with("g{path=\"a\\\"b\\\\c\\nd\"} 1\n")) << registry.Text();
}

TEST(MetricsTextTest, NeverWritesANulByte) {
  MetricsRegistry registry;
  registry.AddGauges({"g", "", {"path"}}).With({std::string_view("a\0b", 3)}).Set(1);
  EXPECT_TRUE(registry.Text().ends_with("g{path=\"a\uFFFDb\"} 1\n")) << registry.Text();
}

TEST(MetricsTextTest, AnEmptyLabelStaysAndOneThatIsLeftOutDoesNot) {
  MetricsRegistry registry;
  const MetricFamily<Gauge> family = registry.AddGauges({"g", "", {"part", "whole"}});
  family.With({kOmittedLabel, "w"}).Set(1);
  family.With({std::string_view(), "w"}).Set(2);
  EXPECT_TRUE(registry.Text().ends_with("g{part=\"\",whole=\"w\"} 2\ng{whole=\"w\"} 1\n"))
      << registry.Text();
}

struct NumberCase {
  double value;
  std::string want;
};

TEST(MetricsTextTest, WritesNumbersAsGoDoes) {
  MetricsRegistry registry;
  Gauge gauge = registry.AddGauge({"g", "", {}});
  for (const NumberCase& test : std::vector<NumberCase>{
           {0, "0"},
           {123456, "123456"},
           {1e6, "1e+06"},
           {123456789, "1.23456789e+08"},
           {0.1 + 0.2, "0.30000000000000004"},
           {0.0001, "0.0001"},
           {0.00001, "1e-05"},
           {-HUGE_VAL, "-Inf"},
           {std::nan(""), "NaN"},
       }) {
    gauge.Set(test.value);
    EXPECT_TRUE(registry.Text().ends_with("\ng " + test.want + "\n")) << registry.Text();
  }
}

}  // namespace
}  // namespace plimsoll
