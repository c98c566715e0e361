#include "cli/flags/duration_flag.h"

#include <gtest/gtest.h>

#include <chrono>

namespace plimsoll::cli {
namespace {

using namespace std::chrono_literals;

TEST(DurationFlagTest, ReadsWhatIsAboveZero) {
  EXPECT_EQ(*ParseDurationFlag("--f", "1m30s"), 90s);
  for (const char* const text : {"", "0s", "-1s", "5", "soon"}) {
    const Result<Duration> read = ParseDurationFlag("--f", text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().Text(), "--f: '" + std::string(text) + "' is no duration above zero");
  }
}

}  // namespace
}  // namespace plimsoll::cli
