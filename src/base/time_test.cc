#include "base/time.h"

#include <chrono>
#include <string>

#include "gtest/gtest.h"
#include "rapidcheck.h"

namespace plimsoll {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr Instant At(std::int64_t since_epoch, std::int64_t nanos = 0) {
  return Instant(seconds(since_epoch) + nanoseconds(nanos));
}

TEST(TimeTest, WritesSecondsInUtc) {
  EXPECT_EQ(FormatTime(At(0)), "1970-01-01T00:00:00Z");
  EXPECT_EQ(FormatTime(At(1'772'368'200, 999'999'999)), "2026-03-01T12:30:00Z");
  EXPECT_EQ(FormatTime(At(-1, 1)), "1969-12-31T23:59:59Z");
  EXPECT_EQ(FormatTime(Instant::max()), "2262-04-11T23:47:16Z");
  EXPECT_EQ(FormatTime(Instant::min()), "1677-09-21T00:12:43Z");
}

TEST(TimeTest, WritesMicroseconds) {
  EXPECT_EQ(FormatMicroTime(At(0)), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(FormatMicroTime(At(1'772'368'200, 123'456'789)), "2026-03-01T12:30:00.123456Z");
  EXPECT_EQ(FormatMicroTime(At(-1, 999'999'999)), "1969-12-31T23:59:59.999999Z");
}

struct ParseCase {
  std::string text;
  Instant want;
};

TEST(TimeTest, ReadsWhatGoReads) {
  for (const ParseCase& test : std::vector<ParseCase>{
           {"1970-01-01T00:00:00Z", At(0)},
           {"2026-03-01T12:30:00Z", At(1'772'368'200)},
           {"2026-03-01T14:30:00+02:00", At(1'772'368'200)},
           {"2026-02-28T23:00:00-13:30", At(1'772'368'200)},
           {"2026-03-02T12:30:00+24:00", At(1'772'368'200)},
           {"2026-03-01T12:30:00.5Z", At(1'772'368'200, 500'000'000)},
           {"2026-03-01T12:30:00,123456789999Z", At(1'772'368'200, 123'456'789)},
           {"2026-03-01T1:30:00Z", At(1'772'368'200 - 11 * 3600)},
           {"2024-02-29T00:00:00Z", At(1'709'164'800)},
           {"0001-01-01T00:00:00Z", Instant::min()},
           {"9999-12-31T23:59:59Z", Instant::max()},
       }) {
    const Result<Instant> got = ParseTime(test.text);
    ASSERT_TRUE(got.has_value()) << test.text << ": " << got.error().Text();
    EXPECT_EQ(*got, test.want) << test.text;
  }
}

struct RefusalCase {
  std::string text;
  std::string want;
};

TEST(TimeTest, RefusesWithGosText) {
  const std::string as = R"( as "2006-01-02T15:04:05Z07:00": cannot parse )";
  for (const RefusalCase& test : std::vector<RefusalCase>{
           {"", R"(parsing time "")" + as + R"("" as "2006")"},
           {"tomorrow", R"(parsing time "tomorrow")" + as + R"("tomorrow" as "2006")"},
           {"20\x01\xc3\xa9\"",
            R"(parsing time "20\x01\xc3\xa9\"")" + as + R"("20\x01\xc3\xa9\"" as "2006")"},
           {"2026", R"(parsing time "2026")" + as + R"("" as "-")"},
           {"2026-3-01T00:00:00Z",
            R"(parsing time "2026-3-01T00:00:00Z")" + as + R"("3-01T00:00:00Z" as "01")"},
           {"2026-13-01T00:00:00Z", R"(parsing time "2026-13-01T00:00:00Z": month out of range)"},
           {"2026-02-29T00:00:00Z", R"(parsing time "2026-02-29T00:00:00Z": day out of range)"},
           {"2026-02-00T00:00:00Z", R"(parsing time "2026-02-00T00:00:00Z": day out of range)"},
           {"2026-02-01 00:00:00Z",
            R"(parsing time "2026-02-01 00:00:00Z")" + as + R"(" 00:00:00Z" as "T")"},
           {"2026-02-01T24:00:00Z", R"(parsing time "2026-02-01T24:00:00Z": hour out of range)"},
           {"2026-02-01T23:60:00Z", R"(parsing time "2026-02-01T23:60:00Z": minute out of range)"},
           {"2026-02-01T23:59:60Z", R"(parsing time "2026-02-01T23:59:60Z": second out of range)"},
           {"2026-02-01T23:59:59",
            R"(parsing time "2026-02-01T23:59:59")" + as + R"("" as "Z07:00")"},
           {"2026-02-01T23:59:59*01:00",
            R"(parsing time "2026-02-01T23:59:59*01:00")" + as + R"("*01:00" as "Z07:00")"},
           {"2026-02-01T23:59:59+25:00",
            R"(parsing time "2026-02-01T23:59:59+25:00": time zone offset hour out of range)"},
           {"2026-02-01T23:59:59Zulu",
            R"(parsing time "2026-02-01T23:59:59Zulu": extra text: "ulu")"},
       }) {
    const Result<Instant> got = ParseTime(test.text);
    ASSERT_FALSE(got.has_value()) << test.text;
    EXPECT_EQ(got.error(), (Error{Reason::BadRequest, "", test.want}));
  }
}

TEST(TimeTest, MicroTimeWantsSixDigits) {
  EXPECT_EQ(ParseMicroTime("2026-03-01T12:30:00.123456Z"), At(1'772'368'200, 123'456'000));
  EXPECT_EQ(ParseMicroTime("2026-03-01T12:30:00Z").error().message,
            R"(parsing time "2026-03-01T12:30:00Z" as "2006-01-02T15:04:05.000000Z07:00": )"
            R"(cannot parse "Z" as ".000000")");
  EXPECT_FALSE(ParseMicroTime("2026-03-01T12:30:00.12345Z").has_value());
  EXPECT_FALSE(ParseMicroTime("2026-03-01T12:30:00.1234567Z").has_value());
}

TEST(TimeTest, WhatIsWrittenIsReadBack) {
  EXPECT_TRUE(rc::check([](std::int64_t count) {
    const Instant time{Duration(count)};
    const Instant to_second{std::chrono::floor<seconds>(time.time_since_epoch())};
    const Instant to_micro{std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch())};
    RC_ASSERT(ParseTime(FormatTime(time)).value() == to_second);
    RC_ASSERT(ParseMicroTime(FormatMicroTime(time)).value() == to_micro);
  }));
}

TEST(DurationTest, ReadsAsInGo) {
  EXPECT_EQ(FormatDuration({}), "0s");
  EXPECT_EQ(FormatDuration(nanoseconds(7)), "7ns");
  EXPECT_EQ(FormatDuration(nanoseconds(1'100)), "1.1µs");
  EXPECT_EQ(FormatDuration(milliseconds(300)), "300ms");
  EXPECT_EQ(FormatDuration(nanoseconds(999'999'999)), "999.999999ms");
  EXPECT_EQ(FormatDuration(milliseconds(1'500)), "1.5s");
  EXPECT_EQ(FormatDuration(seconds(60)), "1m0s");
  EXPECT_EQ(FormatDuration(hours(25) + minutes(2) + nanoseconds(1)), "25h2m0.000000001s");
  EXPECT_EQ(FormatDuration(-seconds(90)), "-1m30s");
  EXPECT_EQ(FormatDuration(Duration::min()), "-2562047h47m16.854775808s");
}

}  // namespace
}  // namespace plimsoll
