#include "store/etcd/checked_rpc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/etcd/fake_rpc_for_test.h"

namespace plimsoll::store::etcd {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kTooLarge = Number(kRevisionMax) + 1;

KeyValue Record(const char* key, std::int64_t created = 3, std::int64_t modified = 5) {
  return {key, MakeBytes("v"), Revision{created}, Revision{modified}};
}

class CheckedRpcTest : public testing::Test {
 protected:
  /// Returns the text of the fault of this read, or "" if the reply passes the checks.
  std::string Read(ReadRequest request, ReadReply reply) {
    std::string text = "no answer";
    checked_.Read(std::move(request), [&](const std::expected<ReadReply, Fault>& answer) {
      EXPECT_TRUE(answer.has_value() || answer.error().MayHaveHappened());
      text = answer.has_value() ? "" : answer.error().text;
    });
    rpc_.AnswerRead(std::move(reply));
    return text;
  }
  std::string Swap(SwapReply reply) {
    std::string text = "no answer";
    checked_.Swap({"/e/a", MakeBytes("v"), Revision{3}}, [&](const auto& answer) {
      EXPECT_TRUE(answer.has_value() || answer.error().MayHaveHappened());
      text = answer.has_value() ? "" : answer.error().text;
    });
    rpc_.AnswerSwap(std::move(reply));
    return text;
  }

  FakeRpc& rpc_ = *new FakeRpc;
  CheckedRpc checked_{std::unique_ptr<Rpc>(&rpc_)};
};

TEST_F(CheckedRpcTest, ARangeHasOnlyKeysThatWereAskedForInTheirOrder) {
  const KeyRange keys{"/e/a", "/e/c"};
  const Revision at{9};
  EXPECT_EQ(Read({.keys = keys}, {{}, 0, at}), "");
  EXPECT_EQ(Read({.keys = keys}, {{Record("/e/a"), Record("/e/b")}, 2, at}), "");
  EXPECT_THAT(Read({.keys = keys}, {{Record("/e/c")}, 1, at}),
              HasSubstr("key /e/c, which was not requested"));
  EXPECT_THAT(Read({.keys = keys}, {{Record("")}, 1, at}), HasSubstr("not requested"));
  EXPECT_THAT(Read({.keys = keys}, {{Record("/e/b"), Record("/e/a")}, 2, at}),
              HasSubstr("not in ascending order"));
  EXPECT_THAT(Read({.keys = keys}, {{Record("/e/a"), Record("/e/a")}, 2, at}),
              HasSubstr("not in ascending order"));
}

TEST_F(CheckedRpcTest, OneKeyHasOneRecordOrNone) {
  const KeyRange key{"/e/a", ""};
  EXPECT_EQ(Read({.keys = key}, {{}, 0, Revision{9}}), "");
  EXPECT_EQ(Read({.keys = key}, {{Record("/e/a")}, 1, Revision{9}}), "");
  EXPECT_THAT(Read({.keys = key}, {{Record("/e/b")}, 1, Revision{9}}), HasSubstr("not requested"));
}

TEST_F(CheckedRpcTest, CountAndLimitFitTheRecords) {
  struct Case {
    std::int64_t limit;
    bool is_count_only;
    std::size_t records;
    std::int64_t count;
    bool passes;
  };
  const std::vector<Case> cases = {
      {0, false, 1, 1, true},  {0, false, 1, 2, false}, {0, false, 1, 0, false},
      {0, false, 0, 1, false}, {1, false, 1, 7, true},  {1, false, 2, 2, false},
      {2, false, 1, 2, false}, {2, false, 0, 9, false}, {1, false, 1, -1, false},
      {0, true, 0, 7, true},   {0, true, 0, -1, false}, {0, true, 1, 1, false},
  };
  for (const Case& test : cases) {
    ReadReply reply{{}, test.count, Revision{9}};
    if (test.records > 0) reply.records.push_back(Record("/e/a"));
    if (test.records > 1) reply.records.push_back(Record("/e/b"));
    EXPECT_EQ(
        Read({.keys = {"/e/", "/e0"}, .limit = test.limit, .is_count_only = test.is_count_only},
             std::move(reply))
            .empty(),
        test.passes)
        << test.limit << " " << test.records << " " << test.count;
  }
}

TEST_F(CheckedRpcTest, RevisionsArePossible) {
  const KeyRange key{"/e/a", ""};
  const auto read = [&](std::int64_t created, std::int64_t modified, std::int64_t at) {
    return Read({.keys = key}, {{Record("/e/a", created, modified)}, 1, Revision{at}});
  };
  EXPECT_EQ(read(3, 5, 9), "");
  EXPECT_EQ(read(5, 5, Number(kRevisionMax)), "");
  EXPECT_THAT(read(6, 5, 9), HasSubstr("impossible revisions 6 (created) and 5 (modified)"));
  EXPECT_THAT(read(0, 0, 9), HasSubstr("impossible"));
  EXPECT_THAT(read(-1, 5, 9), HasSubstr("impossible"));
  EXPECT_THAT(read(3, kTooLarge, 9), HasSubstr("impossible"));
  EXPECT_THAT(read(3, 5, -1), HasSubstr("impossible revision -1"));
  EXPECT_THAT(read(3, 5, INT64_MAX), HasSubstr("impossible"));
}

TEST_F(CheckedRpcTest, ASwapTellsOfItsKey) {
  EXPECT_EQ(Swap({true, Revision{9}, {}}), "");
  EXPECT_EQ(Swap({false, Revision{9}, {}}), "");
  EXPECT_EQ(Swap({false, Revision{9}, Record("/e/a")}), "");
  EXPECT_THAT(Swap({true, kNoRevision, {}}), HasSubstr("impossible revision 0"));
  EXPECT_THAT(Swap({true, Revision{kTooLarge}, {}}), HasSubstr("impossible"));
  EXPECT_THAT(Swap({false, Revision{9}, Record("/e/b")}), HasSubstr("not requested"));
  EXPECT_THAT(Swap({false, Revision{9}, Record("/e/a", 3, -5)}), HasSubstr("impossible"));
}

class CheckedWatchTest : public CheckedRpcTest, public WatchListener {
 protected:
  CheckedWatchTest() {
    link_ = checked_.OpenWatch(*this);
    link_->Create({.id = 1, .keys = {"/e/p/", "/e/p0"}, .start = Revision{5}});
  }
  void OnReply(WatchReply reply) override { told_ += reply.events.size(); }
  void OnBroken(const Fault& fault) override {
    broken_ = fault.text;
    link_.reset();
  }
  void Send(WatchReply reply) {
    reply.id = 1;
    reply.revision = Revision{9};
    rpc_.links.back()->listener->OnReply(std::move(reply));
  }
  void Event(const char* key, std::int64_t revision) {
    WatchReply reply;
    reply.events.push_back({Record(key, 3, revision)});
    Send(std::move(reply));
  }

