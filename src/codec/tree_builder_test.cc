#include "codec/tree_builder.h"

#include <gtest/gtest.h>

#include <string>

#include "codec/json.h"

namespace plimsoll::codec {
namespace {

TEST(TreeBuilderTest, BuildsFromTheInsideOut) {
  Document document;
  TreeBuilder builder(document);
  builder.Open(Value::Kind::Object, 1);
  builder.Key("a", 1);
  builder.Open(Value::Kind::Array, 2);
  EXPECT_EQ(builder.depth(), 2u);
  builder.Item();
  builder.Fill(Value::Int(1));
  builder.Fill(builder.Close());
  const Value root = builder.Close();
  EXPECT_EQ(WriteJson(root), R"({"a":[1]})");
  EXPECT_EQ(root.Find("a")->line(), 2u);
  EXPECT_EQ(builder.depth(), 0u);
}

TEST(TreeBuilderTest, GrowsBeyondItsFirstRoom) {
  Document document;
  TreeBuilder builder(document);
  constexpr int kDepth = 300;
  for (int level = 0; level < kDepth; ++level) {
    builder.Open(Value::Kind::Array, 1);
    builder.Item();
    builder.Fill(Value::Int(level));
    builder.Item();
  }
  builder.Fill(Value::Null());
  Value value = builder.Close();
  for (int level = 1; level < kDepth; ++level) {
    builder.Fill(value);
    value = builder.Close();
  }
  for (int level = 0; level < kDepth; ++level) {
    ASSERT_EQ(value.items().size(), 2u);
    ASSERT_EQ(value.items()[0].AsInt(), level);
    const Value inner = value.items()[1];
    value = inner;
  }
}

TEST(TreeBuilderTest, ADroppedEntryLeavesNoTrace) {
  Document document;
  TreeBuilder builder(document);
  builder.Open(Value::Kind::Object, 1);
  builder.Item();
  builder.Drop();
  EXPECT_EQ(WriteJson(builder.Close()), "{}");
}

TEST(TreeBuilderTest, MergedKeysRepeatNothing) {
  Document document;
  TreeBuilder builder(document);
  builder.Open(Value::Kind::Object, 1);
  const auto add = [&](std::uint32_t offset, std::int64_t value) {
    builder.Key("a", offset);
    builder.Fill(Value::Int(value));
  };
  add(TreeBuilder::kMerged, 1);
  add(10, 2);
  add(TreeBuilder::kMerged, 3);
  const Value root = builder.Close();
  builder.Finish();
  EXPECT_EQ(WriteJson(root), R"({"a":3})");
  EXPECT_TRUE(document.duplicates().empty());
}

TEST(TreeBuilderTest, RecordsOnlySoManyRepeatedKeys) {
  Document document;
  TreeBuilder builder(document);
  builder.Open(Value::Kind::Object, 1);
  for (std::uint32_t i = 0; i < kDuplicatesMax + 2; ++i) {
    for (const std::uint32_t line : {2 * i + 1, 2 * i + 2}) {
      builder.Key(document.CopyText("key" + std::to_string(i)), line);
      builder.Fill(Value::Int(i));
    }
  }
  const Value root = builder.Close();
  builder.Finish();
  EXPECT_EQ(root.members().size(), kDuplicatesMax + 2);
  EXPECT_EQ(document.duplicates().size(), kDuplicatesMax);
}

/// Different keys with the same digest must be distinguished, both below and above the size from
/// which objects are sorted.
TEST(TreeBuilderTest, KeysOfOneDigestAreDifferent) {
  for (const int keys : {2, 31, 32, 33, 34, 500}) {
    Document document;
    TreeBuilder builder(document);
    builder.Open(Value::Kind::Object, 1);
    for (int key = 0; key < keys; ++key) {
      builder.Key(document.CopyText("k" + std::to_string(100000 + key) + "k"), 1);
      builder.Fill(Value::Int(key));
    }
    const Value root = builder.Close();
    builder.Finish();
    ASSERT_EQ(root.members().size(), static_cast<std::size_t>(keys));
    EXPECT_EQ(root.members().back().value.AsInt(), keys - 1);
    EXPECT_TRUE(document.duplicates().empty());
  }
}

}  // namespace
}  // namespace plimsoll::codec
