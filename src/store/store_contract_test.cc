// Contract of every store. store_contract_for_test.h tells how to add one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <map>
#include <optional>
#include <thread>

#include "store/recording_sink_for_test.h"
#include "store/store.h"
#include "store/store_contract_for_test.h"
#include "store/write_limit.h"

namespace plimsoll::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Compacts nothing unless the test asks for it.
constexpr HistoryBounds kKeepAll{
    .changes_min = 1'000'000, .changes_max = 1'000'000, .seconds_min = 1'000'000};

std::string Text(const Bytes& bytes) { return bytes == nullptr ? "-" : *bytes; }

/// `5 /a 1>2@3`: revision, key, before, after, revision before.
std::string Text(const Change& change) {
  return std::to_string(Number(change.revision)) + " " + change.key + " " + Text(change.before) +
         ">" + Text(change.value) + "@" + std::to_string(Number(change.before_revision));
}

std::vector<std::string> Texts(const std::vector<Change>& changes) {
  std::vector<std::string> texts;
  for (const Change& change : changes) texts.push_back(Text(change));
  return texts;
}

/// `/a=1@3`
std::vector<std::string> Texts(const Range& range) {
  std::vector<std::string> texts;
  for (const Record& record : range.records) {
    texts.push_back(record.key + "=" + Text(record.value) + "@" +
                    std::to_string(Number(record.revision)));
  }
  return texts;
}

class StoreContractTest : public testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    if (const std::string why = GetParam().missing(); !why.empty()) GTEST_SKIP() << why;
  }
  Store& Make(HistoryBounds bounds = kKeepAll) {
    under_test_ = GetParam().make(bounds);
    return under_test_->store();
  }
  VirtualClock& clock() { return under_test_->clock(); }

  /// Expects the write to succeed.
  static Revision Put(Store& store, const std::string& key, const std::string& value,
                      std::int64_t expected = 0) {
    const Result<Revision> result =
        store.CommitAndWait({key, MakeBytes(value), Revision{expected}});
    EXPECT_TRUE(result.has_value()) << result.error().Text();
    return result.value_or(kNoRevision);
  }
  static Revision Delete(Store& store, const std::string& key, std::int64_t expected) {
    const Result<Revision> result = store.CommitAndWait({key, nullptr, Revision{expected}});
    EXPECT_TRUE(result.has_value()) << result.error().Text();
    return result.value_or(kNoRevision);
  }
  static std::vector<std::string> ListAt(Store& store, const std::string& prefix,
                                         std::int64_t at = 0) {
    const Result<Range> range = store.List({.prefix = prefix, .at = Revision{at}});
    if (!range.has_value()) return {range.error().Text()};
    return Texts(*range);
  }

 private:
  std::unique_ptr<StoreUnderTest> under_test_;
};

TEST_P(StoreContractTest, AnEmptyStoreIsAtRevisionZero) {
  Store& store = Make();
  EXPECT_EQ(store.latest(), kNoRevision);
  EXPECT_EQ(store.compacted(), kNoRevision);
  EXPECT_TRUE(store.Health().has_value());
  EXPECT_FALSE(store.Get("/a").value().has_value());
  const Range range = store.List({.prefix = "/"}).value();
  EXPECT_TRUE(range.records.empty());
  EXPECT_FALSE(range.has_more);
  EXPECT_EQ(range.at, kNoRevision);
}

TEST_P(StoreContractTest, EveryChangeGetsTheNextRevision) {
  Store& store = Make();
  EXPECT_EQ(Put(store, "/a", "1"), Revision{1});
  EXPECT_EQ(Put(store, "/b", "1"), Revision{2});
  EXPECT_EQ(Put(store, "/a", "2", 1), Revision{3});
  EXPECT_EQ(Delete(store, "/b", 2), Revision{4});
  EXPECT_EQ(store.latest(), Revision{4});
  const std::optional<Record> record = store.Get("/a").value();
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->key, "/a");
  EXPECT_EQ(*record->value, "2");
  EXPECT_EQ(record->revision, Revision{3});
  EXPECT_FALSE(store.Get("/b").value().has_value());
}

