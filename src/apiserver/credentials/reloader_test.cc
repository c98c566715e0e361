#include "apiserver/credentials/reloader.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <semaphore>

#include "base/file.h"
#include "base/real_clock.h"
#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

class ReloaderTest : public testing::Test {
 protected:
  ReloaderTest() {
    std::string pattern = testing::TempDir() + "reloader_test_XXXXXX";
    root_ = mkdtemp(pattern.data());
    EXPECT_TRUE(WriteFile(root_ + "/a", "one").has_value());
  }
  ~ReloaderTest() override { std::filesystem::remove_all(root_); }

  Reloadable Counted(Duration period = {}) {
    return {
        .name = "a", .files = {root_ + "/a", ""}, .period = period, .reload = [this]() -> Status {
          ++count_;
          told_.release();
          if (is_failing_) return Fail(Reason::Invalid, "broken");
          return {};
        }};
  }

  std::string root_;
  VirtualClock clock_{Instant(std::chrono::seconds(1'800'000'000))};
  MemorySink sink_;
  Logger log_{clock_, sink_};
  int count_ = 0;
  bool is_failing_ = false;
  std::counting_semaphore<> told_{0};
  WorkerPool workers_{1};
};

TEST_F(ReloaderTest, AChangedFileIsReloadedOnce) {
  Reloader reloader({Counted()}, clock_, workers_, log_);
  reloader.Check();
  EXPECT_EQ(count_, 0);
  ASSERT_TRUE(WriteFile(root_ + "/a", "two").has_value());
  reloader.Check();
  reloader.Check();
  EXPECT_EQ(count_, 1);
  reloader.ReloadAll();
  EXPECT_EQ(count_, 2);
}

TEST_F(ReloaderTest, AFailureIsTriedAgainWithTheNextChange) {
  Reloader reloader({Counted()}, clock_, workers_, log_);
  is_failing_ = true;
  ASSERT_TRUE(WriteFile(root_ + "/a", "two").has_value());
  reloader.Check();
  reloader.Check();
  EXPECT_EQ(count_, 1);
  is_failing_ = false;
  ASSERT_TRUE(WriteFile(root_ + "/a", "three").has_value());
  reloader.Check();
  EXPECT_EQ(count_, 2);
}

TEST_F(ReloaderTest, APeriodReloadsWithoutAChange) {
  Reloader reloader({Counted(std::chrono::hours(1))}, clock_, workers_, log_);
  clock_.Advance(std::chrono::minutes(59));
  reloader.Check();
  EXPECT_EQ(count_, 0);
  clock_.Advance(std::chrono::minutes(1));
  reloader.Check();
  reloader.Check();
  EXPECT_EQ(count_, 1);
}

TEST_F(ReloaderTest, TheClockMakesItLook) {
  RealClock clock;  // the virtual clock works with one thread only
  WorkerPool workers(1);
  Reloader reloader({Counted()}, clock, workers, log_, std::chrono::milliseconds(1));
  ASSERT_TRUE(WriteFile(root_ + "/a", "two").has_value());
  reloader.Start();
  told_.acquire();
  ASSERT_TRUE(WriteFile(root_ + "/a", "three").has_value());
  told_.acquire();
}

TEST_F(ReloaderTest, ATimerThatOutlivesItDoesNothing) {
  {
    Reloader reloader({Counted()}, clock_, workers_, log_);
    reloader.Start();
    ASSERT_TRUE(WriteFile(root_ + "/a", "two").has_value());
  }
  clock_.Advance(std::chrono::seconds(10));
  EXPECT_EQ(count_, 0);
}

}  // namespace
}  // namespace plimsoll::apiserver
