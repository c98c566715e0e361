#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(StandardTimeTest, PartsOfATime) {
  EXPECT_EQ(Differences({
                {"timestamp('2024-02-29T23:59:58.123Z').getFullYear()", "2024 @1"},
                {"timestamp('2024-02-29T23:59:58.123Z').getMonth()", "1 @1"},
                {"timestamp('2024-02-29T23:59:58.123Z').getDayOfYear()", "59 @1"},
                {"timestamp('2024-02-29T23:59:58.123Z').getDayOfMonth()", "28 @1"},
                {"timestamp('2024-02-29T23:59:58.123Z').getDate()", "29 @1"},
                {"timestamp('2024-02-29T23:59:58.123Z').getDayOfWeek()", "4 @1"},
                {"timestamp('2024-02-29T23:59:58.123Z').getHours()", "23 @1"},
                {"timestamp('2024-02-29T23:59:58.123Z').getMinutes()", "59 @1"},
                {"timestamp('2024-02-29T23:59:58.123Z').getSeconds()", "58 @1"},
                {"timestamp('2024-02-29T23:59:58.123Z').getMilliseconds()", "123 @1"},
            }),
            "");
}

TEST(StandardTimeTest, ZonesHaveNamesOrOffsets) {
  EXPECT_EQ(Differences({
                {"timestamp('2024-02-29T23:59:58.123Z').getHours('Asia/Kolkata')", "5 @1"},
                {"timestamp('2024-02-29T23:59:58.123Z').getDate('+09:30')", "1 @1"},
                {"timestamp('2024-02-29T23:59:58.123Z').getHours('-01:00')", "22 @1"},
                {"timestamp('2024-07-01T12:00:00Z').getHours('Europe/Berlin')", "14 @1"},
                {"timestamp('2024-01-01T12:00:00Z').getHours('Europe/Berlin')", "13 @1"},
                {"timestamp('2024-02-29T23:59:58.123Z').getHours('Nowhere/Land')",
                 "error: unknown time zone Nowhere/Land @1"},
            }),
            "");
}

TEST(StandardTimeTest, PartsOfADurationAreTotals) {
  EXPECT_EQ(Differences({
                {"duration('1h1m1.5s').getHours()", "1 @1"},
                {"duration('1h1m1.5s').getMinutes()", "61 @1"},
                {"duration('1h1m1.5s').getSeconds()", "3661 @1"},
                {"duration('1h1m1.5s').getMilliseconds()", "3661500 @1"},
            }),
            "");
}

TEST(StandardTimeTest, TimesAreAddedAndCompared) {
  EXPECT_EQ(
      Differences({
          {"timestamp('2024-02-28T00:00:00Z') + duration('24h')",
           R"(timestamp("2024-02-29T00:00:00Z") @1)"},
          {"timestamp('2024-02-28T01:00:00+01:00') - timestamp('2024-02-27T00:00:00Z')",
           R"(duration("86400s") @1)"},
          {"duration('1s') - duration('1ms')", R"(duration("0.999s") @1)"},
          {"timestamp('2024-02-28T01:00:00+01:00') == timestamp('2024-02-28T00:00:00Z')",
           "true @1"},
          {"duration('59m') < duration('1h')", "true @1"},
          {"timestamp('9999-12-31T23:59:59Z') + duration('1s')", "error: timestamp overflow @1"},
          {"duration('2562047h') + duration('2562047h')", "error: integer overflow @1"},
      }),
      "");
}

}  // namespace
}  // namespace plimsoll::cel
