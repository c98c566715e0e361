#include "scheduler/plugins/topology_column.h"

#include <gtest/gtest.h>

#include "scheduler/plugins/topology_for_test.h"

namespace plimsoll::scheduler {
namespace {

class TopologyColumnTest : public testing::Test {
 protected:
  TopologyCode CodeOf(std::string_view node) {
    column_->CatchUp();
    return column_->code(*topology_.cluster.FindNode(node));
  }

  TopologyCluster topology_;
  TopologyColumns columns_{topology_.cluster};
  std::shared_ptr<TopologyColumn> column_ = columns_.Get("zone");
};

TEST_F(TopologyColumnTest, EqualValuesHaveEqualCodes) {
  topology_.AddNode("a", "zone: x");
  topology_.AddNode("b", "zone: z");
  topology_.AddNode("c", "zone: x");
  topology_.AddNode("d");
  EXPECT_EQ(CodeOf("a"), CodeOf("c"));
  EXPECT_NE(CodeOf("a"), CodeOf("b"));
  EXPECT_EQ(CodeOf("d"), kUnlabelled);
  EXPECT_EQ(column_->labelled().Count(), 3U);
  EXPECT_GT(column_->code_limit(), CodeOf("b"));
}

TEST_F(TopologyColumnTest, FollowsLabelsAndNodes) {
  topology_.AddNode("a", "zone: x");
  topology_.AddNode("b", "zone: z");
  EXPECT_NE(CodeOf("a"), CodeOf("b"));
  topology_.AddNode("a", "zone: z");
  EXPECT_EQ(CodeOf("a"), CodeOf("b"));
  const NodeSlot slot = *topology_.cluster.FindNode("a");
  topology_.cluster.RemoveNode("a");
  column_->CatchUp();
  EXPECT_EQ(column_->code(slot), kUnlabelled);
  EXPECT_EQ(column_->labelled().Count(), 1U);
}

TEST_F(TopologyColumnTest, KnowsTheEmptyText) {
  topology_.AddNode("a", "zone: x");
  column_->CatchUp();
  EXPECT_EQ(column_->CodeOfEmptyText(), kUnlabelled);
  topology_.AddNode("b", "zone: ''");
  const TopologyCode code = CodeOf("b");
  EXPECT_EQ(column_->CodeOfEmptyText(), code);
  topology_.AddNode("b", "zone: x");
  column_->CatchUp();
  EXPECT_EQ(column_->CodeOfEmptyText(), kUnlabelled);
}

TEST_F(TopologyColumnTest, IsSharedWhileSomebodyHoldsIt) {
  EXPECT_EQ(columns_.Get("zone"), column_);
  EXPECT_NE(columns_.Get("rack"), column_);
  const std::weak_ptr<TopologyColumn> gone = columns_.Get("rack");
  EXPECT_TRUE(gone.expired());
}

}  // namespace
}  // namespace plimsoll::scheduler
