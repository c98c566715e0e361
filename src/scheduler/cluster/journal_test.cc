#include "scheduler/cluster/journal.h"

#include <gtest/gtest.h>

namespace plimsoll::scheduler {
namespace {

TEST(JournalTest, GivesWhatCameAfterAPosition) {
  Journal journal;
  const Journal::Position start = journal.end();
  journal.Append({.slot = 1, .changes = kTaints});
  const Journal::Position middle = journal.end();
  journal.Append({.slot = 2, .changes = kLabels});
  ASSERT_TRUE(journal.Since(start).has_value());
  EXPECT_EQ(journal.Since(start).value().size(), 2U);
  EXPECT_EQ(journal.Since(middle).value().size(), 1U);
  EXPECT_TRUE(journal.Since(journal.end()).value().empty());
  EXPECT_FALSE(journal.Since(0).has_value()) << "0 is before everything";
}

TEST(JournalTest, ForgetsTheOlderHalf) {
  Journal journal;
  const Journal::Position start = journal.end();
  for (NodeSlot slot = 0; slot < 11; ++slot) {
    journal.Append({.slot = slot, .changes = kTaints});
    journal.Trim(10);
  }
  EXPECT_FALSE(journal.Since(start).has_value());
  EXPECT_EQ(journal.end(), start + 11);
  const auto kept = journal.Since(start + 6);
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->size(), 5U);
  EXPECT_EQ(kept->front().slot, 6U);
}

}  // namespace
}  // namespace plimsoll::scheduler
