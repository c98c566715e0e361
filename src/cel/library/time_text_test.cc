#include "cel/library/time_text.h"

#include <gtest/gtest.h>

namespace plimsoll::cel {
namespace {

struct DurationCase {
  std::string_view text;
  std::optional<std::int64_t> nanoseconds;
};

TEST(TimeTextTest, DurationsAreNumbersWithUnits) {
  for (const DurationCase& test : {
           DurationCase{"0", 0},
           DurationCase{"1h30m", 5'400'000'000'000},
           DurationCase{"30m1h", 5'400'000'000'000},
           DurationCase{"-1.5s", -1'500'000'000},
           DurationCase{"+.5s", 500'000'000},
           DurationCase{"1.s", 1'000'000'000},
           DurationCase{"1us", 1'000},
           DurationCase{"1µs", 1'000},
           DurationCase{"0.3ns", 0},
           DurationCase{"9223372036854775807ns", INT64_MAX},
           DurationCase{"-9223372036854775808ns", INT64_MIN},
           DurationCase{"9223372036854775808ns", std::nullopt},
           DurationCase{"", std::nullopt},
           DurationCase{"-", std::nullopt},
           DurationCase{"1", std::nullopt},
           DurationCase{".s", std::nullopt},
           DurationCase{"1d", std::nullopt},
           DurationCase{"1 s", std::nullopt},
           DurationCase{"1h-1m", std::nullopt},
       }) {
    EXPECT_EQ(ParseDuration(test.text), test.nanoseconds) << test.text;
  }
}

TEST(TimeTextTest, DurationsAreWrittenInSeconds) {
  EXPECT_EQ(DurationText(5'400'000'000'000), "5400s");
  EXPECT_EQ(DurationText(-1'500'000'000), "-1.5s");
  EXPECT_EQ(DurationText(1), "0.000000001s");
  EXPECT_EQ(DurationText(0), "0s");
}

struct TimeCase {
  std::string_view text;
  std::string_view again;  // empty: refused
};

TEST(TimeTextTest, TimesKeepTheOffsetTheyWereWrittenWith) {
  for (const TimeCase& test : {
           TimeCase{"2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"},
           TimeCase{"2024-02-29T23:59:59.120+05:30", "2024-02-29T23:59:59.12+05:30"},
           TimeCase{"2024-02-29T23:59:59,5-00:30", "2024-02-29T23:59:59.5-00:30"},
           TimeCase{"2024-02-29T23:59:59.1234567899Z", "2024-02-29T23:59:59.123456789Z"},
           TimeCase{"2024-02-29T23:59:59+00:00", "2024-02-29T23:59:59Z"},
           TimeCase{"2023-02-29T00:00:00Z", ""},
           TimeCase{"2024-02-28T24:00:00Z", ""},
           TimeCase{"2024-02-28T00:00:60Z", ""},
           TimeCase{"2024-02-28t00:00:00Z", ""},
           TimeCase{"2024-02-28T00:00:00z", ""},
           TimeCase{"2024-02-28T00:00:00", ""},
           TimeCase{"2024-02-28", ""},
           TimeCase{"2024-13-01T00:00:00Z", ""},
       }) {
    const std::optional<Value> time = ParseTimestamp(test.text);
    EXPECT_EQ(time ? TimestampText(*time) : "", test.again) << test.text;
  }
}

TEST(TimeTextTest, TimestampsReachFromYear1To9999) {
  EXPECT_EQ(ParseTimestamp("0001-01-01T00:00:00Z")->seconds(), kTimestampSecondsMin);
  EXPECT_EQ(ParseTimestamp("9999-12-31T23:59:59Z")->seconds(), kTimestampSecondsMax);
  EXPECT_TRUE(IsTimestamp(kTimestampSecondsMin));
  EXPECT_FALSE(IsTimestamp(kTimestampSecondsMin - 1));
  EXPECT_TRUE(IsTimestamp(kTimestampSecondsMax));
  EXPECT_FALSE(IsTimestamp(kTimestampSecondsMax + 1));
  EXPECT_FALSE(IsTimestamp(ParseTimestamp("9999-12-31T23:59:59-01:00")->seconds()));
}

}  // namespace
}  // namespace plimsoll::cel
