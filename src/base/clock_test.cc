// Contract tests that every Clock must pass.

#include "base/clock.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "base/real_clock.h"
#include "base/scaled_clock.h"
#include "base/virtual_clock.h"
#include "gtest/gtest.h"

namespace plimsoll {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

/// A clock, and a function that waits until a task has released the semaphore.
struct Subject {
  std::unique_ptr<Clock> clock;
  std::function<void(std::binary_semaphore&)> await;
};

Subject Virtual() {
  auto clock = std::make_unique<VirtualClock>(Instant(hours(1)));
  VirtualClock* const steered = clock.get();
  return {std::move(clock), [steered](std::binary_semaphore& done) {
            while (!done.try_acquire()) ASSERT_TRUE(steered->Step()) << "nothing left to run";
          }};
}

Subject Real() {
  return {std::make_unique<RealClock>(), [](std::binary_semaphore& done) { done.acquire(); }};
}

Subject Scaled() {
  return {std::make_unique<ScaledClock>(std::make_unique<RealClock>(), 7),
          [](std::binary_semaphore& done) { done.acquire(); }};
}

struct ClockCase {
  std::string name;
  Subject (*make)();
};

class ClockTest : public testing::TestWithParam<ClockCase> {
 protected:
  Clock& clock() { return *subject_.clock; }
  void Await() { subject_.await(done_); }

  std::binary_semaphore done_{0};
  std::vector<int> ran_;

 private:
  Subject subject_ = GetParam().make();
};

TEST_P(ClockTest, RunsInOrderOfTimeAndThenOfCall) {
  const Instant now = clock().Now();
  clock().At(now + milliseconds(5), [this] { ran_.push_back(4); });
  clock().At(now + milliseconds(5), [this] {
    ran_.push_back(5);
    done_.release();
  });
  clock().At(now + milliseconds(2), [this] { ran_.push_back(2); });
  clock().At(now + milliseconds(2), [this] { ran_.push_back(3); });
  clock().At(now + milliseconds(1), [this] { ran_.push_back(1); });
  Await();
  EXPECT_EQ(ran_, (std::vector{1, 2, 3, 4, 5}));
}

TEST_P(ClockTest, RunsNothingBeforeItsTime) {
  const Instant when = clock().Now() + milliseconds(3);
  Instant seen;
  clock().At(when, [&] {
    seen = clock().Now();
    done_.release();
  });
  Await();
  EXPECT_GE(seen, when);
}

TEST_P(ClockTest, RunsWhatIsOverdueButNotWithinTheCall) {
  // If the call ran its task, this thread would lock the mutex twice.
  std::mutex mutex;
  {
    const std::lock_guard lock(mutex);
    clock().At(clock().Now() - hours(1), [&] {
      const std::lock_guard inner(mutex);
      done_.release();
    });
  }
  Await();
}

TEST_P(ClockTest, ATaskMaySetAnother) {
  clock().At(clock().Now(), [this] {
    ran_.push_back(1);
    clock().At(clock().Now() + milliseconds(1), [this] {
      ran_.push_back(2);
      done_.release();
    });
  });
  Await();
  EXPECT_EQ(ran_, (std::vector{1, 2}));
}

TEST_P(ClockTest, AnEarlierTaskOvertakesOneThatIsWaitedFor) {
  clock().At(clock().Now() + hours(1), [this] { ran_.push_back(1); });
  clock().At(clock().Now(),
             [this] { clock().At(clock().Now() + milliseconds(1), [this] { done_.release(); }); });
  Await();
  EXPECT_TRUE(ran_.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, ClockTest,
    testing::ValuesIn<ClockCase>({{"Virtual", Virtual}, {"Real", Real}, {"Scaled", Scaled}}),
    [](const auto& test) { return test.param.name; });

TEST(RealClockTest, TakesTasksFromManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kTasksEach = 200;
  std::counting_semaphore<> ran(0);
  RealClock clock;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < kTasksEach; ++j) clock.At(clock.Now(), [&] { ran.release(); });
      });
    }
  }
  for (int i = 0; i < kThreads * kTasksEach; ++i) ran.acquire();
  EXPECT_FALSE(ran.try_acquire());
}

TEST(RealClockTest, DropsWhatStillWaitsAtTheEnd) {
  auto held = std::make_shared<int>(1);
  {
    RealClock clock;
    clock.At(clock.Now() + hours(1), [held] { FAIL(); });
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST(RealClockTest, ItsThreadTakesNoSignalOfTheProgram) {
  const auto signal_itself = [] {
    const RealClock clock;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    kill(getpid(), SIGTERM);  // ends the program unless all threads block it
    sigpending(&set);
    _exit(sigismember(&set, SIGTERM) == 1 ? 0 : 1);
  };
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(signal_itself(), testing::ExitedWithCode(0), "");
}

TEST(RealClockTest, TellsTheTimeOfThisCentury) {
  const std::string now = FormatTime(RealClock().Now());
  EXPECT_GT(now, "2025") << now;
  EXPECT_LT(now, "2200") << now;
}

}  // namespace
}  // namespace plimsoll
