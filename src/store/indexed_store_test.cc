// Tests beyond the contract: an engine that fails.
#include "store/indexed_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <map>

#include "base/virtual_clock.h"
#include "store/commit_metrics.h"
#include "store/recording_sink_for_test.h"

namespace plimsoll::store {
namespace {

/// An engine that fails while `Faults` holds an error, and that can block an append.
class FaultyEngine final : public Engine {
 public:
  struct Faults {
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<Error> append;
    std::optional<Error> read;
    std::optional<Error> forget;
    bool is_held_up = false;
    std::vector<std::size_t> appends;  // sizes
    std::vector<Revision> forgotten;

    void HoldUp(bool value) {
      const std::lock_guard lock(mutex);
      is_held_up = value;
      changed.notify_all();
    }
    void WaitForAppends(std::size_t count) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return appends.size() >= count; });
    }
  };

  explicit FaultyEngine(Faults& faults) : faults_(faults) {}

  Status Append(std::span<const Change> changes) override {
    std::unique_lock lock(faults_.mutex);
    faults_.appends.push_back(changes.size());
    faults_.changed.notify_all();
    faults_.changed.wait(lock, [&] { return !faults_.is_held_up; });
    if (faults_.append) return std::unexpected(*faults_.append);
    for (const Change& change : changes) values_[change.revision] = change.value;
    return {};
  }
  std::unique_ptr<View> Snapshot() const override { return std::make_unique<Direct>(*this); }
  Status Compact(Revision /*compacted*/, std::span<const Revision> revisions) override {
    const std::lock_guard lock(faults_.mutex);
    if (faults_.forget) return std::unexpected(*faults_.forget);
    faults_.forgotten.insert(faults_.forgotten.end(), revisions.begin(), revisions.end());
    return {};
  }
  Status Health() const override {
    const std::lock_guard lock(faults_.mutex);
    if (faults_.append) return std::unexpected(*faults_.append);
    return {};
  }
  void Recover() override {
    const std::lock_guard lock(faults_.mutex);
    faults_.append.reset();
  }

 private:
  class Direct final : public View {
   public:
    explicit Direct(const FaultyEngine& engine) : engine_(engine) {}
    Result<std::vector<Bytes>> Values(std::span<const Revision> revisions) const override {
      const std::lock_guard lock(engine_.faults_.mutex);
      if (engine_.faults_.read) return std::unexpected(*engine_.faults_.read);
      std::vector<Bytes> values;
      for (const Revision revision : revisions) {
        values.push_back(revision == kNoRevision ? nullptr : engine_.values_.at(revision));
      }
      return values;
    }

   private:
    const FaultyEngine& engine_;
  };

  Faults& faults_;
  std::map<Revision, Bytes> values_;
};

class IndexedStoreTest : public testing::Test {
 protected:
  void Set(std::optional<Error> FaultyEngine::Faults::* fault, std::optional<Error> error) {
    const std::lock_guard lock(faults_.mutex);
    faults_.*fault = std::move(error);
  }

  FaultyEngine::Faults faults_;
  VirtualClock clock_;
  VirtualClock still_;  // read by the store's thread while clock_ is advanced
  MetricsRegistry registry_;
  IndexedStore store_{std::make_unique<FaultyEngine>(faults_), VersionIndex(), clock_,
                      HistoryBounds{}, std::make_unique<CommitMetrics>(registry_, still_)};
  const Error unavailable_{Reason::ServiceUnavailable, {}, "disk full"};
};

TEST_F(IndexedStoreTest, WhatCannotBeAppendedDidNotHappen) {
  RecordingSink sink;
  const auto watch = store_.WatchFrom("/", kNoRevision, sink).value();
  ASSERT_TRUE(store_.CommitAndWait({"/a", MakeBytes("1"), kNoRevision}).has_value());
  Set(&FaultyEngine::Faults::append, unavailable_);
  EXPECT_EQ(store_.CommitAndWait({"/a", MakeBytes("2"), Revision{1}}).error(), unavailable_);
  EXPECT_EQ(store_.Health().error(), unavailable_);
  EXPECT_EQ(store_.latest(), Revision{1});
  EXPECT_EQ(*store_.Get("/a").value()->value, "1");
  EXPECT_EQ(sink.changes().size(), 1U);

  Set(&FaultyEngine::Faults::append, std::nullopt);
  EXPECT_EQ(store_.CommitAndWait({"/a", MakeBytes("3"), Revision{1}}).value(), Revision{2});
  EXPECT_EQ(*sink.changes().back().before, "1");
}

TEST_F(IndexedStoreTest, HealsAsTimeGoesBy) {
  Set(&FaultyEngine::Faults::append, unavailable_);
  EXPECT_EQ(store_.CommitAndWait({"/a", MakeBytes("1"), kNoRevision}).error(), unavailable_);
  clock_.Advance(std::chrono::seconds(10));
  EXPECT_EQ(store_.CommitAndWait({"/a", MakeBytes("1"), kNoRevision}).value(), Revision{1});
}

