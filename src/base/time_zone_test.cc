#include "base/time_zone.h"

#include <gtest/gtest.h>

#include "base/time.h"
#include "base/time_zone_rule.h"

namespace plimsoll {
namespace {

std::int64_t Seconds(std::string_view time) {
  return std::chrono::floor<std::chrono::seconds>(ParseTime(time)->time_since_epoch()).count();
}

TEST(TimeZoneTest, KnowsTheClocksOfAllTimes) {
  const struct {
    std::string_view zone;
    std::string_view time;
    std::int64_t minutes;
  } kCases[] = {
      {"UTC", "2024-07-01T00:00:00Z", 0},
      {"", "2024-07-01T00:00:00Z", 0},
      {"Local", "2024-07-01T00:00:00Z", 0},
      {"America/New_York", "2024-07-01T00:00:00Z", -240},
      {"America/New_York", "2024-12-01T00:00:00Z", -300},
      {"America/New_York", "2150-07-01T00:00:00Z", -240},  // by the POSIX rule
      {"America/New_York", "2150-12-01T00:00:00Z", -300},
      {"America/New_York", "1850-01-01T00:00:00Z", -296},  // local mean time, 4:56:02
      {"Australia/Sydney", "2100-01-01T00:00:00Z", 660},   // daylight time spans New Year
      {"Australia/Sydney", "2100-07-01T00:00:00Z", 600},
      {"Asia/Kolkata", "2024-01-01T00:00:00Z", 330},
      {"Europe/London", "2024-03-31T00:59:59Z", 0},
      {"Europe/London", "2024-03-31T01:00:00Z", 60},
  };
  for (const auto& test : kCases) {
    const auto zone = FindTimeZone(test.zone);
    ASSERT_TRUE(zone.has_value()) << test.zone << ": " << zone.error().message;
    EXPECT_EQ((*zone)->OffsetAt(Seconds(test.time)) / 60, test.minutes)
        << test.zone << " at " << test.time;
  }
}

TEST(TimeZoneTest, RefusesNamesInGosWords) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"Nope/Zone", "unknown time zone Nope/Zone"},
      {"utc ", "unknown time zone utc "},
      {"../etc/passwd", "time: invalid location name"},
      {"/etc/localtime", "time: invalid location name"},
      {"America", "is a directory"},
      {"zone.tab", "malformed time zone information"},
  };
  for (const auto& [name, message] : kCases) {
    const auto zone = FindTimeZone(name);
    ASSERT_FALSE(zone.has_value()) << name;
    EXPECT_EQ(zone.error().message, message);
  }
}

TEST(TimeZoneTest, RefusesFilesThatAreCutShort) {
  const std::string header = std::string("TZif2") + std::string(15, '\0') + std::string(24, '\xff');
  for (std::size_t bytes = 0; bytes <= header.size(); ++bytes) {
    EXPECT_FALSE(TimeZone::FromFile(header.substr(0, bytes)).has_value());
  }
}

TEST(TimeZoneTest, ReadsRules) {
  const struct {
    std::string_view rule;
    std::string_view time;
    std::optional<std::int64_t> minutes;
  } kCases[] = {
      {"<+03>-3", "2024-07-01T00:00:00Z", 180},
      {"EST5EDT", "2024-07-01T00:00:00Z", -240},
      {"CET-1CEST,M3.5.0,M10.5.0/3", "2040-07-01T00:00:00Z", 120},
      {"AAA3BBB,J60,J300", "2024-03-01T05:00:00Z", -120},
      {"AAA3BBB,59/0,299/-1:30", "2024-02-29T03:00:00Z", -120},
      {"XYZ-1:30:15", "2024-01-01T00:00:00Z", 90},
      {"", "2024-01-01T00:00:00Z", std::nullopt},
      {"AB3", "2024-01-01T00:00:00Z", std::nullopt},
      {"AAA25", "2024-01-01T00:00:00Z", std::nullopt},
      {"AAA3BBB,M13.1.0,M1.1.0", "2024-01-01T00:00:00Z", std::nullopt},
      {"<AAA3", "2024-01-01T00:00:00Z", std::nullopt},
  };
  for (const auto& test : kCases) {
    std::optional<std::int64_t> offset = OffsetByRule(test.rule, Seconds(test.time));
    if (offset) *offset /= 60;
    EXPECT_EQ(offset, test.minutes) << test.rule;
  }
}

}  // namespace
}  // namespace plimsoll
