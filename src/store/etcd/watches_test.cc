#include "store/etcd/watches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/virtual_clock.h"
#include "store/etcd/fake_rpc_for_test.h"
#include "store/recording_sink_for_test.h"

namespace plimsoll::store::etcd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class WatchesTest : public testing::Test {
 protected:
  std::shared_ptr<Subscription> Add(std::int64_t after, std::int64_t latest, ChangeSink& sink) {
    auto subscription = std::make_shared<Subscription>(keys_.RangeOf("/r/p/", ""), Revision{after},
                                                       Revision{latest}, sink);
    watches_.Add(subscription);
    return subscription;
  }
  FakeRpc::Link& link() { return *rpc_.links.back(); }
  void Event(std::int64_t revision, bool is_fragment = false) {
    WatchReply reply;
    reply.id = link().created.back().id;
    reply.is_fragment = is_fragment;
    reply.events.push_back({{"/e/p/a", MakeBytes("v"), Revision{revision}, Revision{revision}}});
    reply.revision = Revision{revision};
    link().listener->OnReply(std::move(reply));
  }
  void Progress(std::int64_t revision) {
    WatchReply reply;
    reply.id = link().created.back().id;
    reply.revision = Revision{revision};
    link().listener->OnReply(std::move(reply));
  }
  void Break() {
    link().listener->OnBroken({Fault::Kind::Unknown, "Socket closed"});
    rpc_.RunLater();
  }
  static std::vector<std::int64_t> Revisions(const RecordingSink& sink) {
    std::vector<std::int64_t> revisions;
    for (const Change& change : sink.changes()) revisions.push_back(Number(change.revision));
    return revisions;
  }

  FakeRpc rpc_;
  VirtualClock clock_;
  MemorySink log_;
  Logger logger_{clock_, log_};
  KeyMap keys_{"/r", "/e"};
  Revision saw_{};
  Revision compacted_{};
  RecordingSink sink_;
  Watches watches_{rpc_, keys_, logger_, [this](Revision revision) { saw_ = revision; },
                   [this](Revision revision) { compacted_ = revision; }};
};

TEST_F(WatchesTest, BeginsBehindTheHeadOrAtTheLastThatWasSeen) {
  struct Case {
    std::int64_t after;
    std::int64_t latest;
    std::int64_t start;
  };
  for (const Case& test : std::vector<Case>{{5, 5, 6}, {4, 5, 4}, {0, 5, 1}, {0, 0, 1}}) {
    Add(test.after, test.latest, sink_);
    EXPECT_EQ(link().created.back().start, Revision{test.start});
    EXPECT_EQ(link().created.back().keys, (KeyRange{"/e/p/", "/e/p0"}));
  }
}

TEST_F(WatchesTest, EndsWhenWhatWasBeforeAChangeIsForgotten) {
  Add(5, 8, sink_);
  WatchReply reply;
  reply.id = link().created.back().id;
  reply.events.push_back({{"/e/p/a", MakeBytes("v"), Revision{6}, Revision{6}}});
  reply.events.push_back({{"/e/p/b", MakeBytes("v"), Revision{3}, Revision{7}}});
  link().listener->OnReply(std::move(reply));
  ASSERT_TRUE(sink_.end().has_value());
  EXPECT_EQ(sink_.end()->reason, Reason::Expired);
  EXPECT_EQ(compacted_, Revision{7});
  EXPECT_EQ(link().cancelled.size(), 1U);
}

TEST_F(WatchesTest, TellsEachChangeOnceOverABrokenLink) {
  Add(5, 5, sink_);
  Event(6);
  Event(8);
  Break();
  ASSERT_EQ(rpc_.links.size(), 2U);
  EXPECT_FALSE(rpc_.links[0]->is_open);
  // Starts at the last change seen, so that etcd rejects it if the next one is compacted.
  EXPECT_EQ(link().created.back().start, Revision{8});
  Event(8);
  Event(9);
  EXPECT_THAT(Revisions(sink_), ElementsAre(6, 8, 9));
  EXPECT_EQ(sink_.changes()[0].key, "/r/p/a");
  EXPECT_EQ(saw_, Revision{9});
}

TEST_F(WatchesTest, ARevisionInFragmentsIsToldAsAWhole) {
  Add(5, 5, sink_);
  Event(6, /*is_fragment=*/true);
  EXPECT_THAT(Revisions(sink_), IsEmpty()) << "more of it may come";
  Event(6, /*is_fragment=*/true);
  EXPECT_THAT(Revisions(sink_), IsEmpty());
  Event(7);
  EXPECT_THAT(Revisions(sink_), ElementsAre(6, 6, 7));
}

