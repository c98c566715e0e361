#include "cel/library/runtime_cost.h"

#include <gtest/gtest.h>

#include <array>

namespace plimsoll::cel {
namespace {

TEST(RuntimeCostTest, SizesAreCountedByWhatAValueHolds) {
  const std::array<Value, 2> elements{Value::Int(1), Value::Int(2)};
  Arena arena;
  const std::array<MapValue::Entry, 1> entries{{{Value::Int(1), Value::Int(2)}}};
  EXPECT_EQ(ActualSize(Value::String("é世")), 2u);
  EXPECT_EQ(ActualSize(Value::Bytes("é世")), 5u);
  EXPECT_EQ(ActualSize(Value::List(elements)), 2u);
  EXPECT_EQ(ActualSize(Value::Map(MapValue::Make(entries, arena))), 1u);
  EXPECT_EQ(ActualSize(Value::String("")), 0u);
  EXPECT_EQ(ActualSize(Value::Null()), 1u);
  EXPECT_EQ(ActualSize(Value::Int(100)), 1u);
}

TEST(RuntimeCostTest, AWalkReadsATenthOfTheBytesOfTexts) {
  const std::array<Value, 3> inner{Value::Int(1), Value::Bool(true), Value::Null()};
  const std::array<Value, 3> outer{Value::List(inner), Value::String("19 bytes of a text."),
                                   Value::Bytes("")};
  EXPECT_EQ(TraversalCost(Value::List(inner)), 3u);
  EXPECT_EQ(TraversalCost(Value::List(outer)), 4u);
  EXPECT_EQ(TraversalCost(Value::String("世世世世")), 1u);
}

TEST(RuntimeCostTest, CostsAreRoundedUpExceptThoseOfLists) {
  EXPECT_EQ(SizeCost(10, 0.1), 1u);
  EXPECT_EQ(SizeCost(11, 0.1), 2u);
  EXPECT_EQ(SizeCost(0, 0.1), 0u);
  EXPECT_EQ(FloorCost(8.9), 8u);
  EXPECT_EQ(FloorCost(1e30), std::uint64_t{1} << 63);
}

TEST(RuntimeCostTest, EvenTheEmptySubjectIsMatched) {
  EXPECT_EQ(RegexCost(Value::String(""), Value::String("abcde")), 2u);
  EXPECT_EQ(RegexCost(Value::String("0123456789"), Value::String("abcde")), 4u);
  EXPECT_EQ(RegexCost(Value::String("0123456789"), Value::String("")), 0u);
}

TEST(RuntimeCostTest, TableEntriesReadTheirFirstArgument) {
  const std::array<Value, 2> arguments{Value::String("twelve bytes"), Value::String("b{3}")};
  const Value result = Value::Null();
  EXPECT_EQ(CostOne(arguments, result), 1u);
  EXPECT_EQ(CostOfReading(arguments, result), 2u);
  EXPECT_EQ(CostOfReadingTwice(arguments, result), 3u);
  EXPECT_EQ(CostOfTraversal(arguments, result), 1u);
  EXPECT_EQ(CostOfMatching(arguments, result), 2u);
}

}  // namespace
}  // namespace plimsoll::cel
