// Tests of OffsetStore alone. store_contract_test.cc also runs on an OffsetStore over etcd.
#include "store/etcd/offset_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/virtual_clock.h"
#include "store/memory_store.h"

namespace plimsoll::store::etcd {
namespace {

class OffsetStoreTest : public testing::Test {
 protected:
  std::unique_ptr<OffsetStore> WithOffset(const std::string& text) {
    auto inner = std::make_unique<MemoryStore>(clock_);
    EXPECT_TRUE(
        inner
            ->CommitAndWait({"/registry/plimsoll.io/revision-offset", MakeBytes(text), kNoRevision})
            .has_value());
    return std::make_unique<OffsetStore>(std::move(inner), "/registry/");
  }

  VirtualClock clock_;
};

TEST_F(OffsetStoreTest, EveryServerAddsTheOffsetThatLiesInTheStore) {
  const auto store = WithOffset("1000");
  ASSERT_TRUE(store->Start().has_value());
  EXPECT_EQ(store->latest(), Revision{1'001});
  const Revision made = store->CommitAndWait({"/registry/a", MakeBytes("1"), kNoRevision}).value();
  EXPECT_EQ(made, Revision{1'002});
  EXPECT_EQ(store->Get("/registry/a").value()->revision, made);
}

TEST_F(OffsetStoreTest, ARevisionFromBeforeTheOffsetNeitherMatchesNorMeansThatThereIsNoKey) {
  const auto store = WithOffset("1000");
  ASSERT_TRUE(store->Start().has_value());
  // 1000 would be 0 in etcd, which means that the key must not exist.
  for (const std::int64_t old : {1, 999, 1'000}) {
    EXPECT_EQ(store->CommitAndWait({"/registry/a", MakeBytes("1"), Revision{old}}).error().reason,
              Reason::Conflict)
        << old;
    const Result<Range> range = store->List({.at = Revision{old}});
    ASSERT_FALSE(range.has_value());
    EXPECT_THAT(range.error().message,
                testing::StartsWith("too old resource version: " + std::to_string(old)));
  }
}

TEST_F(OffsetStoreTest, AnOffsetThatIsNoNumberOrLeavesNoRoomIsRefused) {
  // 2^62, and the largest 64-bit number: a revision added to them could overflow.
  for (const char* text : {"", "x", "-1", "1 ", "99999999999999999999", "4611686018427387904",
                           "9223372036854775807"}) {
    EXPECT_EQ(WithOffset(text)->Start().error().reason, Reason::InternalError) << text;
  }
}

}  // namespace
}  // namespace plimsoll::store::etcd