TEST_P(StoreContractTest, AWriteNeedsTheKeyAsItsWriterSawIt) {
  struct Case {
    std::string key;
    Bytes value;
    std::int64_t expected;
    std::optional<Reason> reason;  // nullopt: the write succeeds
  };
  Store& store = Make();
  Put(store, "/there", "1");       // 1
  Put(store, "/changed", "1");     // 2
  Put(store, "/changed", "2", 2);  // 3
  Put(store, "/deleted", "1");     // 4
  Delete(store, "/deleted", 4);    // 5
  const Revision latest = store.latest();
  const Bytes value = MakeBytes("new");
  for (const Case& test : std::vector<Case>{
           {"/there", value, 0, Reason::Conflict},
           {"/there", value, 2, Reason::Conflict},
           {"/there", value, 9, Reason::Conflict},
           {"/there", nullptr, 0, Reason::Conflict},
           {"/changed", value, 2, Reason::Conflict},
           {"/changed", nullptr, 2, Reason::Conflict},
           {"/deleted", value, 4, Reason::Conflict},
           {"/deleted", value, 5, Reason::Conflict},
           {"/deleted", nullptr, 4, Reason::Conflict},
           {"/never", value, 1, Reason::Conflict},
           {"/never", nullptr, 1, Reason::Conflict},
           {"/never", nullptr, 0, Reason::Invalid},
           {"", value, 0, Reason::Invalid},
       }) {
    const Result<Revision> result =
        store.CommitAndWait({test.key, test.value, Revision{test.expected}});
    ASSERT_FALSE(result.has_value()) << test.key << " at " << test.expected;
    EXPECT_EQ(result.error().reason, test.reason) << test.key << " at " << test.expected;
  }
  EXPECT_EQ(store.latest(), latest);
  EXPECT_EQ(Put(store, "/deleted", "again"), Revision{6});
}

TEST_P(StoreContractTest, OfManyWritesEachHasAResultOfItsOwn) {
  Store& store = Make();
  EXPECT_TRUE(store.CommitAllAndWait({}).empty());
  Put(store, "/there", "1");
  constexpr std::size_t kNew = 100;
  std::vector<Write> writes{{"/there", MakeBytes("2"), kNoRevision}};
  for (std::size_t i = 0; i < kNew; ++i) {
    writes.push_back({"/new/" + std::to_string(i), MakeBytes("1"), kNoRevision});
  }
  writes.push_back({"/there", nullptr, Revision{1}});
  const auto results = store.CommitAllAndWait(std::move(writes));
  ASSERT_EQ(results.size(), kNew + 2);
  EXPECT_FALSE(results.front().has_value());
  EXPECT_TRUE(results.back().has_value());
  for (std::size_t i = 0; i < kNew; ++i) {
    ASSERT_TRUE(results[i + 1].has_value());
    const std::optional<Record> record = store.Get("/new/" + std::to_string(i)).value();
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(record->revision, *results[i + 1]);
  }
  EXPECT_FALSE(store.Get("/there").value().has_value());
}

TEST_P(StoreContractTest, KeysAndValuesMayHoldAnyBytes) {
  Store& store = Make();
  const std::string key("/a\0\xff/\n", 6);
  const std::string value("\0\xfe\0", 3);
  Put(store, key, value);
  Put(store, "/empty", "");
  Put(store, "/large", std::string(1'500'000, 'x'));
  EXPECT_EQ(*store.Get(key).value()->value, value);
  EXPECT_EQ(*store.Get("/empty").value()->value, "");
  EXPECT_EQ(store.Get("/large").value()->value->size(), 1'500'000U);
  EXPECT_EQ(store.List({.prefix = key.substr(0, 3)}).value().records.at(0).key, key);
}

TEST_P(StoreContractTest, AListHasTheKeysWithThePrefixInTheirOrder) {
  Store& store = Make();
  for (const char* key : {"/p/b", "/p/a", "/q/a", "/p", "/o", "/p/a/x", "/p0"})
    Put(store, key, "v");
  EXPECT_THAT(ListAt(store, "/p/"), ElementsAre("/p/a=v@2", "/p/a/x=v@6", "/p/b=v@1"));
  EXPECT_THAT(ListAt(store, "/z"), IsEmpty());
  EXPECT_EQ(ListAt(store, "").size(), 7U);
}

