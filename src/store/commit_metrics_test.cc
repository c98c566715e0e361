#include "store/commit_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "base/virtual_clock.h"

namespace plimsoll::store {
namespace {

TEST(CommitMetricsTest, CountsAndTimes) {
  VirtualClock clock;
  MetricsRegistry registry;
  CommitMetrics metrics(registry, clock);
  const Instant begun = metrics.Now();
  clock.Advance(std::chrono::milliseconds(3));
  metrics.Appended(begun, 7, true);
  metrics.Appended(begun, 5, false);
  metrics.Answered(begun);
  metrics.Published(Revision{7}, Revision{2});
  const std::string text = registry.Text();
  EXPECT_THAT(text, testing::HasSubstr("plimsoll_store_changes_total 7\n"));
  EXPECT_THAT(text, testing::HasSubstr("plimsoll_store_append_failures_total 1\n"));
  EXPECT_THAT(text, testing::HasSubstr("plimsoll_store_fsync_duration_seconds_count 2\n"));
  EXPECT_THAT(text, testing::HasSubstr("plimsoll_store_commit_duration_seconds_sum 0.003\n"));
  EXPECT_THAT(text, testing::HasSubstr("plimsoll_store_revision 7\n"));
  EXPECT_THAT(text, testing::HasSubstr("plimsoll_store_compacted_revision 2\n"));
}

}  // namespace
}  // namespace plimsoll::store
