#include "store/watch_hub.h"

#include <gtest/gtest.h>

#include "store/recording_sink_for_test.h"

namespace plimsoll::store {
namespace {

/// History with alternating changes of /a and /b, of which one Read returns two revisions.
class ShortReads final : public WatchHub::Past {
 public:
  ShortReads(std::int64_t compacted, std::int64_t latest)
      : compacted_(compacted), latest_(latest) {}

  Revision latest() const override { return Revision{latest_}; }
  Result<std::vector<Change>> Read(std::string_view prefix, Revision after,
                                   Revision& seen) const override {
    if (Number(after) < compacted_) return Fail(Reason::Expired, "too old");
    std::vector<Change> changes;
    seen = Revision{std::min(latest_, Number(after) + 2)};
    for (std::int64_t i = Number(after) + 1; i <= Number(seen); ++i) {
      if (Made(i).key.starts_with(prefix)) changes.push_back(Made(i));
    }
    return changes;
  }
  static Change Made(std::int64_t number) {
    return {Revision{number}, number % 2 == 0 ? "/b" : "/a", MakeBytes("v"), nullptr, {}};
  }

 private:
  std::int64_t compacted_;
  std::int64_t latest_;
};

std::vector<std::int64_t> Numbers(const RecordingSink& sink) {
  std::vector<std::int64_t> numbers;
  for (const Change& change : sink.changes()) numbers.push_back(Number(change.revision));
  return numbers;
}

TEST(WatchHubTest, WhoIsBehindIsNotToldOfWhatIsNew) {
  WatchHub hub;
  RecordingSink behind;
  RecordingSink ahead;
  const auto watch = hub.Add("/", kNoRevision, behind);
  const auto other = hub.Add("/a", Revision{4}, ahead);
  EXPECT_TRUE(hub.HasNew());
  EXPECT_FALSE(hub.CatchUp(ShortReads(0, 4)));
  EXPECT_FALSE(hub.HasNew());
  EXPECT_TRUE(hub.NeedsBefore("/a"));
  EXPECT_FALSE(hub.NeedsBefore("/b"));
  const std::vector<Change> fresh = {ShortReads::Made(5)};
  hub.Deliver(fresh);
  EXPECT_EQ(Numbers(behind), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(Numbers(ahead), (std::vector<std::int64_t>{5}));
  EXPECT_FALSE(hub.CatchUp(ShortReads(0, 5)));
  EXPECT_TRUE(hub.CatchUp(ShortReads(0, 5)));
  EXPECT_TRUE(hub.NeedsBefore("/b"));
  EXPECT_EQ(Numbers(behind), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
}

TEST(WatchHubTest, NobodyReadsWhatWasBeforeForAWatchThatDoesNot) {
  class ForgetfulSink final : public ChangeSink {
   public:
    bool ReadsBefore() const override { return false; }
    void OnChanges(std::span<const Change> /*changes*/) override {}
    void OnEnd(const Error& /*error*/) override {}
  };
  WatchHub hub;
  ForgetfulSink forgetful;
  RecordingSink reader;
  const auto watch = hub.Add("/", Revision{4}, forgetful);
  const auto other = hub.Add("/a", Revision{4}, reader);
  EXPECT_TRUE(hub.CatchUp(ShortReads(0, 4)));
  EXPECT_TRUE(hub.NeedsBefore("/a"));
  EXPECT_FALSE(hub.NeedsBefore("/b"));
}

TEST(WatchHubTest, WhoFellBehindWhatIsKeptIsEnded) {
  WatchHub hub;
  RecordingSink sink;
  const auto watch = hub.Add("/", kNoRevision, sink);
  EXPECT_FALSE(hub.CatchUp(ShortReads(0, 9)));
  EXPECT_TRUE(hub.CatchUp(ShortReads(5, 9)));
  EXPECT_EQ(sink.end()->reason, Reason::Expired);
  EXPECT_EQ(Numbers(sink), (std::vector<std::int64_t>{1, 2}));
}

TEST(WatchHubTest, RunsOfMatchingChangesComeTogether) {
  class CountingSink final : public ChangeSink {
   public:
    void OnChanges(std::span<const Change> changes) override { runs.push_back(changes.size()); }
    void OnEnd(const Error& /*error*/) override {}
    std::vector<std::size_t> runs;
  };
  WatchHub hub;
  CountingSink sink;
  const auto watch = hub.Add("/a", kNoRevision, sink);
  hub.CatchUp(ShortReads(0, 0));
  const std::vector<Change> changes = {ShortReads::Made(1), ShortReads::Made(3),
                                       ShortReads::Made(2), ShortReads::Made(5)};
  hub.Deliver(changes);
  EXPECT_EQ(sink.runs, (std::vector<std::size_t>{2, 1}));
}

TEST(WatchHubTest, TheEndIsToldOnceAndToEverybody) {
  WatchHub hub;
  RecordingSink running;
  RecordingSink fresh;
  const auto watch = hub.Add("/", kNoRevision, running);
  hub.CatchUp(ShortReads(0, 0));
  auto other = hub.Add("/", kNoRevision, fresh);
  hub.End({Reason::ServiceUnavailable, {}, "closing"});
  EXPECT_EQ(running.end()->message, "closing");
  EXPECT_EQ(fresh.end()->message, "closing");
}

}  // namespace
}  // namespace plimsoll::store
