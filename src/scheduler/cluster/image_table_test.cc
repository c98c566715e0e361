#include "scheduler/cluster/image_table.h"

#include <gtest/gtest.h>

namespace plimsoll::scheduler {
namespace {

api::NodeImage Image(std::vector<std::string_view> names, std::int64_t size) {
  return {.names = std::move(names), .size_bytes = size};
}

TEST(ImageTableTest, CountsTheNodesOfAnImage) {
  ImageTable table;
  EXPECT_TRUE(table.Set(0, {Image({"a:1", "mirror/a:1"}, 10), Image({"b:1"}, 20)}));
  EXPECT_TRUE(table.Set(1, {Image({"b:1", "b:1"}, 20)}));
  EXPECT_FALSE(table.Set(2, {}));
  ASSERT_NE(table.Find("b:1"), nullptr);
  EXPECT_EQ(table.Find("b:1")->nodes, 2U);
  EXPECT_EQ(table.Find("mirror/a:1")->size_bytes, 10);
  EXPECT_TRUE(table.Has(0, "a:1"));
  EXPECT_FALSE(table.Has(1, "a:1"));
  EXPECT_FALSE(table.Has(7, "a:1"));

  table.Clear(0);
  EXPECT_EQ(table.Find("a:1"), nullptr);
  EXPECT_EQ(table.Find("b:1")->nodes, 1U);
  table.Clear(1);
  EXPECT_EQ(table.Find("b:1"), nullptr);
}

TEST(ImageTableTest, ItsVersionTellsOfChangesOnly) {
  ImageTable table;
  table.Set(0, {Image({"a:1"}, 10)});
  const std::uint64_t before = table.version();
  EXPECT_FALSE(table.Set(0, {Image({"a:1"}, 10)}));
  EXPECT_EQ(table.version(), before);
  EXPECT_FALSE(table.Set(0, {Image({"a:1"}, 11)})) << "the same names";
  EXPECT_NE(table.version(), before) << "but another size";
  EXPECT_TRUE(table.Set(0, {Image({"b:1"}, 10)}));
  EXPECT_EQ(table.Find("a:1"), nullptr);
}

}  // namespace
}  // namespace plimsoll::scheduler