TEST_P(StoreContractTest, AListGoesOnBehindAKeyAndCountsWhatRemains) {
  struct Case {
    std::string after;
    std::size_t limit;
    std::vector<std::string> want;
    std::size_t remaining;
  };
  Store& store = Make();
  for (const char* key : {"/o", "/p/a", "/p/b", "/p/c", "/p/d", "/q"}) Put(store, key, "v");
  for (const Case& test : std::vector<Case>{
           {"", 0, {"/p/a=v@2", "/p/b=v@3", "/p/c=v@4", "/p/d=v@5"}, 0},
           {"", 1, {"/p/a=v@2"}, 3},
           {"", 4, {"/p/a=v@2", "/p/b=v@3", "/p/c=v@4", "/p/d=v@5"}, 0},
           {"", 3, {"/p/a=v@2", "/p/b=v@3", "/p/c=v@4"}, 1},
           {"/p/b", 1, {"/p/c=v@4"}, 1},
           {"/p/b", 2, {"/p/c=v@4", "/p/d=v@5"}, 0},
           {"/p/aa", 1, {"/p/b=v@3"}, 2},  // a key that does not exist
           {"/p/d", 1, {}, 0},
           {"/a", 1, {"/p/a=v@2"}, 3},
           {"/z", 1, {}, 0},
       }) {
    const Range range =
        store.List({.prefix = "/p/", .after = test.after, .limit = test.limit}).value();
    EXPECT_EQ(Texts(range), test.want) << test.after << " " << test.limit;
    EXPECT_EQ(range.remaining, test.remaining) << test.after << " " << test.limit;
    EXPECT_EQ(range.has_more, test.remaining > 0);
    EXPECT_EQ(range.at, Revision{6});
  }
}

TEST_P(StoreContractTest, WhoDoesNotCountHearsOnlyThatThereIsMore) {
  Store& store = Make();
  for (const char* key : {"/p/a", "/p/b", "/p/c"}) Put(store, key, "v");
  RangeRequest request{.prefix = "/p/", .limit = 1, .counts_remaining = false};
  EXPECT_TRUE(store.List(request).value().has_more);
  EXPECT_EQ(store.List(request).value().remaining, 1U);
  request.limit = 3;
  EXPECT_FALSE(store.List(request).value().has_more);
}

TEST_P(StoreContractTest, AListAtARevisionIsAsItWasThen) {
  Store& store = Make();
  Put(store, "/a", "1");     // 1
  Put(store, "/b", "1");     // 2
  Put(store, "/a", "2", 1);  // 3
  Delete(store, "/b", 2);    // 4
  Put(store, "/b", "2");     // 5
  Delete(store, "/a", 3);    // 6
  EXPECT_THAT(ListAt(store, "/", 1), ElementsAre("/a=1@1"));
  EXPECT_THAT(ListAt(store, "/", 2), ElementsAre("/a=1@1", "/b=1@2"));
  EXPECT_THAT(ListAt(store, "/", 3), ElementsAre("/a=2@3", "/b=1@2"));
  EXPECT_THAT(ListAt(store, "/", 4), ElementsAre("/a=2@3"));
  EXPECT_THAT(ListAt(store, "/", 5), ElementsAre("/a=2@3", "/b=2@5"));
  EXPECT_THAT(ListAt(store, "/", 6), ElementsAre("/b=2@5"));
  EXPECT_THAT(ListAt(store, "/"), ElementsAre("/b=2@5"));
  const Range page = store.List({.prefix = "/", .limit = 1, .at = Revision{3}}).value();
  EXPECT_THAT(Texts(page), ElementsAre("/a=2@3"));
  EXPECT_EQ(page.remaining, 1U);
  EXPECT_EQ(page.at, Revision{3});
}