TEST_F(IndexedStoreTest, WritesThatComeMeanwhileShareTheNextAppend) {
  std::latch done(11);
  const auto count = [&](const Result<Revision>& result) {
    EXPECT_TRUE(result.has_value());
    done.count_down();
  };
  faults_.HoldUp(true);
  store_.Commit({"/first", MakeBytes("v"), kNoRevision}, count);
  faults_.WaitForAppends(1);
  for (int i = 0; i < 10; ++i) {
    store_.Commit({"/" + std::to_string(i), MakeBytes("v"), kNoRevision}, count);
  }
  faults_.HoldUp(false);
  done.wait();
  EXPECT_THAT(faults_.appends, testing::ElementsAre(1, 10));
}

TEST_F(IndexedStoreTest, WhoIsJudgedByAWriteThatFailedFailsAsItDid) {
  const Error unknown{Reason::Timeout, {}, "nobody knows"};
  std::vector<Result<Revision>> results;
  std::latch done(4);
  const auto note = [&](Result<Revision> result) {
    results.push_back(std::move(result));
    done.count_down();
  };
  faults_.HoldUp(true);
  store_.Commit({"/first", MakeBytes("v"), kNoRevision}, note);
  faults_.WaitForAppends(1);
  store_.Commit({"/a", MakeBytes("1"), kNoRevision}, note);
  store_.Commit({"/a", MakeBytes("2"), kNoRevision}, note);   // conflicts if the one before works
  store_.Commit({"/b", MakeBytes("1"), Revision{77}}, note);  // conflicts in any case
  {
    const std::lock_guard lock(faults_.mutex);
    faults_.append = unknown;
  }
  faults_.HoldUp(false);
  done.wait();
  EXPECT_EQ(results[0].error(), unknown);
  EXPECT_EQ(results[1].error(), unknown);
  EXPECT_EQ(results[2].error(), unknown);
  EXPECT_EQ(results[3].error().reason, Reason::Conflict);
}

TEST_F(IndexedStoreTest, ReadErrorsReachTheReader) {
  ASSERT_TRUE(store_.CommitAndWait({"/a", MakeBytes("1"), kNoRevision}).has_value());
  const Error broken{Reason::InternalError, {}, "bad block"};
  Set(&FaultyEngine::Faults::read, broken);
  EXPECT_EQ(store_.Get("/a").error(), broken);
  EXPECT_EQ(store_.List({.prefix = "/"}).error(), broken);
  RecordingSink sink;
  const auto watch = store_.WatchFrom("/", kNoRevision, sink).value();
  EXPECT_EQ(sink.WaitForEnd(), broken);
}

TEST_F(IndexedStoreTest, AWatchGetsThePayloadOfAWriteAndNoneOfThePast) {
  RecordingSink live;
  const auto watch = store_.WatchFrom("/", kNoRevision, live).value();
  const PayloadPtr payload = MakePayload(1);
  ASSERT_TRUE(store_.CommitAndWait({"/a", MakeBytes("1"), kNoRevision, payload}).has_value());
  EXPECT_EQ(live.changes().front().payload, payload);
  RecordingSink late;
  const auto replayed = store_.WatchFrom("/", kNoRevision, late).value();
  EXPECT_EQ(late.WaitFor(1).front().payload, nullptr);
}

TEST_F(IndexedStoreTest, AWatchedWriteFailsWhenWhatWasBeforeCannotBeRead) {
  RecordingSink sink;
  const auto watch = store_.WatchFrom("/", kNoRevision, sink).value();
  ASSERT_TRUE(store_.CommitAndWait({"/a", MakeBytes("1"), kNoRevision}).has_value());
  const Error broken{Reason::InternalError, {}, "bad block"};
  Set(&FaultyEngine::Faults::read, broken);
  EXPECT_EQ(store_.CommitAndWait({"/a", MakeBytes("2"), Revision{1}}).error(), broken);
  EXPECT_EQ(store_.latest(), Revision{1});
}

TEST_F(IndexedStoreTest, WhatCouldNotBeForgottenIsTriedAgain) {
  for (std::int64_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(store_.CommitAndWait({"/a", MakeBytes("v"), Revision{i}}).has_value());
  }
  Set(&FaultyEngine::Faults::forget, unavailable_);
  EXPECT_EQ(store_.Compact(Revision{2}).error(), unavailable_);
  EXPECT_EQ(store_.compacted(), Revision{2});
  Set(&FaultyEngine::Faults::forget, std::nullopt);
  ASSERT_TRUE(store_.Compact(Revision{3}).has_value());
  EXPECT_THAT(faults_.forgotten, testing::ElementsAre(Revision{1}, Revision{2}));
}

TEST(IndexedStoreEndTest, TellsItsWatches) {
  VirtualClock clock;
  FaultyEngine::Faults faults;
  RecordingSink sink;
  std::unique_ptr<Watch> watch;
  {
    IndexedStore store(std::make_unique<FaultyEngine>(faults), VersionIndex(), clock, {}, nullptr);
    watch = store.WatchFrom("/", kNoRevision, sink).value();
  }
  EXPECT_EQ(sink.end()->reason, Reason::ServiceUnavailable);
}

}  // namespace
}  // namespace plimsoll::store
