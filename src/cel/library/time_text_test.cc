#include "cel/library/time_text.h"

#include <gtest/gtest.h>

#include <utility>

namespace plimsoll::cel {
namespace {

TEST(TimeTextTest, WritesDurationsInSeconds) {
  EXPECT_EQ(DurationText(0), "0s");
  EXPECT_EQ(DurationText(-1'500'000'000), "-1.5s");
  EXPECT_EQ(DurationText(1), "0.000000001s");
  EXPECT_EQ(DurationText(INT64_MAX), "9223372036.854776s");
}

TEST(TimeTextTest, ReadsAndWritesTimestamps) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"2024-02-29T12:34:56Z", "2024-02-29T12:34:56Z"},
      {"2024-02-29T12:34:56.7890Z", "2024-02-29T12:34:56.789Z"},
      {"2024-02-29T12:34:56,5Z", "2024-02-29T12:34:56.5Z"},
      {"2024-02-29T12:34:56.1234567899Z", "2024-02-29T12:34:56.123456789Z"},
      {"2024-02-29T1:34:56Z", "2024-02-29T01:34:56Z"},
      {"2024-02-29T12:34:56-08:00", "2024-02-29T12:34:56-08:00"},
      {"2024-02-29T12:34:56+00:00", "2024-02-29T12:34:56Z"},
      {"2024-02-29T12:34:56+24:60", "2024-02-29T12:34:56+25:00"},
      {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
  };
  for (const auto& [text, written] : kCases) {
    const std::optional<Value> time = ParseTimestamp(text);
    ASSERT_TRUE(time.has_value()) << text;
    EXPECT_EQ(TimestampText(*time), written);
  }
}

TEST(TimeTextTest, WritesWhatIsAtTheEnds) {
  struct Case {
    Value time;
    std::string_view text;
  };
  const Case kCases[] = {
      {Value::Timestamp(0, 0), "1970-01-01T00:00:00Z"},
      {Value::Timestamp(-1, 999'999'999), "1969-12-31T23:59:59.999999999Z"},
      {Value::Timestamp(0, 1), "1970-01-01T00:00:00.000000001Z"},
      {Value::Timestamp(0, 100'000'000), "1970-01-01T00:00:00.1Z"},
      {Value::Timestamp(0, 120'300'000, 90), "1970-01-01T01:30:00.1203+01:30"},
      {Value::Timestamp(0, 0, -1), "1969-12-31T23:59:00-00:01"},
      {Value::Timestamp(0, 0, 25 * 60), "1970-01-02T01:00:00+25:00"},
      {Value::Timestamp(kTimestampSecondsMin, 0), "0001-01-01T00:00:00Z"},
      {Value::Timestamp(kTimestampSecondsMin, 0, -300), "0000-12-31T19:00:00-05:00"},
      {Value::Timestamp(kTimestampSecondsMin + 999LL * 366 * 86'400, 0), "1002-01-28T00:00:00Z"},
      {Value::Timestamp(kTimestampSecondsMax, 999'999'999), "9999-12-31T23:59:59.999999999Z"},
      {Value::Timestamp(kTimestampSecondsMax, 5'000, 300), "10000-01-01T04:59:59.000005+05:00"},
  };
  for (const Case& one : kCases) EXPECT_EQ(TimestampText(one.time), one.text);
}

TEST(TimeTextTest, RefusesOtherTimestamps) {
  for (const std::string_view text :
       {"", "abc", "2024-02-29t12:34:56z", "2024-02-29T12:34:56", "2024-02-30T00:00:00Z",
        "2024-13-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z", "2024-01-01T00:00:00.Z",
        "2024-01-01T00:00:00+25:00", "2024-01-01T00:00:00+00:61", "2024-01-01T00:00:00+0000",
        "2024-01-01T00:00:00Zx", "10000-01-01T00:00:00Z", "24-01-01T00:00:00Z"}) {
    EXPECT_FALSE(ParseTimestamp(text).has_value()) << text;
  }
}

TEST(TimeTextTest, KnowsTheYearsOfTimestamps) {
  EXPECT_TRUE(IsTimestamp(kTimestampSecondsMin));
  EXPECT_TRUE(IsTimestamp(kTimestampSecondsMax));
  EXPECT_FALSE(IsTimestamp(kTimestampSecondsMin - 1));
  EXPECT_FALSE(IsTimestamp(kTimestampSecondsMax + 1));
  EXPECT_FALSE(IsTimestamp(ParseTimestamp("0000-01-01T00:00:00Z")->seconds()));
}

}  // namespace
}  // namespace plimsoll::cel
