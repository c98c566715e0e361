#include "base/go_duration.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace plimsoll {
namespace {

TEST(ParseGoDurationTest, ReadsWhatGoReads) {
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
    const std::optional<Duration> read = ParseGoDuration(text);
    EXPECT_EQ(read.has_value(), nanoseconds.has_value()) << text;
    if (read && nanoseconds) {
      EXPECT_EQ(read->count(), *nanoseconds) << text;
    }
  }
}

}  // namespace
}  // namespace plimsoll
