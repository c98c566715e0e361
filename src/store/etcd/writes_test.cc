#include "store/etcd/writes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/etcd/fake_rpc_for_test.h"

namespace plimsoll::store::etcd {
namespace {

using testing::HasSubstr;

const Fault kLost{Fault::Kind::Unknown, "Socket closed"};
const Fault kUnreachable{Fault::Kind::Unreachable, "failed to connect to all addresses"};

class WritesTest : public testing::Test {
 protected:
  void Commit(const std::string& key, const char* value, std::int64_t expected) {
    const std::size_t index = results_.size();
    results_.emplace_back();
    writes_.Commit({key, value == nullptr ? nullptr : MakeBytes(value), Revision{expected}},
                   [this, index](Result<Revision> result) { results_[index] = std::move(result); });
  }
  void Swapped(std::int64_t revision) { rpc_.AnswerSwap(SwapReply{true, Revision{revision}, {}}); }
  void Found(std::optional<KeyValue> found) {
    rpc_.AnswerSwap(SwapReply{false, Revision{99}, std::move(found)});
  }
  /// Breaks the connection after the write was sent. The key is then read back.
  void Lost() {
    rpc_.AnswerSwap(std::unexpected(kLost));
    rpc_.RunLater();
    ASSERT_EQ(rpc_.reads.size(), 1U);
    EXPECT_TRUE(rpc_.swaps.empty()) << "sent again without a look";
  }
  void ReadBack(std::optional<KeyValue> found) {
    ReadReply reply;
    if (found.has_value()) reply.records.push_back(*std::move(found));
    rpc_.AnswerRead(std::move(reply));
  }
  static KeyValue Held(const char* value, std::int64_t created, std::int64_t modified) {
    return {"/k", MakeBytes(value), Revision{created}, Revision{modified}};
  }
  /// Returns the revision, such as `5`, or the error, or `-` while there is no answer.
  std::string Result0() const {
    if (!results_.at(0).has_value()) return "-";
    const Result<Revision>& result = *results_[0];
    if (result.has_value()) return std::to_string(Number(*result));
    return result.error().reason == Reason::Timeout ? "Timeout" : result.error().message;
  }