TEST_P(StoreContractTest, TheFutureIsATimeout) {
  Store& store = Make();
  Put(store, "/a", "1");
  RecordingSink sink;
  const Result<Range> range = store.List({.prefix = "/", .at = Revision{2}});
  ASSERT_FALSE(range.has_value());
  EXPECT_EQ(range.error().reason, Reason::Timeout);
  EXPECT_EQ(range.error().message, "Too large resource version: 2, current: 1");
  EXPECT_EQ(store.WatchFrom("/", Revision{2}, sink).error().reason, Reason::Timeout);
  EXPECT_EQ(store.Compact(Revision{2}).error().reason, Reason::Timeout);
}

TEST_P(StoreContractTest, AWatchTellsWhatCameAfterItsRevision) {
  Store& store = Make();
  Put(store, "/a", "1");     // 1
  Put(store, "/a", "2", 1);  // 2
  Delete(store, "/a", 2);    // 3
  Put(store, "/a", "3");     // 4
  const std::vector<std::string> all = {"1 /a ->1@0", "2 /a 1>2@1", "3 /a 2>-@2", "4 /a ->3@0",
                                        "5 /a 3>4@4"};
  std::vector<std::unique_ptr<RecordingSink>> sinks;
  std::vector<std::unique_ptr<Watch>> watches;
  for (std::int64_t after = 0; after <= 4; ++after) {
    sinks.push_back(std::make_unique<RecordingSink>());
    watches.push_back(store.WatchFrom("/", Revision{after}, *sinks.back()).value());
  }
  Put(store, "/a", "4", 4);  // 5
  for (std::size_t after = 0; after <= 4; ++after) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(after);
    EXPECT_EQ(Texts(sinks[after]->changes()), std::vector<std::string>(begin, all.end()));
  }
}

TEST_P(StoreContractTest, AWatchTellsOfItsPrefixOnly) {
  Store& store = Make();
  Put(store, "/p/a", "1");
  Put(store, "/q/a", "1");
  RecordingSink sink;
  const auto watch = store.WatchFrom("/p/", kNoRevision, sink).value();
  Put(store, "/p/b", "1");
  Put(store, "/q/b", "1");
  Put(store, "/p", "1");
  Put(store, "/p/a", "2", 1);
  EXPECT_THAT(Texts(sink.changes()), ElementsAre("1 /p/a ->1@0", "3 /p/b ->1@0", "6 /p/a 1>2@1"));
}

/// Every store applies concurrent writes of one key in the order of the Commit calls. Only stores
/// in this process do so for concurrent writes of different keys.
class LocalStoreTest : public StoreContractTest {};

TEST_P(LocalStoreTest, WritesInFlightTogetherAreToldWithWhatWasBefore) {
  Store& store = Make();
  Put(store, "/p/a", "0");
  RecordingSink all;
  RecordingSink some;
  const auto watch_all = store.WatchFrom("", Revision{1}, all).value();
  const auto watch_some = store.WatchFrom("/p/", Revision{1}, some).value();
  std::latch done(6);
  const auto count = [&](const Result<Revision>& result) {
    EXPECT_TRUE(result.has_value());
    done.count_down();
  };
  store.Commit({"/p/a", MakeBytes("1"), Revision{1}}, count);  // 2
  store.Commit({"/q/a", MakeBytes("1"), kNoRevision}, count);  // 3
  store.Commit({"/p/a", MakeBytes("2"), Revision{2}}, count);  // 4
  store.Commit({"/q/a", nullptr, Revision{3}}, count);         // 5
  store.Commit({"/p/b", MakeBytes("1"), kNoRevision}, count);  // 6
  store.Commit({"/p/a", nullptr, Revision{4}}, count);         // 7
  done.wait();
  EXPECT_THAT(Texts(all.changes()), ElementsAre("2 /p/a 0>1@1", "3 /q/a ->1@0", "4 /p/a 1>2@2",
                                                "5 /q/a 1>-@3", "6 /p/b ->1@0", "7 /p/a 2>-@4"));
  EXPECT_THAT(Texts(some.changes()),
              ElementsAre("2 /p/a 0>1@1", "4 /p/a 1>2@2", "6 /p/b ->1@0", "7 /p/a 2>-@4"));
}

