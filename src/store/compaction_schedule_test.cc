#include "store/compaction_schedule.h"

#include <gtest/gtest.h>

#include <chrono>

namespace plimsoll::store {
namespace {

using std::chrono::seconds;

Instant At(std::int64_t second) { return Instant(seconds(second)); }

TEST(CompactionScheduleTest, KeepsWhatIsYoungOrAmongTheLast) {
  CompactionSchedule schedule({.changes_min = 10, .changes_max = 1'000, .seconds_min = 100});
  EXPECT_EQ(schedule.Sample(At(0), Revision{50}), kNoRevision);
  EXPECT_EQ(schedule.Sample(At(99), Revision{70}), kNoRevision);
  // Revision 50 is old enough now, and more than ten changes came after it.
  EXPECT_EQ(schedule.Sample(At(100), Revision{70}), Revision{50});
  EXPECT_EQ(schedule.Sample(At(198), Revision{70}), Revision{50});
  // All changes are old, but the last ten are kept regardless of age.
  EXPECT_EQ(schedule.Sample(At(300), Revision{70}), Revision{60});
}

TEST(CompactionScheduleTest, BeyondTheMostTheYoungGoAsWell) {
  CompactionSchedule schedule({.changes_min = 10, .changes_max = 1'000, .seconds_min = 100});
  EXPECT_EQ(schedule.Sample(At(0), Revision{1'000}), kNoRevision);
  EXPECT_EQ(schedule.Sample(At(1), Revision{1'001}), Revision{1});
}

TEST(CompactionScheduleTest, AClockThatWasSetBackKeepsMoreRatherThanLess) {
  CompactionSchedule schedule({.changes_min = 0, .changes_max = 1'000, .seconds_min = 100});
  schedule.Sample(At(10'000), Revision{10});
  EXPECT_EQ(schedule.Sample(At(50), Revision{20}), kNoRevision);
  EXPECT_EQ(schedule.Sample(At(149), Revision{30}), kNoRevision);
  EXPECT_EQ(schedule.Sample(At(150), Revision{30}), Revision{20});
}

TEST(CompactionScheduleTest, LooksOftenEnoughForItsBounds) {
  EXPECT_EQ(CompactionSchedule({.seconds_min = 0}).interval(), seconds(1));
  EXPECT_EQ(CompactionSchedule({.seconds_min = 50}).interval(), seconds(5));
  EXPECT_EQ(CompactionSchedule({.seconds_min = 3'600}).interval(), seconds(10));
}

}  // namespace
}  // namespace plimsoll::store
