#include "base/metrics.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace plimsoll {
namespace {

TEST(MetricsTest, ExposesInPrometheusTextFormat) {
  MetricsRegistry registry;
  const MetricFamily<Counter> attempts = registry.AddCounters(
      {"scheduler_attempts_total", "Attempts.", {"result", "profile"}, Stability::Stable});
  attempts.With({"scheduled", "b"}).Add();
  attempts.With({"scheduled", "a"}).Add(2.5);
  attempts.With({"error", "a"}).Add(0);
  registry.AddGauge({"pods", "Pods.", {}, Stability::Beta}).Set(-3);
  Histogram latency = registry.AddHistogram({"latency_seconds", "Time\nit \\ took.", {}},
                                            ExponentialBuckets(0.25, 2, 3));
  for (const double value : {0.1, 0.25, 0.6, 7.0}) latency.Observe(value);
  EXPECT_EQ(registry.Text(), R"(# HELP latency_seconds [ALPHA] Time\nit \\ took.
# TYPE latency_seconds histogram
latency_seconds_bucket{le="0.25"} 2
latency_seconds_bucket{le="0.5"} 2
latency_seconds_bucket{le="1"} 3
latency_seconds_bucket{le="+Inf"} 4
latency_seconds_sum 7.95
latency_seconds_count 4
# HELP pods [BETA] Pods.
# TYPE pods gauge
pods -3
# HELP scheduler_attempts_total [STABLE] Attempts.
# TYPE scheduler_attempts_total counter
scheduler_attempts_total{profile="a",result="error"} 0
scheduler_attempts_total{profile="a",result="scheduled"} 2.5
scheduler_attempts_total{profile="b",result="scheduled"} 1
)");
}

TEST(MetricsTest, ShowsAFamilyOnlyWhenItHasMetrics) {
  MetricsRegistry registry;
  registry.AddCounters({"labelled", "", {"a"}});
  registry.AddCounter({"plain", "Help.", {}, Stability::Internal});
  EXPECT_EQ(registry.Text(), "# HELP plain [INTERNAL] Help.\n# TYPE plain counter\nplain 0\n");
}

TEST(MetricsTest, RefreshesSourcesBeforeEachText) {
  class Reads final : public MetricsSource {
   public:
    explicit Reads(const Gauge& gauge) : gauge_(gauge) {}
    void Refresh() override { gauge_.Add(1); }

   private:
    Gauge gauge_;
  };
  MetricsRegistry registry;
  registry.AddSource(
      std::make_unique<Reads>(registry.AddGauge({"reads", "Reads.", {}, Stability::Unmarked})));
  EXPECT_EQ(registry.Text(), "# HELP reads Reads.\n# TYPE reads gauge\nreads 1\n");
  EXPECT_EQ(registry.Text(), "# HELP reads Reads.\n# TYPE reads gauge\nreads 2\n");
}

TEST(MetricsTest, TheSameLabelsAreTheSameMetric) {
  MetricsRegistry registry;
  const MetricFamily<Counter> family = registry.AddCounters({"c", "", {"a"}});
  family.With({"x"}).Add();
  family.With({"x"}).Add(2);
  EXPECT_EQ(family.With({"x"}).value(), 3);
  EXPECT_EQ(family.With({"y"}).value(), 0);
}

TEST(MetricsTest, ManyObservationsAtOnceAreAsManyAsOneByOne) {
  MetricsRegistry one_by_one;
  MetricsRegistry at_once;
  Histogram slow = one_by_one.AddHistogram({"h", "", {}}, LinearBuckets(1, 1, 2));
  Histogram fast = at_once.AddHistogram({"h", "", {}}, LinearBuckets(1, 1, 2));
  for (const double value : {0.5, 1.0, 1.5, 2.0, 7.0}) {
    for (int i = 0; i < 3; ++i) slow.Observe(value);
    fast.Observe(value, 3);
    fast.Observe(value, 0);
  }
  EXPECT_EQ(at_once.Text(), one_by_one.Text());
}

TEST(MetricsTest, CountsFromManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kTimes = 1000;
  MetricsRegistry registry;
  const MetricFamily<Counter> family = registry.AddCounters({"c", "", {"a"}});
  Gauge gauge = registry.AddGauge({"g", "", {}});
  Histogram histogram = registry.AddHistogram({"h", "", {}}, LinearBuckets(1, 1, 2));
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([=]() mutable {
        for (int j = 0; j < kTimes; ++j) {
          family.With({"x"}).Add();
          gauge.Add(j % 2 == 0 ? 1 : -1);
          histogram.Observe(1);
        }
      });
    }
    EXPECT_TRUE(registry.Text().contains("# TYPE g gauge"));
  }
  EXPECT_EQ(family.With({"x"}).value(), kThreads * kTimes);
  EXPECT_EQ(gauge.value(), 0);
  EXPECT_TRUE(registry.Text().contains("h_count 4000\n"));
}

TEST(BucketsTest, AreThoseOfKubernetes) {
  EXPECT_EQ(ExponentialBuckets(0.001, 2, 5),
            (std::vector<double>{0.001, 0.002, 0.004, 0.008, 0.016}));
  EXPECT_EQ(LinearBuckets(0, 10, 3), (std::vector<double>{0, 10, 20}));
}

TEST(MetricsDeathTest, RefusesWhatTheProgramGotWrong) {
  MetricsRegistry registry;
  const MetricFamily<Counter> family = registry.AddCounters({"c", "", {"a"}});
  EXPECT_DEATH(registry.AddGauge({"c", "", {}}), "assertion failed");
  EXPECT_DEATH(registry.AddGauge({"0c", "", {}}), "assertion failed");
  EXPECT_DEATH(registry.AddGauges({"g", "", {"a:b"}}), "assertion failed");
  EXPECT_DEATH(registry.AddHistogram({"h", "", {}}, {1, 1}), "assertion failed");
  EXPECT_DEATH(registry.AddHistograms({"h", "", {"le"}}, {1}), "assertion failed");
  EXPECT_DEATH(family.With({}), "assertion failed");
  EXPECT_DEATH(family.With({"x"}).Add(-1), "assertion failed");
}

}  // namespace
}  // namespace plimsoll