TEST_P(StoreContractTest, AWriteOfMoreThanAMegabyteAndAHalfIsRefused) {
  Store& store = Make();
  const std::string key = "/large";
  const std::size_t most = kWriteBytesMax - kKeyCopies * key.size() - kFramingBytes;
  const auto refused =
      store.CommitAndWait({key, MakeBytes(std::string(most + 1, 'x')), kNoRevision});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().reason, Reason::RequestEntityTooLarge);
  EXPECT_EQ(refused.error().message, "etcdserver: request is too large");
  EXPECT_FALSE(store.Get(key).value().has_value());
  const auto taken = store.CommitAndWait({key, MakeBytes(std::string(most, 'x')), kNoRevision});
  ASSERT_TRUE(taken.has_value()) << taken.error().Text();
  EXPECT_FALSE(
      store.CommitAndWait({key, MakeBytes(std::string(most + 1, 'y')), *taken}).has_value());
  EXPECT_TRUE(store.CommitAndWait({key, nullptr, *taken}).has_value());
}

TEST_P(StoreContractTest, AWatchHasSeenTheChangeWhenItsWriterIsTold) {
  Store& store = Make();
  RecordingSink sink;
  const auto watch = store.WatchFrom("/", kNoRevision, sink).value();
  for (int i = 0; i < 50; ++i) {
    std::size_t seen = 0;
    std::latch done(1);
    store.Commit({"/" + std::to_string(i), MakeBytes("v"), kNoRevision},
                 [&](const Result<Revision>& result) {
                   EXPECT_TRUE(result.has_value());
                   seen = sink.changes().size();
                   done.count_down();
                 });
    done.wait();
    ASSERT_EQ(seen, static_cast<std::size_t>(i + 1));
  }
}

TEST_P(StoreContractTest, ALoserHasSeenTheChangeThatItLostAgainst) {
  Store& store = Make();
  RecordingSink sink;
  const auto watch = store.WatchFrom("/", kNoRevision, sink).value();
  std::latch done(2);
  std::size_t seen = 0;
  store.Commit({"/a", MakeBytes("1"), kNoRevision}, [&](auto&&) { done.count_down(); });
  store.Commit({"/a", MakeBytes("2"), kNoRevision}, [&](const Result<Revision>& result) {
    EXPECT_FALSE(result.has_value());
    seen = sink.changes().size();
    done.count_down();
  });
  done.wait();
  EXPECT_EQ(seen, 1U);
}

TEST_P(StoreContractTest, AnEndedWatchIsToldNothingMore) {
  Store& store = Make();
  RecordingSink sink;
  auto watch = store.WatchFrom("/", kNoRevision, sink).value();
  Put(store, "/a", "1");
  watch.reset();
  Put(store, "/b", "1");
  EXPECT_EQ(sink.changes().size(), 1U);
  EXPECT_FALSE(sink.end().has_value());
}

TEST_P(StoreContractTest, ASinkMayEndItsOwnWatch) {
  class OnceSink final : public ChangeSink {
   public:
    void OnChanges(std::span<const Change> changes) override {
      seen += changes.size();
      watch.reset();
    }
    void OnEnd(const Error& /*error*/) override {}
    std::unique_ptr<Watch> watch;
    std::size_t seen = 0;
  };
  Store& store = Make();
  OnceSink sink;
  sink.watch = store.WatchFrom("/", kNoRevision, sink).value();
  Put(store, "/a", "1");
  Put(store, "/b", "1");
  EXPECT_EQ(sink.seen, 1U);
}

TEST_P(StoreContractTest, ACommitMayBeAskedForWithinACommitDone) {
  Store& store = Make();
  std::latch done(1);
  store.Commit({"/a", MakeBytes("1"), kNoRevision}, [&](const Result<Revision>& first) {
    store.Commit({"/a", MakeBytes("2"), *first}, [&](const Result<Revision>& second) {
      EXPECT_EQ(second.value(), Revision{2});
      done.count_down();
    });
  });
  done.wait();
  EXPECT_EQ(*store.Get("/a").value()->value, "2");
}

