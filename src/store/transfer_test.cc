#include "store/transfer.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/virtual_clock.h"
#include "store/memory_store.h"
#include "store/snapshot_format.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::store {
namespace {

class TransferTest : public testing::Test {
 protected:
  static void Fill(Store& store, int count) {
    for (int i = 0; i < count; ++i) {
      const std::string key = "/registry/configmaps/default/" + std::to_string(i);
      ASSERT_TRUE(store.CommitAndWait({key, MakeBytes("v" + key), kNoRevision}).has_value());
    }
  }
  static std::map<std::string, std::string> ContentOf(Store& store) {
    std::map<std::string, std::string> content;
    const Range range = store.List({}).value();
    for (const Record& record : range.records) content[record.key] = *record.value;
    return content;
  }

  VirtualClock clock_;
  MemoryStore from_{clock_};
  MemoryStore to_{clock_};
  TemporaryDirectory directory_;
};

TEST_F(TransferTest, CopiesAllOfManyPages) {
  Fill(from_, 12'000);
  const Transferred done = CopyStore(from_, to_).value();
  EXPECT_EQ(done.records, 12'000U);
  EXPECT_EQ(done.at, from_.latest());
  EXPECT_EQ(ContentOf(to_), ContentOf(from_));
}

TEST_F(TransferTest, ReportsItsProgress) {
  Fill(from_, 12'000);
  using Calls = std::vector<std::pair<std::size_t, std::size_t>>;
  Calls calls;
  const OnTransfer on_transfer = [&](std::size_t done, std::size_t total) {
    calls.emplace_back(done, total);
  };
  const Calls pages = {{5'000, 12'000}, {10'000, 12'000}, {12'000, 12'000}};
  ASSERT_TRUE(CopyStore(from_, to_, 0, on_transfer).has_value());
  EXPECT_EQ(calls, pages);
  calls.clear();
  const std::string path = directory_.path() + "/snapshot";
  ASSERT_TRUE(SaveSnapshot(from_, path, on_transfer).has_value());
  EXPECT_EQ(calls, pages);
  calls.clear();
  MemoryStore restored(clock_);
  ASSERT_TRUE(RestoreSnapshot(path, restored, 0, on_transfer).has_value());
  ASSERT_EQ(calls.size(), 12'000U);
  EXPECT_EQ(calls.back(), (Calls::value_type{12'000, 12'000}));
}

TEST_F(TransferTest, LeavesTheStoresOwnAccountsBehind) {
  Fill(from_, 1);
  const std::vector<std::string> keys = {"/registry/plimsoll.io/position",
                                         "/registry/plimsoll.io/revision-offset"};
  for (const std::string& key : keys) {
    ASSERT_TRUE(from_.CommitAndWait({key, MakeBytes("1"), kNoRevision}).has_value());
  }
  EXPECT_EQ(CopyStore(from_, to_).value().records, 1U);
  for (const std::string& key : keys) EXPECT_FALSE(to_.Get(key).value().has_value());
}

TEST_F(TransferTest, SavesAndRestores) {
  Fill(from_, 10);
  const std::string path = directory_.path() + "/snapshot";
  const Transferred saved = SaveSnapshot(from_, path).value();
  const Transferred restored = RestoreSnapshot(path, to_).value();
  EXPECT_EQ(saved.records, 10U);
  EXPECT_EQ(restored.records, 10U);
  EXPECT_EQ(restored.at, saved.at);
  EXPECT_EQ(restored.reached, to_.latest());
  EXPECT_EQ(ContentOf(to_), ContentOf(from_));
}

TEST_F(TransferTest, NoRevisionOfTheSourceIsHandedOutAgain) {
  Fill(from_, 3);
  const std::string path = directory_.path() + "/snapshot";
  ASSERT_TRUE(SaveSnapshot(from_, path).has_value());
  Fill(to_, 1);
  ASSERT_TRUE(
      to_.CommitAndWait({"/registry/configmaps/default/0", nullptr, Revision{1}}).has_value());
  MemoryStore copy(clock_);
  const auto check = [](Store& store, const Transferred& done, std::int64_t bump) {
    EXPECT_EQ(done.reached, store.latest());
    EXPECT_EQ(store.compacted(), store.latest());
    const Range range = store.List({}).value();
    EXPECT_EQ(range.at, store.latest());
    for (const Record& record : range.records) EXPECT_GT(Number(record.revision), 3 + bump);
    RangeRequest old{.at = Revision{3}};
    EXPECT_EQ(store.List(old).error().reason, Reason::Expired);
  };
  check(to_, RestoreSnapshot(path, to_).value(), kDefaultBump);
  check(copy, CopyStore(from_, copy, 10).value(), 10);
  MemoryStore unbumped(clock_);
  check(unbumped, CopyStore(from_, unbumped, 0).value(), 0);
}

TEST_F(TransferTest, ARevisionThatCannotBeBumpedIsRefusedBeforeAnythingIsWritten) {
  const std::string path = directory_.path() + "/snapshot";
  for (const std::int64_t at : {std::numeric_limits<std::int64_t>::max(), std::int64_t{-1}}) {
    SnapshotWriter writer;
    writer.Add("/registry/pods/default/a", "{}");
    ASSERT_TRUE(WriteFile(path, writer.Finish(Revision{at})).has_value());
    EXPECT_EQ(RestoreSnapshot(path, to_).error().reason, Reason::Invalid) << at;
  }
  EXPECT_EQ(CopyStore(from_, to_, std::numeric_limits<std::int64_t>::max()).error().reason,
            Reason::Invalid);
  EXPECT_EQ(CopyStore(from_, to_, -1).error().reason, Reason::Invalid);
  EXPECT_EQ(to_.latest(), kNoRevision);
}

TEST_F(TransferTest, FillsOnlyWhatIsEmpty) {
  Fill(from_, 1);
  Fill(to_, 2);
  const std::string path = directory_.path() + "/snapshot";
  ASSERT_TRUE(SaveSnapshot(from_, path).has_value());
  for (const auto& result : {CopyStore(from_, to_), RestoreSnapshot(path, to_)}) {
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().reason, Reason::Conflict);
    EXPECT_EQ(result.error().message, "the target holds 2 objects already; it must be empty");
  }
  EXPECT_EQ(ContentOf(to_).size(), 2U);
}

TEST_F(TransferTest, ADamagedSnapshotChangesNothing) {
  const std::string path = directory_.path() + "/snapshot";
  ASSERT_TRUE(WriteFile(path, "plimsoll snapshot 1\n5 5\n").has_value());
  EXPECT_EQ(RestoreSnapshot(path, to_).error().reason, Reason::Invalid);
  EXPECT_EQ(to_.latest(), kNoRevision);
}

}  // namespace
}  // namespace plimsoll::store
