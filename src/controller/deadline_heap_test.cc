#include "controller/deadline_heap.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"

namespace plimsoll::controller {
namespace {

Instant At(std::int64_t nanoseconds) { return Instant(Duration(nanoseconds)); }

TEST(DeadlineHeapTest, GivesTheEarliestFirstAndOnlyWhatIsDue) {
  DeadlineHeap heap;
  heap.Set(7, At(30));
  heap.Set(2, At(10));
  heap.Set(5, At(20));
  EXPECT_EQ(heap.NextWake(), At(10));
  EXPECT_EQ(heap.Take(At(20))->id, 2u);
  EXPECT_EQ(heap.Take(At(20))->id, 5u);
  EXPECT_EQ(heap.Take(At(20)), std::nullopt);
  EXPECT_TRUE(heap.Contains(7));
  EXPECT_FALSE(heap.Contains(5));
}

TEST(DeadlineHeapTest, AnIdWaitsOnceAndCanBeMovedOrTakenBack) {
  DeadlineHeap heap;
  heap.Set(1, At(30));
  heap.Set(1, At(5));
  heap.Set(2, At(10));
  heap.Set(1, At(40));
  EXPECT_EQ(heap.size(), 2u);
  EXPECT_EQ(heap.first().id, 2u);
  EXPECT_TRUE(heap.Erase(2));
  EXPECT_FALSE(heap.Erase(2));
  EXPECT_FALSE(heap.Erase(99));
  EXPECT_EQ(heap.Take(At(40))->id, 1u);
  EXPECT_TRUE(heap.empty());
  EXPECT_EQ(heap.NextWake(), std::nullopt);
}

TEST(DeadlineHeapTest, AgreesWithASortedSet) {
  Random random(1);
  DeadlineHeap heap;
  std::map<DeadlineHeap::Id, Instant> when;
  std::set<std::pair<Instant, DeadlineHeap::Id>> sorted;
  for (int step = 0; step < 20'000; ++step) {
    const auto id = static_cast<DeadlineHeap::Id>(random.Below(60));
    const auto known = when.find(id);
    if (known != when.end()) sorted.erase({known->second, id});
    if (random.Chance(0.6)) {
      const Instant time = At(random.Between(0, 50));
      heap.Set(id, time);
      when[id] = time;
      sorted.emplace(time, id);
    } else {
      EXPECT_EQ(heap.Erase(id), known != when.end());
      when.erase(id);
    }
    ASSERT_EQ(heap.size(), sorted.size());
    if (sorted.empty()) continue;
    ASSERT_EQ(heap.first().when, sorted.begin()->first);
    ASSERT_EQ(heap.first().id, sorted.begin()->second);
  }
  while (!sorted.empty()) {
    ASSERT_EQ(heap.Take(At(50))->id, sorted.begin()->second);
    sorted.erase(sorted.begin());
  }
}

}  // namespace
}  // namespace plimsoll::controller
