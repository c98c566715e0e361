#include "base/cache_metrics.h"

#include "gtest/gtest.h"

namespace plimsoll {
namespace {

TEST(CacheMetricsTest, CountFromWhereTheCacheStood) {
  MetricsRegistry registry;
  CacheMetrics metrics(registry, {.name = "c_total", .help = ""}, {.hits = 10, .misses = 5});
  EXPECT_TRUE(registry.Text().ends_with("c_total{result=\"hit\"} 0\nc_total{result=\"miss\"} 0\n"));
  metrics.Update({.hits = 12, .misses = 5});
  metrics.Update({.hits = 13, .misses = 6});
  EXPECT_TRUE(registry.Text().ends_with("c_total{result=\"hit\"} 3\nc_total{result=\"miss\"} 1\n"));
}

}  // namespace
}  // namespace plimsoll
