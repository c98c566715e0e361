#include "base/interner.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

namespace plimsoll {
namespace {

TEST(InternerTest, EqualTextsShareAnId) {
  Interner interner;
  const auto first = interner.Acquire("zone");
  EXPECT_TRUE(first.is_new);
  const auto again = interner.Acquire("zone");
  EXPECT_EQ(again.id, first.id);
  EXPECT_FALSE(again.is_new);
  EXPECT_NE(interner.Acquire("").id, first.id);
  EXPECT_EQ(interner.text(first.id), "zone");
  EXPECT_EQ(interner.size(), 2u);
}

TEST(InternerTest, AFreedIdIsTheNextGivenOut) {
  Interner interner;
  const auto a = interner.Acquire("a").id;
  interner.Acquire("b");
  EXPECT_TRUE(interner.IsLastReference(a));
  interner.AddReference(a);
  EXPECT_FALSE(interner.Release(a));
  EXPECT_TRUE(interner.Release(a));
  EXPECT_FALSE(interner.IsLive(a));
  EXPECT_EQ(interner.Find("a"), Interner::kNone);
  EXPECT_EQ(interner.Acquire("c").id, a);
}

TEST(InternerTest, ChurnDoesNotGrowIt) {
  Interner interner;
  std::size_t after_one_round = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<Interner::Id> ids;
    for (int i = 0; i < 1000; ++i) {
      ids.push_back(interner.Acquire("value-" + std::to_string(round * 1000 + i + 1'000'000)).id);
    }
    ids.push_back(interner.Acquire(std::string(5000, 'x')).id);
    for (const auto id : ids) interner.Release(id);
    if (round == 0) after_one_round = interner.MemoryBytes();
  }
  EXPECT_EQ(interner.MemoryBytes(), after_one_round);
  EXPECT_EQ(interner.size(), 0u);
}

TEST(InternerTest, KeepsLargeTexts) {
  Interner interner;
  const std::string large(100'000, 'x');
  const auto id = interner.Acquire(large).id;
  EXPECT_EQ(interner.text(id), large);
}

RC_GTEST_PROP(InternerTest, BehavesAsACountedMap, ()) {
  Interner interner;
  std::map<std::string, std::pair<Interner::Id, int>> model;
  const int steps = *rc::gen::inRange(0, 400);
  for (int i = 0; i < steps; ++i) {
    const std::string text(static_cast<std::size_t>(*rc::gen::inRange(0, 40)),
                           *rc::gen::inRange('a', 'd'));
    const auto found = model.find(text);
    RC_ASSERT((interner.Find(text) != Interner::kNone) == (found != model.end()));
    if (found != model.end() && *rc::gen::arbitrary<bool>()) {
      const bool gone = interner.Release(found->second.first);
      RC_ASSERT(gone == (--found->second.second == 0));
      if (gone) model.erase(found);
    } else {
      const auto [id, is_new] = interner.Acquire(text);
      RC_ASSERT(is_new == (found == model.end()));
      auto& entry = model.try_emplace(text, id, 0).first->second;
      RC_ASSERT(entry.first == id);
      ++entry.second;
    }
    RC_ASSERT(interner.size() == model.size());
    for (const auto& [key, entry] : model) RC_ASSERT(interner.text(entry.first) == key);
  }
}

}  // namespace
}  // namespace plimsoll