  FakeRpc rpc_;
  Health health_;
  std::vector<std::optional<Result<Revision>>> results_;
  std::vector<Revision> seen_;
  Writes writes_{rpc_, health_, [this](WriteAnswer answer) {
                   seen_.push_back(answer.seen);
                   answer.done(std::move(answer.result));
                 }};
};

TEST_F(WritesTest, OfOneKeyTheyGoOneByOneAndOfSeveralTogether) {
  Commit("/a", "1", 0);
  Commit("/a", "2", 5);
  Commit("/b", "1", 0);
  ASSERT_EQ(rpc_.swaps.size(), 2U);
  EXPECT_EQ(rpc_.swaps[1].request.key, "/b");
  Swapped(5);
  EXPECT_EQ(Result0(), "5");
  ASSERT_EQ(rpc_.swaps.size(), 2U);
  EXPECT_EQ(rpc_.swaps[1].request.key, "/a");
  EXPECT_EQ(*rpc_.swaps[1].request.value, "2");
}

TEST_F(WritesTest, OnlySoManyAreOnTheirWay) {
  for (int i = 0; i < 1'500; ++i) Commit("/" + std::to_string(i), "v", 0);
  EXPECT_EQ(rpc_.swaps.size(), 1'000U);
  for (int i = 0; i < 1'500; ++i) Swapped(i + 1);
  for (const auto& result : results_) EXPECT_TRUE(result.has_value() && result->has_value());
}

TEST_F(WritesTest, ALoserIsToldWhatWasThere) {
  Commit("/k", "1", 4);
  Found(Held("other", 2, 7));
  EXPECT_EQ(results_[0]->error().reason, Reason::Conflict);
  EXPECT_EQ(results_[0]->error().message, "key /k is at revision 7, not 4");
  EXPECT_EQ(seen_.front(), Revision{7});
}

TEST_F(WritesTest, NothingCannotBeDeleted) {
  Commit("/k", nullptr, 0);
  Swapped(9);
  EXPECT_EQ(results_[0]->error().reason, Reason::Invalid);
}

TEST_F(WritesTest, WhatNeverReachedEtcdIsSentAgain) {
  Commit("/k", "1", 0);
  rpc_.AnswerSwap(std::unexpected(kUnreachable));
  rpc_.RunLater();
  Swapped(5);
  EXPECT_EQ(Result0(), "5");
}

TEST_F(WritesTest, AnEtcdThatCannotBeReachedChangesNothing) {
  Commit("/k", "1", 0);
  while (!rpc_.swaps.empty()) {
    rpc_.AnswerSwap(std::unexpected(kUnreachable));
    rpc_.RunLater();
  }
  EXPECT_EQ(results_[0]->error().reason, Reason::ServiceUnavailable);
  EXPECT_FALSE(health_.Get().has_value());
}

TEST_F(WritesTest, AFullDatabaseIsToldAtOnce) {
  Commit("/k", "1", 0);
  rpc_.AnswerSwap(std::unexpected(Fault{Fault::Kind::NoSpace, "database space exceeded"}));
  EXPECT_EQ(results_[0]->error().reason, Reason::ServiceUnavailable);
  EXPECT_THAT(results_[0]->error().message, HasSubstr("quota"));
  EXPECT_FALSE(health_.Get().has_value());
}

TEST_F(WritesTest, ALostCreationIsFoundByItsValue) {
  struct Case {
    std::optional<KeyValue> found;
    std::string want;
  };
  for (const Case& test : std::vector<Case>{
           {Held("mine", 5, 5), "5"},
           {Held("mine", 5, 6), "Timeout"},   // changed since, perhaps by another client
           {Held("other", 5, 5), "Timeout"},  // ours may have been created and deleted before
           {std::nullopt, "Timeout"},         // it may still arrive, or was deleted
       }) {
    results_.clear();
    Commit("/k", "mine", 0);
    Lost();
    ReadBack(test.found);
    EXPECT_EQ(Result0(), test.want);
    EXPECT_TRUE(rpc_.swaps.empty());
  }
}

TEST_F(WritesTest, ALostChangeIsAskedForAgainOnlyWhileItCanWorkOnce) {
  Commit("/k", "mine", 4);
  Lost();
  ReadBack(Held("before", 2, 4));
  EXPECT_EQ(Result0(), "-");
  ASSERT_EQ(rpc_.swaps.size(), 1U);
  EXPECT_EQ(rpc_.swaps[0].request.expected, Revision{4});
  Swapped(8);
  EXPECT_EQ(Result0(), "8");
}

TEST_F(WritesTest, WhenTheFirstOfTwoAttemptsArrivedNobodyCallsItAConflict) {
  Commit("/k", "mine", 4);
  Lost();
  ReadBack(Held("before", 2, 4));
  Found(Held("mine", 2, 7));  // by the first attempt, or by another client
  EXPECT_EQ(Result0(), "Timeout");
}

TEST_F(WritesTest, ALostChangeOrDeletionThatIsOverIsATimeout) {
  struct Case {
    const char* value;
    std::optional<KeyValue> found;
  };
  for (const Case& test : std::vector<Case>{
           {"mine", Held("mine", 2, 7)},
           {"mine", Held("other", 2, 7)},
           {"mine", std::nullopt},
           {nullptr, std::nullopt},
           {nullptr, Held("other", 7, 7)},
       }) {
    results_.clear();
    Commit("/k", test.value, 4);
    Lost();
    ReadBack(test.found);
    EXPECT_EQ(Result0(), "Timeout");
    EXPECT_TRUE(rpc_.swaps.empty());
  }
}

TEST_F(WritesTest, WhatCannotBeReadBackIsATimeoutInTheEnd) {
  Commit("/k", "mine", 0);
  Lost();
  while (!rpc_.reads.empty()) {
    rpc_.AnswerRead(std::unexpected(kUnreachable));
    rpc_.RunLater();
  }
  EXPECT_EQ(Result0(), "Timeout");
  EXPECT_THAT(results_[0]->error().message, HasSubstr("Socket closed"));
}

TEST_F(WritesTest, TheNextOfTheKeyWaitsUntilTheFateIsKnown) {
  Commit("/k", "mine", 0);
  Commit("/k", "next", 5);
  Lost();
  EXPECT_TRUE(rpc_.swaps.empty());
  ReadBack(Held("mine", 5, 5));
  ASSERT_EQ(rpc_.swaps.size(), 1U);
  EXPECT_EQ(*rpc_.swaps[0].request.value, "next");
}

}  // namespace
}  // namespace plimsoll::store::etcd
