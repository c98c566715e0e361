#include "apiserver/cache/live_cache.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "apiserver/cache/cache_for_test.h"

namespace plimsoll::apiserver {
namespace {

/// Store whose watches can be ended, whose lists
/// can fail, and whose QuickHistory can be set.
class FailingStore final : public store::Store {
 public:
  explicit FailingStore(store::Store& inner) : inner_(inner) {}

  void Commit(store::Write write, store::CommitDone done) override {
    inner_.Commit(std::move(write), std::move(done));
  }
  Result<std::optional<store::Record>> Get(std::string_view key) override {
    return inner_.Get(key);
  }
  Result<store::Range> List(const store::RangeRequest& request) override {
    if (is_failing) return Fail(Reason::ServiceUnavailable, "the store is away");
    return inner_.List(request);
  }
  Result<std::unique_ptr<store::Watch>> WatchFrom(std::string prefix, store::Revision after,
                                                  store::ChangeSink& to) override {
    sink = &to;
    watched_after = after;
    return inner_.WatchFrom(std::move(prefix), after, to);
  }
  Status Compact(store::Revision revision) override { return inner_.Compact(revision); }
  Status BumpRevision(store::Revision revision) override { return inner_.BumpRevision(revision); }
  store::Revision latest() const override { return inner_.latest(); }
  store::Revision compacted() const override { return inner_.compacted(); }
  std::int64_t QuickHistory() const override { return quick_history; }
  Status Health() const override { return inner_.Health(); }

  bool is_failing = false;
  std::int64_t quick_history = 50'000;
  store::Revision watched_after{};
  store::ChangeSink* sink = nullptr;

 private:
  store::Store& inner_;
};

class CountingObserver final : public CacheObserver {
 public:
  void OnEvent(const std::shared_ptr<const CacheEvent>&) override { ++events; }
  void OnReset() override { ++resets; }
  int events = 0;
  int resets = 0;
};

class LiveCacheTest : public testing::Test, protected CacheFixture {
 protected:
  LiveCacheTest() {
    auto started = Cache::Start(failing_, table(), clock(), log(), registry_);
    EXPECT_TRUE(started.has_value());
    tested_ = *std::move(started);
  }
  MetricsRegistry registry_;
  FailingStore failing_{store()};
  std::unique_ptr<Cache> tested_;
};

TEST_F(LiveCacheTest, BeginsWithAsMuchOfThePastAsTheStoreHandsOutQuickly) {
  for (int i = 0; i < 5; ++i) PutPod("a", "x", std::to_string(i));
  for (const auto& [quick, after] : {std::pair(50, 0), {3, 2}}) {
    failing_.quick_history = quick;
    MetricsRegistry registry;
    ASSERT_TRUE(Cache::Start(failing_, table(), clock(), log(), registry).has_value());
    EXPECT_EQ(store::Number(failing_.watched_after), after);
  }
}

TEST_F(LiveCacheTest, StartsAgainWhenTheWatchEnds) {
  const Resource& pods = Of("pods");
  PutPod("a", "x");
  CountingObserver observer;
  Picture picture;
  const auto subscription = tested_->SubscribeNow(pods, observer, picture);
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
  const auto refused = tested_->Subscribe(pods, store::Revision{1}, observer);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "too old resource version: 1 (2)");
}

TEST_F(LiveCacheTest, AStoreThatCannotBeReadIsAnError) {
  failing_.is_failing = true;
  MetricsRegistry metrics_of_other;
  EXPECT_FALSE(Cache::Start(failing_, table(), clock(), log(), metrics_of_other).has_value());
}

TEST_F(LiveCacheTest, ItsTasksDoNothingOnceItIsGone) {
  failing_.sink->OnEnd({Reason::Expired, {}, "too slow"});
  tested_.reset();
  clock().Advance(std::chrono::seconds(2));
  PutPod("a", "x");
  EXPECT_EQ(cache().Count(Of("pods")), 1u);
}

}  // namespace
}  // namespace plimsoll::apiserver
