#include "cli/output/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <sstream>

#include "base/virtual_clock.h"

namespace plimsoll::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::EndsWith;
using testing::HasSubstr;

class ProgressTest : public testing::Test {
 protected:
  Progress::Now Now() {
    return [this] { return now_; };
  }
  /// Returns what was written since the last call.
  std::string Written() {
    std::string text = err_.str();
    err_.str("");
    return text;
  }

  Duration now_ = seconds(100);
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  VirtualClock clock_;
  MemorySink sink_;
  Logger log_{clock_, sink_};
  Context context_{in_, out_, err_, log_, {}, {.is_terminal = true, .columns = 80}};
};

TEST_F(ProgressTest, ShortWorkShowsNothing) {
  {
    Progress progress("Copying objects", context_, Now());
    now_ += milliseconds(999);
    progress.Set(5, 10);
  }
  EXPECT_EQ(Written(), "");
}

TEST_F(ProgressTest, ShowsCountsRateAndTheRemainingTime) {
  Progress progress("Copying objects", context_, Now());
  now_ += seconds(5);
  progress.Set(4'500, 10'000);
  EXPECT_EQ(Written(), "\rCopying objects [#########...........] 45% 4500/10000, 900/s, 6s left");
  now_ += seconds(5);
  progress.Set(10'000, 10'000);
  EXPECT_THAT(Written(), HasSubstr("[####################] 100% 10000/10000, 1000/s   "));
}

TEST_F(ProgressTest, WithoutATotalThereIsNoBar) {
  Progress progress("Waiting for nodes", context_, Now());
  now_ += seconds(2);
  progress.Set(3, 0);
  EXPECT_EQ(Written(), "\rWaiting for nodes 3, 1.5/s");
}

TEST_F(ProgressTest, WorkWithoutACountHasAText) {
  Progress progress("Stopping process 7", context_, Now());
  progress.Note("0s of 60s");
  EXPECT_EQ(Written(), "") << "short work shows nothing";
  now_ += seconds(3);
  progress.Note("3s of 60s");
  progress.Note("too early to draw again");
  EXPECT_EQ(Written(), "\rStopping process 7, 3s of 60s");
}

TEST_F(ProgressTest, DrawsAtMostTenTimesPerSecond) {
  Progress progress("Copying objects", context_, Now());
  now_ += seconds(2);
  progress.Set(1, 3);
  EXPECT_NE(Written(), "");
  now_ += milliseconds(99);
  progress.Set(2, 3);
  EXPECT_EQ(Written(), "");
  now_ += milliseconds(1);
  progress.Set(3, 3);
  EXPECT_NE(Written(), "");
}

TEST_F(ProgressTest, LeavesNothingBehind) {
  {
    Progress progress("Work", context_, Now());
    now_ += seconds(2);
    progress.Set(4, 0);
    EXPECT_EQ(Written(), "\rWork 4, 2.0/s");
  }
  EXPECT_EQ(Written(), "\r             \r");
}

TEST_F(ProgressTest, FitsANarrowTerminal) {
  context_.err_look.columns = 30;
  Progress progress("Copying objects", context_, Now());
  now_ += seconds(5);
  progress.Set(4'500, 10'000);
  EXPECT_LE(Written().size(), 30U);
}

TEST_F(ProgressTest, AFileGetsNothing) {
  context_.err_look = {};
  Progress progress("Copying objects", context_, Now());
  now_ += seconds(5);
  progress.Set(1, 2);
  progress.Clear();
  EXPECT_EQ(Written(), "");
}

}  // namespace
}  // namespace plimsoll::cli
