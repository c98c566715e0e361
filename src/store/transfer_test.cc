#include "store/transfer.h"

#include <gtest/gtest.h>

#include <map>

#include "base/file.h"
#include "base/virtual_clock.h"
#include "store/memory_store.h"
#include "store/temporary_directory.h"

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

TEST_F(TransferTest, LeavesTheStoresOwnAccountsBehind) {
  Fill(from_, 1);
  const std::string position = "/registry/plimsoll.io/position";
  ASSERT_TRUE(from_.CommitAndWait({position, MakeBytes("1"), kNoRevision}).has_value());
  EXPECT_EQ(CopyStore(from_, to_).value().records, 1U);
  EXPECT_FALSE(to_.Get(position).value().has_value());
}

TEST_F(TransferTest, SavesAndRestores) {
  Fill(from_, 10);
  const std::string path = directory_.path() + "/snapshot";
  const Transferred saved = SaveSnapshot(from_, path).value();
  const Transferred restored = RestoreSnapshot(path, to_).value();
  EXPECT_EQ(saved.records, 10U);
  EXPECT_EQ(restored.records, 10U);
  EXPECT_EQ(restored.at, saved.at);
  EXPECT_EQ(ContentOf(to_), ContentOf(from_));
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
