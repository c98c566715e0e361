#include "cli/evictions/eviction_change.h"

#include <gtest/gtest.h>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

TEST(EvictionChangeTest, CancelNeedsAPod) {
  const Outcome outcome = RunForTest({"evictions", "cancel", "pod", "a", "b"});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_TRUE(outcome.err.contains("which pod?")) << outcome.err;
}

TEST(EvictionChangeTest, PauseNeedsAPolicy) {
  const Outcome outcome = RunForTest({"evictions", "pause"});
  EXPECT_EQ(outcome.code, kExitUsage);
}

}  // namespace
}  // namespace plimsoll::cli
