#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(StandardTimeTest, ReadsTheClockInUtc) {
  EXPECT_EQ(Differences({
                {"timestamp('2024-02-29T12:34:56.789Z').getFullYear()", "2024 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getMonth()", "1 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getDayOfYear()", "59 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getDayOfMonth()", "28 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getDate()", "29 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getDayOfWeek()", "4 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours()", "12 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getMinutes()", "34 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getSeconds()", "56 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getMilliseconds()", "789 @1"},
                {"timestamp('2024-02-29T23:34:56+05:00').getHours()", "18 @1"},
                {"timestamp(-1).getSeconds()", "59 @1"},
                {"timestamp('0001-01-01T00:00:00Z').getFullYear()", "1 @1"},
                {"dyn('a').getHours()", "error: no such overload: getHours(string) @1"},
            }),
            "");
}

TEST(StandardTimeTest, ReadsTheClockInZones) {
  EXPECT_EQ(Differences({
                {"timestamp('2024-02-29T12:34:56.789Z').getHours('UTC')", "12 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours('')", "12 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours('America/New_York')", "7 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours('+05:30')", "18 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours('05:30')", "18 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours('-00:30')", "12 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours('+05:99')", "19 @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours('ab:cd')",
                 "error: strconv.Atoi: parsing \"ab\": invalid syntax @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours(':')",
                 "error: strconv.Atoi: parsing \"\": invalid syntax @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours('1:')",
                 "error: strconv.Atoi: parsing \"\": invalid syntax @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours('Nope/Zone')",
                 "error: unknown time zone Nope/Zone @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours('../x')",
                 "error: time: invalid location name @1"},
                {"timestamp('2024-02-29T12:34:56.789Z').getHours('99999999999999999999:00')",
                 "error: strconv.Atoi: parsing \"99999999999999999999\": value out of range @1"},
                {"timestamp('2024-12-31T23:34:56Z').getFullYear('+01:00')", "2025 @1"},
                {"timestamp('2024-07-01T00:00:00Z').getDate('America/New_York')", "30 @1"},
            }),
            "");
}

TEST(StandardTimeTest, CountsDurations) {
  EXPECT_EQ(Differences({
                {"duration('1h30m5.25s').getHours()", "1 @1"},
                {"duration('1h30m5.25s').getMinutes()", "90 @1"},
                {"duration('1h30m5.25s').getSeconds()", "5405 @1"},
                {"duration('1h30m5.25s').getMilliseconds()", "5405250 @1"},
                {"duration('-90s').getMinutes()", "-1 @1"},
                {"duration('9223372036.854775807s').getSeconds()", "9223372036 @1"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
