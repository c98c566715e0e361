#include "store/memory_store.h"

#include <gtest/gtest.h>

#include "store/store_contract_for_test.h"

namespace plimsoll::store {
namespace {

class MemoryStoreUnderTest final : public StoreUnderTest {
 public:
  explicit MemoryStoreUnderTest(HistoryBounds bounds) : store_(clock_, bounds) {}
  Store& store() override { return store_; }
  VirtualClock& clock() override { return clock_; }

 private:
  VirtualClock clock_;
  MemoryStore store_;
};

TEST(MemoryStoreTest, ItsClockMayOutliveIt) {
  VirtualClock clock;
  {
    MemoryStore store(clock);
    EXPECT_TRUE(store.CommitAndWait({"/a", MakeBytes("1"), kNoRevision}).has_value());
  }
  clock.Advance(std::chrono::hours(1));
  EXPECT_EQ(clock.waiting(), 0U);
}

TEST(MemoryStoreTest, FinishesWhatWasAskedForBeforeItEnds) {
  VirtualClock clock;
  int done = 0;
  {
    MemoryStore store(clock);
    for (int i = 0; i < 100; ++i) {
      store.Commit({"/" + std::to_string(i), MakeBytes("v"), kNoRevision},
                   [&](const Result<Revision>& result) { done += result.has_value() ? 1 : 0; });
    }
  }
  EXPECT_EQ(done, 100);
}

}  // namespace

std::unique_ptr<StoreUnderTest> MakeMemoryStoreUnderTest(HistoryBounds bounds) {
  return std::make_unique<MemoryStoreUnderTest>(bounds);
}

}  // namespace plimsoll::store
