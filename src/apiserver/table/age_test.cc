#include "apiserver/table/age.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

using std::chrono::seconds;

TEST(AgeTextTest, SaturatesForTimesOfAnyYear) {
  const Instant now{seconds(1'772'366'400)};
  EXPECT_EQ(AgeText("0001-01-01T00:00:00Z", now), "292y");
}

TEST(HumanDurationTest, HasTwoUnitsAtMost) {
  constexpr std::int64_t kHour = 3600;
  constexpr std::int64_t kDay = 24 * kHour;
  const struct {
    std::int64_t span;
    std::string want;
  } cases[] = {
      {-2, "<invalid>"},
      {-1, "0s"},
      {0, "0s"},
      {119, "119s"},
      {120, "2m"},
      {125, "2m5s"},
      {599, "9m59s"},
      {600, "10m"},
      {kHour, "60m"},
      {3 * kHour - 1, "179m"},
      {3 * kHour, "3h"},
      {3 * kHour + 120, "3h2m"},
      {8 * kHour, "8h"},
      {48 * kHour - 1, "47h"},
      {48 * kHour, "2d"},
      {50 * kHour, "2d2h"},
      {8 * kDay, "8d"},
      {2 * 365 * kDay - 1, "729d"},
      {2 * 365 * kDay, "2y"},
      {2 * 365 * kDay + 3 * kDay, "2y3d"},
      {8 * 365 * kDay + kDay, "8y"},
  };
  for (const auto& test : cases) EXPECT_EQ(HumanDuration(seconds(test.span)), test.want);
}

TEST(AgeTextTest, CountsFromATimeOfAnObject) {
  const Instant now = *ParseTime("2026-03-01T12:00:00Z");
  EXPECT_EQ(AgeText("2026-03-01T11:59:00Z", now), "60s");
  EXPECT_EQ(AgeText("2026-03-01T11:59:00.500000Z", now), "59s");
  EXPECT_EQ(AgeText("", now), "<unknown>");
}

}  // namespace
}  // namespace plimsoll::apiserver
