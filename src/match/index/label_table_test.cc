#include "match/index/label_table.h"

#include <gtest/gtest.h>

namespace plimsoll::match {
namespace {

TEST(LabelTableTest, ReplacesAllLabelsOfANode) {
  LabelTable table;
  const auto zone = table.CompileEqual("zone", "a");
  const auto gpu = table.Compile({"gpu", "Exists", {}});
  EXPECT_TRUE(table.Set(0, {{"gpu", "1"}, {"zone", "a"}}, 1));
  EXPECT_FALSE(table.Set(0, {{"gpu", "1"}, {"zone", "a"}}, 1));
  EXPECT_TRUE(table.Holds(zone, 0));
  EXPECT_TRUE(table.Holds(gpu, 0));
  EXPECT_TRUE(table.Set(0, {{"zone", "b"}}, 1));
  EXPECT_FALSE(table.Holds(zone, 0));
  EXPECT_FALSE(table.Holds(gpu, 0));
  table.Clear(0, 1);
  EXPECT_TRUE(table.Set(0, {{"zone", "a"}}, 1));
  EXPECT_TRUE(table.Holds(zone, 0));
}

TEST(LabelTableTest, ARequirementMayComeBeforeItsLabel) {
  LabelTable table;
  const auto newer = table.Compile({"kernel", "SemverGt", {"5.10"}});
  const auto listed = table.Compile({"zone", "NotIn", {"a", "b"}});
  table.Set(0, {{"kernel", "5.9"}, {"zone", "b"}}, 2);
  table.Set(1, {{"kernel", "5.11"}, {"zone", "c"}}, 2);
  EXPECT_FALSE(table.Holds(newer, 0));
  EXPECT_TRUE(table.Holds(newer, 1));
  EXPECT_FALSE(table.Holds(listed, 0));
  EXPECT_TRUE(table.Holds(listed, 1));
  for (const auto* requirement : {&newer, &listed}) {
    Bitmap nodes(2);
    nodes.Fill(true);
    table.Retain(*requirement, nodes);
    EXPECT_FALSE(nodes.Test(0));
    EXPECT_TRUE(nodes.Test(1));
  }
}

}  // namespace
}  // namespace plimsoll::match
