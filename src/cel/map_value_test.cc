#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cel/value.h"

namespace plimsoll::cel {
namespace {

std::vector<MapValue::Entry> Numbered(std::int64_t count) {
  std::vector<MapValue::Entry> entries;
  for (std::int64_t i = 0; i < count; ++i) entries.push_back({Value::Int(i), Value::Int(i * i)});
  return entries;
}

TEST(MapValueTest, FindsTheEntriesOfSmallAndLargeMaps) {
  for (const std::int64_t count : {0, 1, 8, 9, 1000}) {
    Arena arena;
    const auto entries = Numbered(count);
    const MapValue* const map = MapValue::Make(entries, arena);
    for (std::int64_t i = 0; i < count; ++i) {
      ASSERT_NE(map->Find(Value::Int(i)), nullptr);
      EXPECT_EQ(map->Find(Value::Int(i))->as_int(), i * i);
    }
    EXPECT_EQ(map->Find(Value::Int(count)), nullptr);
    EXPECT_EQ(map->Find("0"), nullptr);
  }
}

TEST(MapValueTest, ANumberFindsKeysOfOtherKinds) {
  Arena arena;
  const std::vector<MapValue::Entry> entries{{Value::Int(1), Value::Int(1)},
                                             {Value::Uint(2), Value::Int(2)},
                                             {Value::Double(3), Value::Int(3)}};
  const MapValue* const map = MapValue::Make(entries, arena);
  EXPECT_TRUE(map->Contains(Value::Uint(1)));
  EXPECT_TRUE(map->Contains(Value::Double(1)));
  EXPECT_TRUE(map->Contains(Value::Int(2)));
  EXPECT_TRUE(map->Contains(Value::Double(2)));
  EXPECT_FALSE(map->Contains(Value::Double(1.5)));
  EXPECT_FALSE(map->Contains(Value::Int(3))) << "doubles are looked for as they are";
  EXPECT_FALSE(map->Contains(Value::Double(std::nan(""))));
}

TEST(MapValueTest, CollectKeepsTheFirstPlaceAndTheLastValue) {
  for (const std::int64_t distinct : {2, 20}) {
    Arena arena;
    auto entries = Numbered(distinct);
    entries.push_back({Value::Int(0), Value::Int(-1)});
    entries.push_back({Value::Uint(0), Value::Int(-2)});
    const MapValue* const map = MapValue::Collect(entries, arena);
    EXPECT_EQ(map->size(), static_cast<std::size_t>(distinct) + 1);
    EXPECT_EQ(map->entries()[0].value.as_int(), -1);
    EXPECT_EQ(map->Find(Value::Uint(0))->as_int(), -2);
  }
}

TEST(MapValueTest, InsertGrowsFromEmpty) {
  Arena arena;
  const MapValue* map = MapValue::Make({}, arena);
  for (std::int64_t i = 0; i < 1000; ++i) {
    ASSERT_FALSE(map->Contains(Value::Int(i)));
    map = MapValue::Insert(map, {Value::Int(i), Value::Int(-i)}, arena);
  }
  ASSERT_EQ(map->size(), 1000u);
  for (std::int64_t i = 0; i < 1000; ++i) EXPECT_EQ(map->Find(Value::Int(i))->as_int(), -i);
  EXPECT_LT(arena.bytes_used(), 1000u * 200u);
}

TEST(MapValueTest, TheDefaultAnswersLookupsByTextOnly) {
  Arena arena;
  const Value missing = Value::Int(7);
  const std::vector<MapValue::Entry> entries{{Value::String("a"), Value::Int(1)}};
  const MapValue* const map = MapValue::MakeWithDefault(entries, &missing, arena);
  EXPECT_EQ(map->Find("a")->as_int(), 1);
  EXPECT_EQ(map->Find("b")->as_int(), 7);
  EXPECT_EQ(map->Find(Value::Int(1)), nullptr);
  EXPECT_FALSE(map->Contains(Value::String("b")));
  EXPECT_EQ(map->size(), 1u);
}

TEST(MapValueTest, KeysComparedByWhatTheyHoldAreNeverTheSame) {
  const Value list = Value::List({});
  EXPECT_FALSE(SameKey(list, list));
  EXPECT_TRUE(SameKey(Value::Double(0.0), Value::Double(-0.0)));
  EXPECT_EQ(HashKey(Value::Double(0.0)), HashKey(Value::Double(-0.0)));
  EXPECT_FALSE(SameKey(Value::Int(1), Value::Uint(1)));
}

}  // namespace
}  // namespace plimsoll::cel
