#include "scheduler/queue/pod_heap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <vector>

namespace plimsoll::scheduler {
namespace {

TEST(PodHeapTest, GivesTheLeastFirst) {
  PodHeap<int> heap;
  for (const int key : {5, 1, 4, 2, 3}) heap.Push(static_cast<PodId>(key + 10), key);
  std::vector<PodId> order;
  while (!heap.empty()) order.push_back(heap.Pop());
  EXPECT_EQ(order, (std::vector<PodId>{11, 12, 13, 14, 15}));
}

TEST(PodHeapTest, ErasesWhatIsInIt) {
  PodHeap<int> heap;
  heap.Push(7, 1);
  EXPECT_FALSE(heap.Erase(8));
  EXPECT_TRUE(heap.Erase(7));
  EXPECT_FALSE(heap.Erase(7));
  EXPECT_TRUE(heap.empty());
}

RC_GTEST_PROP(PodHeapTest, BehavesLikeASortedMap,
              (std::vector<std::pair<std::uint8_t, bool>> steps)) {
  PodHeap<std::pair<int, int>> heap;
  std::map<std::pair<int, int>, PodId> model;
  std::map<PodId, std::pair<int, int>> keys;
  int sequence = 0;
  for (const auto& [value, pops] : steps) {
    const PodId id = value % 32;
    if (pops && !model.empty()) {
      RC_ASSERT(heap.top() == model.begin()->second);
      RC_ASSERT(heap.top_key() == model.begin()->first);
      keys.erase(heap.Pop());
      model.erase(model.begin());
    } else if (keys.contains(id)) {
      RC_ASSERT(heap.Erase(id));
      model.erase(keys[id]);
      keys.erase(id);
    } else {
      keys[id] = {value, sequence++};
      model[keys[id]] = id;
      heap.Push(id, keys[id]);
    }
    RC_ASSERT(heap.size() == model.size());
    RC_ASSERT(heap.Contains(id) == keys.contains(id));
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
