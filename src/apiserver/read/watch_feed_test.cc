#include "apiserver/read/watch_feed.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::milliseconds;

class Listener final : public WatchFeed::Member {
 public:
  bool OnBatch(const net::Piece& piece) override {
    heard += *piece.text + '|';
    last = piece.text;
    return !is_gone;
  }

  std::string heard;  // each batch with a | behind it
  Bytes last;
  bool is_gone = false;
};

class WatchFeedTest : public testing::Test {
 protected:
  void Join(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) feed_->Join(listeners_.emplace_back());
  }
  void Add(std::string text) {
    feed_->Add(store::Revision{++revision_}, {MakeBytes(std::move(text)), nullptr});
  }
  const std::string& heard(std::size_t i = 0) const { return listeners_[i].heard; }

  VirtualClock clock_{Instant(std::chrono::hours(1))};
  MetricsRegistry registry_;
  WatchCounters counters_{registry_.AddCounter({"events", "", {}}),
                          registry_.AddHistogram({"sizes", "", {}}, {2, 4}),
                          registry_.AddCounter({"terminated", "", {}})};
  std::shared_ptr<WatchFeed> feed_ = std::make_shared<WatchFeed>(clock_, counters_);
  std::deque<Listener> listeners_;
  std::int64_t revision_ = 0;
};

TEST_F(WatchFeedTest, FewGetEachEventAtOnce) {
  Join(8);
  Add("a");
  Add("b");
  EXPECT_EQ(heard(0), "a|b|");
  EXPECT_EQ(heard(7), "a|b|");
  EXPECT_EQ(listeners_[0].last, listeners_[7].last);
}

TEST_F(WatchFeedTest, ManyGetWhatComesSoonAfterAsOnePiece) {
  Join(500);
  Add("a");
  EXPECT_EQ(heard(), "a|");
  Add("b");
  Add("c");
  clock_.Advance(milliseconds(19));
  EXPECT_EQ(heard(), "a|");
  clock_.Advance(milliseconds(1));
  EXPECT_EQ(heard(), "a|bc|");
  EXPECT_EQ(listeners_[0].last, listeners_[499].last);
  clock_.Advance(milliseconds(20));
  Add("d");
  EXPECT_EQ(heard(), "a|bc|d|");
}

TEST_F(WatchFeedTest, ThePauseHasABound) {
  Join(5000);
  Add("a");
  Add("b");
  clock_.Advance(milliseconds(40));
  EXPECT_EQ(heard(), "a|b|");
}

TEST_F(WatchFeedTest, MuchDoesNotWait) {
  Join(1000);
  Add("a");
  Add(std::string(256u << 10, 'b'));
  EXPECT_EQ(heard().size(), 3 + (256u << 10));
}

TEST_F(WatchFeedTest, WhoJoinsGetsWhatIsAddedAfterThat) {
  Join(1000);
  Add("a");
  Add("b");
  Join(1);
  EXPECT_EQ(heard(0), "a|b|");
  Add("c");
  clock_.Advance(milliseconds(40));
  EXPECT_EQ(heard(0), "a|b|c|");
  EXPECT_EQ(heard(1000), "c|");
}

TEST_F(WatchFeedTest, WhoLeavesOrWantsNoMoreIsNotCalled) {
  Join(3);
  listeners_[0].is_gone = true;
  feed_->Leave(listeners_[1]);
  feed_->Leave(listeners_[1]);
  Add("a");
  Add("b");
  EXPECT_EQ(heard(0), "a|");
  EXPECT_EQ(heard(1), "");
  EXPECT_EQ(heard(2), "a|b|");
}

TEST_F(WatchFeedTest, AFlushDoesNotWait) {
  Join(1000);
  Add("a");
  Add("b");
  feed_->Flush();
  EXPECT_EQ(heard(), "a|b|");
  feed_->Flush();
  clock_.Advance(milliseconds(40));
  EXPECT_EQ(heard(), "a|b|");
}

TEST_F(WatchFeedTest, KnowsWhatWasAddedOrSkipped) {
  EXPECT_FALSE(feed_->Knows(store::Revision{1}));
  Add("a");
  EXPECT_TRUE(feed_->Knows(store::Revision{1}));
  feed_->Skip(store::Revision{5});
  EXPECT_TRUE(feed_->Knows(store::Revision{5}));
  EXPECT_FALSE(feed_->Knows(store::Revision{6}));
}

TEST_F(WatchFeedTest, EveryDeliveryIsCounted) {
  Join(10);
  Add("abc");
  Add("a");
  EXPECT_EQ(counters_.events.value(), 20);
  const std::string text = registry_.Text();
  EXPECT_TRUE(text.contains("sizes_bucket{le=\"2\"} 10\n")) << text;
  EXPECT_TRUE(text.contains("sizes_bucket{le=\"4\"} 20\n")) << text;
  EXPECT_TRUE(text.contains("sizes_sum 40\n")) << text;
}

TEST_F(WatchFeedTest, MayEndWhileSomethingWaits) {
  Join(1000);
  Add("a");
  Add("b");
  feed_.reset();
  clock_.Advance(milliseconds(40));
  EXPECT_EQ(heard(), "a|");
}

}  // namespace
}  // namespace plimsoll::apiserver