TEST_P(StoreContractTest, CompactionForgetsThePastButNothingThatIsThere) {
  Store& store = Make();
  Put(store, "/a", "1");     // 1
  Put(store, "/b", "1");     // 2
  Put(store, "/a", "2", 1);  // 3
  Delete(store, "/b", 2);    // 4
  Put(store, "/c", "1");     // 5
  Put(store, "/b", "2");     // 6
  ASSERT_TRUE(store.Compact(Revision{4}).has_value());
  EXPECT_EQ(store.compacted(), Revision{4});
  EXPECT_EQ(store.latest(), Revision{6});

  const Result<Range> old = store.List({.prefix = "/", .at = Revision{3}});
  ASSERT_FALSE(old.has_value());
  EXPECT_EQ(old.error().reason, Reason::Expired);
  EXPECT_EQ(old.error().message, "too old resource version: 3 (4)");
  EXPECT_THAT(ListAt(store, "/", 4), ElementsAre("/a=2@3"));
  EXPECT_THAT(ListAt(store, "/", 5), ElementsAre("/a=2@3", "/c=1@5"));
  EXPECT_THAT(ListAt(store, "/"), ElementsAre("/a=2@3", "/b=2@6", "/c=1@5"));

  RecordingSink sink;
  EXPECT_EQ(store.WatchFrom("/", Revision{3}, sink).error().reason, Reason::Expired);
  const auto watch = store.WatchFrom("/", Revision{4}, sink).value();
  Put(store, "/a", "3", 3);  // 7
  EXPECT_THAT(Texts(sink.changes()), ElementsAre("5 /c ->1@0", "6 /b ->2@0", "7 /a 2>3@3"));
}

TEST_P(StoreContractTest, CompactionTwiceOrBackwardsDoesNothing) {
  Store& store = Make();
  for (int i = 0; i < 5; ++i) Put(store, "/a", std::to_string(i), i);
  for (const std::int64_t to : {3, 3, 1, 0}) {
    ASSERT_TRUE(store.Compact(Revision{to}).has_value());
    EXPECT_EQ(store.compacted(), Revision{3});
  }
  ASSERT_TRUE(store.Compact(Revision{5}).has_value());
  EXPECT_THAT(ListAt(store, "/"), ElementsAre("/a=4@5"));
  EXPECT_EQ(Put(store, "/a", "5", 5), Revision{6});
}

TEST_P(StoreContractTest, AKeyMayComeBackAfterItsDeletionIsCompacted) {
  Store& store = Make();
  Put(store, "/a", "1");
  Delete(store, "/a", 1);
  ASSERT_TRUE(store.Compact(Revision{2}).has_value());
  EXPECT_THAT(ListAt(store, "/"), IsEmpty());
  EXPECT_EQ(store.latest(), Revision{2});
  RecordingSink sink;
  const auto watch = store.WatchFrom("/", Revision{2}, sink).value();
  EXPECT_EQ(Put(store, "/a", "2"), Revision{3});
  EXPECT_THAT(Texts(sink.changes()), ElementsAre("3 /a ->2@0"));
  EXPECT_THAT(ListAt(store, "/", 2), IsEmpty());
}

TEST_P(StoreContractTest, ARunningWatchIsNotCutByCompaction) {
  Store& store = Make();
  RecordingSink sink;
  const auto watch = store.WatchFrom("/", kNoRevision, sink).value();
  for (int i = 0; i < 20; ++i) {
    Put(store, "/a", std::to_string(i), i);
    ASSERT_TRUE(store.Compact(store.latest()).has_value());
  }
  EXPECT_EQ(sink.changes().size(), 20U);
  EXPECT_EQ(Text(sink.changes().back()), "20 /a 18>19@19");
  EXPECT_FALSE(sink.end().has_value());
}

