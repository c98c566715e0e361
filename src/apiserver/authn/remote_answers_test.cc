#include "apiserver/authn/remote_answers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>

#include "base/async.h"
#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::seconds;
using Answers = RemoteAnswers<int>;

class RemoteAnswersTest : public testing::Test {
 protected:
  std::optional<int> Get(std::string_view key, int answer, Duration lifetime = seconds(10)) {
    return answers.Get(key, [&]() -> Answers::Fetched {
      ++count;
      return {answer, lifetime};
    });
  }

  VirtualClock clock{Instant(seconds(1'800'000'000))};
  Answers answers{clock, 3};
  int count = 0;
};

TEST_F(RemoteAnswersTest, AnswersAreKeptForTheirLifetime) {
  EXPECT_EQ(Get("a", 1), 1);
  EXPECT_EQ(Get("a", 2), 1);
  clock.Advance(seconds(10));
  EXPECT_EQ(Get("a", 3), 3);
  EXPECT_EQ(Get("b", 4, {}), 4);
  EXPECT_EQ(Get("b", 5, {}), 5);
  EXPECT_EQ(count, 4);
}

TEST_F(RemoteAnswersTest, UnderABanOnlyWhatIsKeptIsAnswered) {
  {
    const WaitBan ban;
    EXPECT_EQ(Get("a", 1), std::nullopt);
    EXPECT_TRUE(ban.was_hit());
  }
  EXPECT_EQ(Get("a", 2), 2);
  const WaitBan ban;
  EXPECT_EQ(Get("a", 3), 2);
  EXPECT_FALSE(ban.was_hit());
  EXPECT_EQ(count, 1);
}

TEST_F(RemoteAnswersTest, TheNumberOfAnswersIsBounded) {
  for (int i = 0; i < 100; ++i) Get(std::to_string(i), i);
  EXPECT_LE(answers.size(), 3u);
}

TEST_F(RemoteAnswersTest, OneAsksAndTheOthersWait) {
  std::counting_semaphore<> go(0);
  std::counting_semaphore<> asking(0);
  std::atomic<int> asked = 0;
  std::atomic<int> sum = 0;
  const auto ask = [&]() -> Answers::Fetched {
    ++asked;
    asking.release();
    go.acquire();
    return {7, seconds(10)};
  };
  {
    // Fibers of one thread wait for a fiber on another thread.
    WorkerPool first(1);
    first.Run([&] { sum += answers.Get("a", ask).value_or(0); });
    asking.acquire();
    WorkerPool others(1, {}, 8);
    for (int i = 0; i < 8; ++i) others.Run([&] { sum += answers.Get("a", ask).value_or(0); });
    go.release();
  }
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(sum, 9 * 7);
}

}  // namespace
}  // namespace plimsoll::apiserver
