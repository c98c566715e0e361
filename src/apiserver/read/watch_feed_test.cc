#include "apiserver/read/watch_feed.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

class Listener final : public WatchFeed::Member {
 public:
  bool OnBatch(const net::Piece& piece) override {
    heard += *piece.text + '|';
    last = piece.text;
    return !is_gone;
  }

  std::string heard;  // each batch, followed by |
  Bytes last;
  bool is_gone = false;
};

/// Clock whose tasks run late.
struct LateClock final : Clock {
  explicit LateClock(Duration its_lateness) : lateness(its_lateness) {}
  Instant Now() const override { return inner.Now() + lateness; }
  void At(Instant when, Task task) override { inner.At(when, std::move(task)); }

  const Duration lateness;
  VirtualClock inner{Instant(std::chrono::hours(1))};
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
  Join(100);
  Add("a");
  EXPECT_EQ(heard(), "a|");
  Add("b");
  Add("c");
  clock_.Advance(microseconds(3999));
  EXPECT_EQ(heard(), "a|");
  clock_.Advance(microseconds(1));
  EXPECT_EQ(heard(), "a|bc|");
  EXPECT_EQ(listeners_[0].last, listeners_[99].last);
  clock_.Advance(milliseconds(4));
  Add("d");
  EXPECT_EQ(heard(), "a|bc|d|");
}

TEST_F(WatchFeedTest, RowsTakeTurns) {
  Join(512);  // four rows
  Add("a");
  Add("b");
  const auto all_heard = [&] {
    return heard(0) + " " + heard(128) + " " + heard(256) + " " + heard(511);
  };
  EXPECT_EQ(all_heard(), "a| a| a| a|");
  clock_.Advance(milliseconds(6));
  EXPECT_EQ(all_heard(), "a|b| a| a| a|");
  Add("c");
  clock_.Advance(milliseconds(6));
  EXPECT_EQ(all_heard(), "a|b| a|bc| a| a|");
  clock_.Advance(milliseconds(9));
  EXPECT_EQ(all_heard(), "a|b| a|bc| a|bc| a|bc|");
  Add("d");
  clock_.Advance(milliseconds(5));  // second turn of the first row
  EXPECT_EQ(all_heard(), "a|b|cd| a|bc| a|bc| a|bc|");
  clock_.Advance(milliseconds(15));
  EXPECT_EQ(all_heard(), "a|b|cd| a|bc|d| a|bc|d| a|bc|d|");
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
  Join(100);
  Add("a");
  Add("b");
  Join(1);
  EXPECT_EQ(heard(0), "a|b|");
  Add("c");
  clock_.Advance(milliseconds(4));
  EXPECT_EQ(heard(0), "a|b|c|");
  EXPECT_EQ(heard(100), "c|");
}

TEST_F(WatchFeedTest, WhoComesTakesThePlaceOfWhoHasLeft) {
  Join(256);
  feed_->RemoveMember(listeners_[5]);
  Join(1);
  Add("a");
  Add("b");
  clock_.Advance(milliseconds(10));
  EXPECT_EQ(listeners_[256].last, listeners_[0].last);
  EXPECT_NE(listeners_[255].last, listeners_[0].last);
}

TEST_F(WatchFeedTest, WhoLeavesOrWantsNoMoreIsNotCalled) {
  Join(3);
  listeners_[0].is_gone = true;
  feed_->RemoveMember(listeners_[1]);
  feed_->RemoveMember(listeners_[1]);
  Add("a");
  Add("b");
  EXPECT_EQ(heard(0), "a|");
  EXPECT_EQ(heard(1), "");
  EXPECT_EQ(heard(2), "a|b|");
}

TEST_F(WatchFeedTest, AFlushForOneDoesNotWait) {
  Join(1000);
  Add("a");
  Add("b");
  feed_->FlushFor(listeners_[0]);
  EXPECT_EQ(heard(0), "a|b|");
  EXPECT_EQ(heard(999), "a|");
  feed_->FlushFor(listeners_[0]);
  clock_.Advance(milliseconds(40));
  EXPECT_EQ(heard(0), "a|b|");
  EXPECT_EQ(heard(999), "a|b|");
}

TEST_F(WatchFeedTest, ALateTurnDoesNotMoveTheNextUnlessThatIsTooSoon) {
  struct {
    milliseconds lateness;
    milliseconds next;  // next turn after the first event
  } const cases[] = {{milliseconds(0), milliseconds(8)},
                     {milliseconds(2), milliseconds(8)},
                     {milliseconds(3), milliseconds(11)},
                     {milliseconds(9), milliseconds(17)}};
  for (const auto& [lateness, next] : cases) {
    LateClock clock(lateness);
    const auto feed = std::make_shared<WatchFeed>(clock, counters_);
    std::deque<Listener> listeners(100);
    for (Listener& listener : listeners) feed->Join(listener);
    const auto add = [&](std::string text) {
      feed->Add(store::Revision{++revision_}, {MakeBytes(std::move(text)), nullptr});
    };
    add("a");
    add("b");
    clock.inner.Advance(lateness + milliseconds(4));
    add("c");
    clock.inner.Advance(next - milliseconds(5));
    EXPECT_EQ(listeners[0].heard, "a|b|") << lateness.count();
    clock.inner.Advance(milliseconds(1));
    EXPECT_EQ(listeners[0].heard, "a|b|c|") << lateness.count();
  }
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