TEST_P(StoreContractTest, ABumpedStoreIsAheadOfAllThatItHandedOut) {
  Store& store = Make();
  Put(store, "/k/a", "1");     // 1
  Put(store, "/k/a", "2", 1);  // 2
  Put(store, "/k/b", "1");     // 3
  ASSERT_TRUE(store.BumpRevision(Revision{1'000}).has_value());
  const Revision bumped = store.latest();
  EXPECT_GE(bumped, Revision{1'000});
  EXPECT_EQ(store.compacted(), bumped);
  EXPECT_EQ(store.ReadLatest().value(), bumped);
  EXPECT_EQ(store.List({.prefix = "/k/", .at = Revision{3}}).error().reason, Reason::Expired);
  RecordingSink old;
  EXPECT_EQ(store.WatchFrom("/k/", Revision{3}, old).error().reason, Reason::Expired);
  EXPECT_EQ(store.List({.prefix = "/k/", .at = Revision{Number(bumped) + 1}}).error().reason,
            Reason::Timeout);
  const Range range = store.List({.prefix = "/k/"}).value();
  EXPECT_EQ(range.at, bumped);
  ASSERT_EQ(range.records.size(), 2U);
  EXPECT_EQ(*range.records[0].value, "2");

  RecordingSink sink;
  const auto watch = store.WatchFrom("/k/", bumped, sink).value();
  const Revision next = Put(store, "/k/a", "3", Number(range.records[0].revision));
  EXPECT_EQ(next, Revision{Number(bumped) + 1});
  ASSERT_EQ(sink.changes().size(), 1U);
  EXPECT_EQ(sink.changes()[0].revision, next);
  EXPECT_EQ(sink.changes()[0].before_revision, range.records[0].revision);
  EXPECT_EQ(*sink.changes()[0].before, "2");
  EXPECT_EQ(store.CommitAndWait({"/k/b", MakeBytes("x"), Revision{2}}).error().reason,
            Reason::Conflict);
  EXPECT_EQ(store.Get("/k/a").value()->revision, next);
  EXPECT_EQ(store.BumpRevision(next).error().reason, Reason::Invalid);
  ASSERT_TRUE(store.BumpRevision(Revision{5'000}).has_value());
  EXPECT_GE(store.latest(), Revision{5'000});
}

TEST_P(StoreContractTest, TimeCompactsWhatIsBothOldAndPlenty) {
  Store& store = Make({.changes_min = 5, .changes_max = 1'000, .seconds_min = 60});
  for (int i = 0; i < 20; ++i) Put(store, "/a", std::to_string(i), i);
  clock().Advance(std::chrono::seconds(30));
  Put(store, "/b", "1");  // each write gives compaction its turn
  EXPECT_EQ(store.compacted(), kNoRevision);
  clock().Advance(std::chrono::seconds(60));
  Put(store, "/c", "1");
  EXPECT_EQ(store.compacted(), Revision{21 - 5});
  clock().Advance(std::chrono::hours(10));
  Put(store, "/d", "1");
  EXPECT_EQ(store.compacted(), Revision{22 - 5});
  EXPECT_THAT(ListAt(store, "/"), ElementsAre("/a=19@20", "/b=1@21", "/c=1@22", "/d=1@23"));
}

TEST_P(StoreContractTest, TooManyChangesAreCompactedHoweverYoung) {
  Store& store = Make({.changes_min = 5, .changes_max = 10, .seconds_min = 100'000});
  for (int i = 0; i < 50; ++i) Put(store, "/a", std::to_string(i), i);
  clock().Advance(std::chrono::seconds(10));
  Put(store, "/b", "1");
  EXPECT_EQ(store.compacted(), Revision{40});
}

TEST_P(StoreContractTest, AWatchFromFarBackIsToldEverythingOnce) {
  constexpr int kChanges = 10'000;  // more than one turn replays
  Store& store = Make();
  std::latch done(kChanges);
  for (int i = 0; i < kChanges; ++i) {
    store.Commit({"/" + std::to_string(i), MakeBytes("v"), kNoRevision},
                 [&](auto&&) { done.count_down(); });
  }
  done.wait();
  RecordingSink sink;
  const auto watch = store.WatchFrom("/", kNoRevision, sink).value();
  Put(store, "/last", "v");
  const std::vector<Change> changes = sink.WaitFor(kChanges + 1);
  ASSERT_EQ(changes.size(), static_cast<std::size_t>(kChanges + 1));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    ASSERT_EQ(Number(changes[i].revision), static_cast<std::int64_t>(i + 1));
  }
  EXPECT_EQ(changes.back().key, "/last");
}

/// Expects every change exactly once, in order, each with the value and the revision before
/// it.
void ExpectUnbroken(const std::vector<Change>& changes) {
  std::map<std::string, Change> last;
  std::int64_t revision = 0;
  for (const Change& change : changes) {
    ASSERT_EQ(Number(change.revision), ++revision);
    const auto before = last.find(change.key);
    if (before == last.end() || before->second.value == nullptr) {
      ASSERT_EQ(change.before, nullptr);
      ASSERT_EQ(change.before_revision, kNoRevision);
    } else {
      ASSERT_EQ(Text(change.before), Text(before->second.value));
      ASSERT_EQ(change.before_revision, before->second.revision);
    }
    last[change.key] = change;
  }
}

TEST_P(StoreContractTest, ManyWritersLoseNoUpdateAndWatchersSeeEachOnce) {
  constexpr int kThreads = 8;
  constexpr int kIncrements = 50;
  Store& store = Make();
  Put(store, "/counter", "0");
  RecordingSink early;
  const auto early_watch = store.WatchFrom("", kNoRevision, early).value();
  std::vector<std::unique_ptr<RecordingSink>> sinks(kThreads);
  std::vector<std::unique_ptr<Watch>> watches(kThreads);
  std::vector<std::thread> threads;
  std::atomic<int> conflicts = 0;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int done = 0; done < kIncrements;) {
        const Record record = store.Get("/counter").value().value();
        const std::string next = std::to_string(std::stoi(*record.value) + 1);
        const auto result = store.CommitAndWait({"/counter", MakeBytes(next), record.revision});
        done += result.has_value() ? 1 : 0;
        conflicts += result.has_value() ? 0 : 1;
        if (done == kIncrements / 2 && sinks[t] == nullptr) {
          sinks[t] = std::make_unique<RecordingSink>();
          watches[t] = store.WatchFrom("", kNoRevision, *sinks[t]).value();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(*store.Get("/counter").value()->value, std::to_string(kThreads * kIncrements));
  EXPECT_EQ(Number(store.latest()), kThreads * kIncrements + 1);
  ASSERT_EQ(early.changes().size(), kThreads * kIncrements + 1U);
  ExpectUnbroken(early.changes());
  for (const auto& sink : sinks) {
    ASSERT_EQ(sink->WaitFor(early.changes().size()).size(), early.changes().size());
    ExpectUnbroken(sink->changes());
  }
}

TEST_P(StoreContractTest, ListsWhileOthersWriteAndCompactArePictures) {
  constexpr int kRounds = 200;
  Store& store = Make();
  Put(store, "/a", "0");
  Put(store, "/b", "0");
  std::atomic<bool> is_over = false;
  // /a is always changed before /b, to the same number: no list may show /b ahead of /a.
  std::thread reader([&] {
    while (!is_over) {
      const Range range = store.List({.prefix = "/"}).value();
      ASSERT_EQ(range.records.size(), 2U);
      const int a = std::stoi(*range.records[0].value);
      const int b = std::stoi(*range.records[1].value);
      ASSERT_TRUE(a == b || a == b + 1) << a << " " << b;
      ASSERT_EQ(Number(range.at), a + b + 2);
    }
  });
  std::int64_t a = 1;
  std::int64_t b = 2;
  for (int i = 1; i <= kRounds; ++i) {
    a = Number(Put(store, "/a", std::to_string(i), a));
    b = Number(Put(store, "/b", std::to_string(i), b));
    ASSERT_TRUE(store.Compact(Revision{b}).has_value());
  }
  is_over = true;
  reader.join();
}

INSTANTIATE_TEST_SUITE_P(Local, LocalStoreTest, testing::ValuesIn(LocalStoreKinds()),
                         [](const auto& kind) { return kind.param.name; });
INSTANTIATE_TEST_SUITE_P(Every, StoreContractTest, testing::ValuesIn(EveryStoreKind()),
                         [](const auto& kind) { return kind.param.name; });
INSTANTIATE_TEST_SUITE_P(Members, StoreContractTest,
                         testing::Values(StoreKind{"EtcdOfThree", MakeEtcdOfThreeUnderTest,
                                                   EtcdMissing}),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace plimsoll::store
