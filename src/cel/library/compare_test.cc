#include "cel/library/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "cel/library/go_sort.h"

namespace plimsoll::cel {
namespace {

TEST(CompareTest, OrdersWithinAKind) {
  const std::pair<Value, Value> kCases[] = {
      {Value::Bool(false), Value::Bool(true)},   {Value::Int(-1), Value::Int(1)},
      {Value::Uint(1), Value::Uint(UINT64_MAX)}, {Value::Double(-0.5), Value::Double(0.5)},
      {Value::String("a"), Value::String("ab")}, {Value::Bytes("a"), Value::Bytes("\xff")},
      {Value::Duration(-1), Value::Duration(1)}, {Value::Timestamp(5, 1), Value::Timestamp(5, 2)},
  };
  Evaluation evaluation;
  for (const auto& [less, greater] : kCases) {
    EXPECT_TRUE(IsOrdered(less));
    EXPECT_TRUE(IsLess(less, greater));
    EXPECT_FALSE(IsLess(greater, less));
    EXPECT_EQ(CompareOrdered(evaluation, greater, less), 1);
    EXPECT_EQ(CompareOrdered(evaluation, less, less), 0);
  }
  EXPECT_FALSE(IsOrdered(Value::Null()));
  EXPECT_FALSE(IsOrdered(Value::List({})));
}

TEST(CompareTest, WhatHasNoOrderIsNeitherLessNorGreater) {
  Evaluation evaluation;
  EXPECT_EQ(CompareOrdered(evaluation, Value::Int(1), Value::String("a")), 0);
  EXPECT_EQ(CompareOrdered(evaluation, Value::Double(std::nan("")), Value::Double(1)), 0);
  EXPECT_EQ(CompareOrdered(evaluation, Value::Int(1), Value::Double(1.5)), -1);
}

TEST(CompareTest, FindsElementsOfOtherKinds) {
  Evaluation evaluation;
  const Value elements[] = {Value::String("a"), Value::Double(1)};
  EXPECT_TRUE(Includes(evaluation, elements, Value::Int(1)));
  EXPECT_FALSE(Includes(evaluation, elements, Value::Int(2)));
}

TEST(CompareTest, GosSortSorts) {
  // Runs, duplicates and random order exercise all parts of the algorithm.
  std::minstd_rand random(7);
  for (const int count : {0, 1, 12, 13, 49, 50, 51, 200, 2000}) {
    for (const int kinds : {1, 2, 5, 1000}) {
      for (const int shape : {0, 1, 2, 3}) {
        std::vector<int> numbers(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) {
          const int chaos = static_cast<int>(random() % static_cast<unsigned>(kinds));
          const int shapes[] = {chaos, i % kinds, -i / kinds, i == count / 2 ? -1 : i / kinds};
          numbers[static_cast<std::size_t>(i)] = shapes[shape];
        }
        const auto at = [&](int i) -> int& { return numbers[static_cast<std::size_t>(i)]; };
        GoSorter([&](int i, int j) { return at(i) < at(j); },
                 [&](int i, int j) { std::swap(at(i), at(j)); })
            .Sort(count);
        EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
      }
    }
  }
}

}  // namespace
}  // namespace plimsoll::cel
