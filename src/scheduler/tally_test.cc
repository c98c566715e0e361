#include "scheduler/tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace plimsoll::scheduler {
namespace {

using testing::HasSubstr;

TEST(TallyTest, WritesWhatItGathered) {
  const std::vector<double> bounds = {1, 2, 4};
  MetricsRegistry registry;
  Tally tally(registry.AddHistogram({.name = "h", .help = "", .labels = {}}, bounds), bounds);
  for (const double value : {0.5, 1.0, 2.0, 3.0, 9.0}) tally.Observe(value);
  EXPECT_THAT(registry.Text(), HasSubstr("h_count 0"));
  tally.Flush();
  tally.Flush();  // the second call writes nothing
  const std::string text = registry.Text();
  EXPECT_THAT(text, HasSubstr("h_count 5"));
  EXPECT_THAT(text, HasSubstr("h_sum 15.5"));
  EXPECT_THAT(text, HasSubstr("h_bucket{le=\"1\"} 2"));
  EXPECT_THAT(text, HasSubstr("h_bucket{le=\"2\"} 3"));
  EXPECT_THAT(text, HasSubstr("h_bucket{le=\"4\"} 4"));
}

TEST(TallyTest, AMeanStaysInItsBucket) {
  const std::vector<double> bounds = {0.1, 0.2};
  MetricsRegistry registry;
  Tally tally(registry.AddHistogram({.name = "h", .help = "", .labels = {}}, bounds), bounds);
  for (int i = 0; i < 1'000; ++i) tally.Observe(0.1);  // the sum is rounded up now and then
  tally.Flush();
  EXPECT_THAT(registry.Text(), HasSubstr("h_bucket{le=\"0.1\"} 1000"));
}

}  // namespace
}  // namespace plimsoll::scheduler
