#include "scheduler/framework/plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/plugin_for_test.h"
#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

TEST(PluginTest, TheFormsForSetsAskAboutEachNodeOfTheSet) {
  ClusterState cluster{match::Rules{}};
  for (const char* name : {"a", "b", "c", "d"}) {
    cluster.UpsertNode(*NodeFromYaml(name)->As<api::Node>());
  }
  FakePlugin plugin(cluster, "P");
  plugin.judge = [](const NodeView& node) {
    return node.slot == 1 ? Verdict::Of(Code::Unschedulable, "no") : Verdict();
  };
  plugin.score = [](const NodeView& node) { return static_cast<std::int64_t>(node.slot) * 10; };
  Bitmap nodes(4);
  for (const std::size_t i : {1UL, 2UL, 3UL}) nodes.Set(i);
  plugin.Filter(nullptr, nodes);
  EXPECT_EQ(nodes.Count(), 2U);
  EXPECT_FALSE(nodes.Test(1));
  std::vector<std::int64_t> scores(4, -1);
  plugin.Score(nullptr, nodes, scores);
  EXPECT_THAT(scores, testing::ElementsAre(-1, -1, 20, 30));
}

/// Would share the answer about one pod with all pods of its class.
class ReadsPod : public Plugin, public PreFilterPlugin, public NodeScopedPlugin {};
class ReadsClass : public Plugin, public ClassPreFilterPlugin, public NodeScopedPlugin {};
static_assert(!kReadsOnlyClass<ReadsPod>);
static_assert(kReadsOnlyClass<ReadsClass>);

TEST(PluginTest, PointsFollowFromTheBases) {
  ClusterState cluster{match::Rules{}};
  const FakePlugin plugin(cluster, "P");
  EXPECT_EQ(PointsOf(plugin), kPreEnqueue | kPreFilter | kFilter | kPreScore | kScore);
}

TEST(PluginTest, PointsHaveUpstreamsNames) {
  EXPECT_EQ(ToText(kPreEnqueue), "PreEnqueue");
  EXPECT_EQ(ToText(kFilter), "Filter");
  EXPECT_EQ(ToText(kPostBind), "PostBind");
}

}  // namespace
}  // namespace plimsoll::scheduler