TEST_F(WatchesTest, OnlyTheLastRevisionOfAReplyInFragmentsIsKept) {
  const std::shared_ptr<Subscription> subscription = Add(5, 5, sink_);
  for (int i = 6; i < 1000; ++i) {
    Event(i, /*is_fragment=*/true);
    ASSERT_EQ(subscription->fragments.size(), 1U);
  }
  EXPECT_EQ(Revisions(sink_).size(), 993U);
  Break();
  EXPECT_EQ(link().created.back().start, Revision{998}) << "goes on behind what was told";
  Event(999);
  EXPECT_EQ(Revisions(sink_).size(), 994U);
}

TEST_F(WatchesTest, HalfOfAFragmentedReplyIsForgottenWithItsLink) {
  Add(5, 5, sink_);
  Event(6, /*is_fragment=*/true);
  Break();
  Event(6, /*is_fragment=*/true);
  Event(7);
  EXPECT_THAT(Revisions(sink_), ElementsAre(6, 7));
}

TEST_F(WatchesTest, ProgressMovesWhereItGoesOn) {
  Add(5, 5, sink_);
  Progress(50);
  Break();
  EXPECT_EQ(link().created.back().start, Revision{50});
  EXPECT_THAT(Revisions(sink_), IsEmpty());
}

TEST_F(WatchesTest, WhatWasCompactedEndsItAsExpired) {
  Add(4, 9, sink_);
  WatchReply reply;
  reply.id = link().created.back().id;
  reply.is_cancelled = true;
  reply.compacted = Revision{7};
  link().listener->OnReply(std::move(reply));
  ASSERT_TRUE(sink_.end().has_value());
  EXPECT_EQ(sink_.end()->reason, Reason::Expired);
  EXPECT_EQ(sink_.end()->message, "too old resource version: 4 (7)");
  EXPECT_EQ(compacted_, Revision{7});
}

TEST_F(WatchesTest, AsksForWhatWasBeforeOnlyInThePast) {
  class LiveSink final : public ChangeSink {
   public:
    bool ReadsBefore() const override { return false; }
    void OnChanges(std::span<const Change> changes) override { seen += changes.size(); }
    void OnEnd(const Error& /*error*/) override {}
    std::size_t seen = 0;
  };
  LiveSink sink;
  Add(4, 6, sink);
  EXPECT_TRUE(link().created.back().with_previous);
  const std::int64_t first = link().created.back().id;
  Event(6);
  ASSERT_EQ(link().created.size(), 2U);
  EXPECT_THAT(link().cancelled, ElementsAre(first));
  EXPECT_FALSE(link().created.back().with_previous);
  Event(6);
  Event(7);
  EXPECT_EQ(sink.seen, 2U);
}

TEST_F(WatchesTest, AWriterWaitsForThoseWhoWatchItsKey) {
  int told = 0;
  const auto subscription = Add(5, 5, sink_);
  watches_.WhenSeen("/e/q/a", Revision{6}, [&] { ++told; });
  EXPECT_EQ(told, 1);
  watches_.WhenSeen("/e/p/a", Revision{7}, [&] { ++told; });
  watches_.WhenSeen("/e/p/b", Revision{8}, [&] { ++told; });
  EXPECT_EQ(told, 1);
  Event(7);
  EXPECT_EQ(told, 2);
  subscription->Close();
  watches_.Remove(subscription);
  EXPECT_EQ(told, 3);
}

TEST_F(WatchesTest, NoWriterWaitsForAWatchThatIsFarBehind) {
  int told = 0;
  Add(5, 50'000, sink_);
  watches_.WhenSeen("/e/p/a", Revision{50'001}, [&] { ++told; });
  EXPECT_EQ(told, 1);
  Event(50'000);
  watches_.WhenSeen("/e/p/a", Revision{50'002}, [&] { ++told; });
  EXPECT_EQ(told, 1);
}

TEST_F(WatchesTest, NoWriterWaitsForEverForALinkThatCannotBeOpened) {
  int told = 0;
  Add(5, 5, sink_);
  watches_.WhenSeen("/e/p/a", Revision{6}, [&] { ++told; });
  for (int i = 0; i < 10; ++i) Break();
  EXPECT_EQ(told, 1);
}

TEST_F(WatchesTest, ItsEndIsTold) {
  Add(5, 5, sink_);
  watches_.End({Reason::ServiceUnavailable, {}, "the store is closing"});
  EXPECT_EQ(sink_.end()->message, "the store is closing");
  EXPECT_FALSE(link().is_open);
}

}  // namespace
}  // namespace plimsoll::store::etcd
