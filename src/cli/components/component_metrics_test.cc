#include "cli/components/component_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

TEST(ComponentMetricsTest, EveryComponentDescribesItsProcessAndItsBuild) {
  ComponentMetrics metrics;
  const std::string page = metrics.registry().Text();
  for (const char* const sample :
       {"\nprocess_cpu_seconds_total ", "\nprocess_resident_memory_bytes ",
        "\nprocess_start_time_seconds ",
        "\nkubernetes_build_info{build_date=\"1970-01-01T00:00:00Z\",compiler=\"",
        "git_version=\"v1.37.0+plimsoll\"", "major=\"1\",minor=\"37\""}) {
    EXPECT_THAT("\n" + page, HasSubstr(sample));
  }
}

}  // namespace
}  // namespace plimsoll::cli
