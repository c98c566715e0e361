#include "match/index/ordered_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace plimsoll::match {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::set<std::uint32_t> IdsOf(const OrderedValues<std::int64_t>& values, Comparison comparison,
                              std::int64_t bound) {
  std::set<std::uint32_t> ids;
  values.ForEach(comparison, bound, [&](const auto& entry) { ids.insert(entry.id); });
  return ids;
}

TEST(OrderedValuesTest, AComparisonIsARangeSortedOrNot) {
  OrderedValues<std::int64_t> values;
  for (std::uint32_t id = 0; id < 300; ++id) {
    values.Insert((id * 7919) % 300, id);
    values.Tidy([](const auto&) { return true; });
    std::set<std::uint32_t> less;
    std::set<std::uint32_t> greater;
    for (std::uint32_t i = 0; i <= id; ++i) {
      if ((i * 7919) % 300 < 150) less.insert(i);
      if ((i * 7919) % 300 > 150) greater.insert(i);
    }
    ASSERT_EQ(IdsOf(values, Comparison::Less, 150), less);
    ASSERT_EQ(IdsOf(values, Comparison::Greater, 150), greater);
    ASSERT_LE(IdsOf(values, Comparison::Equal, 150).size(), 1u);
  }
  EXPECT_EQ(IdsOf(values, Comparison::Equal, 150).size(), 1u);
}

TEST(OrderedValuesTest, TidyingDropsTheForgottenAndTheDoubled) {
  OrderedValues<std::int64_t> values;
  for (int round = 0; round < 10'000; ++round) {
    values.Insert(5, 1);
    values.Forget();
    values.Tidy([](const auto& entry) { return entry.value == 5; });
  }
  EXPECT_LT(values.MemoryBytes(), 10'000u);
  EXPECT_THAT(IdsOf(values, Comparison::Equal, 5), ElementsAre(1));
  for (int round = 0; round < 1'000; ++round) {
    values.Forget();
    values.Tidy([](const auto&) { return false; });
  }
  EXPECT_THAT(IdsOf(values, Comparison::Equal, 5), IsEmpty());
}

TEST(OrderedValuesTest, VersionsThatDifferInBuildOnlyAreEqual) {
  OrderedValues<Semver> values;
  values.Insert(*ParseSemver("1.2.3+a"), 1);
  values.Insert(*ParseSemver("1.2.3"), 2);
  values.Insert(*ParseSemver("1.2.3-rc"), 3);
  std::set<std::uint32_t> equal;
  values.ForEach(Comparison::Equal, *ParseSemver("1.2.3+b"),
                 [&](const auto& entry) { equal.insert(entry.id); });
  EXPECT_THAT(equal, ElementsAre(1, 2));
}

}  // namespace
}  // namespace plimsoll::match
