#include <gtest/gtest.h>

#include <utility>

#include "apiserver/cache/cache_for_test.h"

namespace plimsoll::apiserver {
namespace {

class CountingObserver final : public CacheObserver {
 public:
  void OnEvent(const std::shared_ptr<const CacheEvent>&) override { ++events; }
  void OnReset() override { ++resets; }
  int events = 0;
  int resets = 0;
};

class CacheReloadTest : public testing::Test, protected CacheFixture {
 protected:
  CacheReloadTest() {
    auto started = Cache::Start(failing_, table(), clock(), log(), registry_);
    EXPECT_TRUE(started.has_value());
    tested_ = *std::move(started);
  }
  MetricsRegistry registry_;
  FailingStore failing_{store()};
  std::unique_ptr<Cache> tested_;
};

TEST_F(CacheReloadTest, BeginsWithAsMuchOfThePastAsTheStoreHandsOutQuickly) {
  for (int i = 0; i < 5; ++i) PutPod("a", "x", std::to_string(i));
  for (const auto& [quick, after] : {std::pair(50, 0), {3, 2}}) {
    failing_.quick_history = quick;
    MetricsRegistry registry;
    ASSERT_TRUE(Cache::Start(failing_, table(), clock(), log(), registry).has_value());
    EXPECT_EQ(store::Number(failing_.watched_after), after);
  }
}

TEST_F(CacheReloadTest, StartsAgainWhenTheWatchEnds) {
  const Resource& pods = Of("pods");
  PutPod("a", "x");
  CountingObserver observer;
  Picture picture;
  const auto subscription = tested_->SubscribeNow(pods, {}, observer, picture);
  EXPECT_EQ(picture.objects.size(), 1u);

  failing_.is_failing = true;
  failing_.sink->OnEnd({Reason::ServiceUnavailable, {}, "gone"});
  clock().Advance(std::chrono::seconds(1));
  EXPECT_EQ(observer.resets, 0);
  EXPECT_EQ(tested_->Count(pods), 1u);

  PutPod("a", "y");
  failing_.is_failing = false;
  clock().Advance(std::chrono::seconds(1));
  EXPECT_EQ(observer.resets, 1);
  EXPECT_EQ(observer.events, 0);
  EXPECT_EQ(tested_->Count(pods), 2u);
  EXPECT_EQ(store::Number(tested_->revision()), 2);

  PutPod("a", "z");
  EXPECT_EQ(tested_->Count(pods), 3u);
  EXPECT_EQ(observer.events, 0);
  const auto refused = tested_->Subscribe(pods, {}, store::Revision{1}, observer);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "too old resource version: 1 (2)");
}

TEST_F(CacheReloadTest, AStoreThatCannotBeReadIsAnError) {
  failing_.is_failing = true;
  MetricsRegistry metrics_of_other;
  EXPECT_FALSE(Cache::Start(failing_, table(), clock(), log(), metrics_of_other).has_value());
}

TEST_F(CacheReloadTest, ItsTasksDoNothingOnceItIsGone) {
  failing_.sink->OnEnd({Reason::Expired, {}, "too slow"});
  tested_.reset();
  clock().Advance(std::chrono::seconds(2));
  PutPod("a", "x");
  EXPECT_EQ(cache().Count(Of("pods")), 1u);
}

}  // namespace
}  // namespace plimsoll::apiserver