  std::unique_ptr<WatchLink> link_;
  std::size_t told_ = 0;
  std::string broken_;
};

TEST_F(CheckedWatchTest, SoundEventsPass) {
  Event("/e/p/a", 5);
  Event("/e/p/b", 5);
  Event("/e/p/a", 7);
  EXPECT_EQ(told_, 3U);
  EXPECT_EQ(broken_, "");
}

TEST_F(CheckedWatchTest, AForeignKeyBreaksTheLink) {
  Event("/e/q/a", 5);
  EXPECT_EQ(told_, 0U);
  EXPECT_THAT(broken_, HasSubstr("key /e/q/a, which was not requested"));
  EXPECT_FALSE(rpc_.links.back()->is_open);
}

TEST_F(CheckedWatchTest, AnEventOfThePastBreaksTheLink) {
  Event("/e/p/a", 7);
  Event("/e/p/a", 6);
  EXPECT_EQ(told_, 1U);
  EXPECT_THAT(broken_, HasSubstr("revision 6 after that of 7"));
}

TEST_F(CheckedWatchTest, AnEventBeforeTheStartBreaksTheLink) {
  Event("/e/p/a", 4);
  EXPECT_EQ(told_, 0U);
  EXPECT_NE(broken_, "");
}

TEST_F(CheckedWatchTest, ImpossibleRevisionsBreakTheLink) {
  WatchReply reply;
  reply.is_cancelled = true;
  reply.compacted = Revision{INT64_MAX};
  Send(std::move(reply));
  EXPECT_THAT(broken_, HasSubstr("impossible"));
}

TEST_F(CheckedWatchTest, AValueBeforeThatIsNewerBreaksTheLink) {
  WatchReply reply;
  reply.events.push_back({Record("/e/p/a", 3, 6), false, Record("/e/p/a", 3, 8)});
  Send(std::move(reply));
  EXPECT_THAT(broken_, HasSubstr("impossible revision 8"));
}

}  // namespace
}  // namespace plimsoll::store::etcd
