#include "cel/library/time_text.h"

#include <gtest/gtest.h>

#include <utility>

namespace plimsoll::cel {
namespace {

TEST(TimeTextTest, ReadsDurations) {
  const std::pair<std::string_view, std::optional<std::int64_t>> kCases[] = {
      {"0", 0},
      {"-0", 0},
      {"1h30m", 5'400'000'000'000},
      {"1m1h", 3'660'000'000'000},
      {"-1.5s", -1'500'000'000},
      {"+1h", 3'600'000'000'000},
      {"1.s", 1'000'000'000},
      {".5s", 500'000'000},
      {"1\u00b5s", 1'000},
      {"1\u03bcs", 1'000},
      {"1us1ns", 1'001},
      {"0.3333333333333333333h", 1'200'000'000'000},
      {"2562047h47m16.854775807s", INT64_MAX},
      {"-2562047h47m16.854775808s", INT64_MIN},
      {"2562047h47m16.854775808s", std::nullopt},
      {"9223372037s", std::nullopt},
      {"99999999999999999999s", std::nullopt},
      {"", std::nullopt},
      {"-", std::nullopt},
      {"1", std::nullopt},
      {".s", std::nullopt},
      {"1d", std::nullopt},
      {"1h-1m", std::nullopt},
      {"1 s", std::nullopt},
      {"s", std::nullopt},
  };
  for (const auto& [text, nanoseconds] : kCases) {
    EXPECT_EQ(ParseDuration(text), nanoseconds) << text;
  }
}

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
