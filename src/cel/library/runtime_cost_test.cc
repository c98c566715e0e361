#include "cel/library/runtime_cost.h"

#include <gtest/gtest.h>

#include "cel/environment.h"
#include "cel/kubernetes.h"

namespace plimsoll::cel {
namespace {

TEST(RuntimeCostTest, TheShorterOfTwoTextsHasFewerCodePoints) {
  const auto text = [](std::string_view one) { return Value::String(one); };
  EXPECT_EQ(ShorterSize(text("aaaa"), text("日本語")), 3u);
  EXPECT_EQ(ShorterSize(text("日本語"), text("aaaa")), 3u);
  EXPECT_EQ(ShorterSize(text("aa"), text("日本語")), 2u);
  EXPECT_EQ(ShorterSize(text(""), text("aaaaaaaaaaaaa")), 0u);
  EXPECT_EQ(ShorterSize(text("😀"), text("😀")), 1u);
  EXPECT_EQ(ShorterSize(text("abc"), Value::Int(5)), 1u);
}

TEST(RuntimeCostTest, SizesAreThoseOfTheKind) {
  Arena arena;
  const Value elements[] = {Value::Int(1), Value::String("é日")};
  const Value list = Value::List(elements);
  const MapValue::Entry entries[] = {{Value::String("k"), list}};
  const Value fields[3];
  const ObjectValue object(&kTaintType, fields);
  EXPECT_EQ(ActualSize(elements[0]), 1u);
  EXPECT_EQ(ActualSize(elements[1]), 2u);
  EXPECT_EQ(ActualSize(Value::Bytes("é")), 2u);
  EXPECT_EQ(ActualSize(list), 2u);
  EXPECT_EQ(ActualSize(Value::Map(MapValue::Make(entries, arena))), 1u);
  EXPECT_EQ(ActualSize(Value::Object(&object)), 3u);
}

TEST(RuntimeCostTest, OnlyTheStandardLibraryLooksIntoOptionals) {
  const Value elements[] = {Value::Int(1), Value::Int(2)};
  const Value list = Value::List(elements);
  const Value optional = Value::Optional(&list);
  EXPECT_EQ(ActualSize(optional), 1u);
  EXPECT_EQ(HeldSize(optional), 2u);
  EXPECT_EQ(HeldSize(Value::Optional(&optional)), 2u);
  EXPECT_EQ(HeldSize(Value::Optional(nullptr)), 1u);
  EXPECT_EQ(HeldSize(list), 2u);
}

TEST(RuntimeCostTest, AWalkCountsScalarsAndTenthsOfTexts) {
  const std::string text(25, 'x');
  const Value elements[] = {Value::Int(1), Value::String(text), Value::String("short")};
  const Value lists[] = {Value::List(elements), Value::List(elements)};
  EXPECT_EQ(TraversalCost(Value::List(lists)), 6u);
}

TEST(RuntimeCostTest, AWalkEnds) {
  // 2^100 empty lists in 200 values.
  std::vector<Value> pairs(200);
  for (std::size_t i = 0; i < 200; i += 2) {
    const Value inner = i == 0 ? Value::List({}) : Value::List({&pairs[i - 2], 2});
    pairs[i] = inner;
    pairs[i + 1] = inner;
  }
  EXPECT_EQ(TraversalCost(pairs.back()), std::uint64_t{1} << 63);
}

TEST(RuntimeCostTest, CostsAreRounded) {
  EXPECT_EQ(SizeCost(0, kTextCost), 0u);
  EXPECT_EQ(SizeCost(11, kTextCost), 2u);
  EXPECT_EQ(FloorCost(2.9), 2u);
  EXPECT_EQ(FloorCost(1e30), std::uint64_t{1} << 63);
  EXPECT_EQ(RegexCost(0, 5), 2u);
}

}  // namespace
}  // namespace plimsoll::cel
