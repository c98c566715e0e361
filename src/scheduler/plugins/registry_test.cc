#include "scheduler/plugins/registry.h"

#include <gtest/gtest.h>

#include "scheduler/default_profile_for_test.h"
#include "scheduler/framework/plugin_for_test.h"
#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

TEST(RegistryTest, MakesEachPluginByItsName) {
  ClusterState cluster{match::Rules{}};
  for (const DefaultPlugin& one : DefaultPlugins()) {
    const std::unique_ptr<Plugin> plugin = MakePlugin(one.name, cluster, {});
    ASSERT_NE(plugin, nullptr) << one.name;
    EXPECT_EQ(plugin->name(), one.name);
    EXPECT_EQ((PointsOf(*plugin) & kScore) != 0, one.weight != 0) << one.name;
  }
  EXPECT_EQ(MakePlugin("Telepathy", cluster, {}), nullptr);
}

TEST(RegistryTest, TheDefaultProfileHasThemAllInOrder) {
  ClusterState cluster{match::Rules{}};
  const std::vector<DefaultPlugin> defaults = DefaultPlugins();
  const std::vector<EnabledPlugin> profile = MakeDefaultProfile(cluster, {});
  ASSERT_EQ(profile.size(), defaults.size());
  for (std::size_t i = 0; i < profile.size(); ++i) {
    EXPECT_EQ(profile[i].plugin->name(), defaults[i].name);
    EXPECT_EQ(profile[i].weight, defaults[i].weight);
    EXPECT_EQ(profile[i].points, PointsOf(*profile[i].plugin));
  }
}

TEST(SchedulingGatesTest, ListsTheGatesThatAPodWaitsFor) {
  ClusterState cluster{match::Rules{}};
  const std::unique_ptr<Plugin> gates = MakePlugin("SchedulingGates", cluster, {});
  const ObjectPtr gated =
      PodFromYaml("p", "{containers: [], schedulingGates: [{name: a}, {name: b}]}");
  EXPECT_EQ(As<PreEnqueuePlugin>(*gates).PreEnqueue(*gated),
            Verdict::Of(Code::UnschedulableAndUnresolvable, "waiting for scheduling gates: [a b]"));
  EXPECT_TRUE(As<PreEnqueuePlugin>(*gates).PreEnqueue(*PodFromYaml("p", "{containers: []}")).ok());
}

TEST(StandInPluginsTest, SayWhereTheyStand) {
  ClusterState cluster{match::Rules{}};
  EXPECT_EQ(PointsOf(*MakePlugin("PrioritySort", cluster, {})), kQueueSort);
  EXPECT_EQ(PointsOf(*MakePlugin("DefaultBinder", cluster, {})), kBind);
}

}  // namespace
}  // namespace plimsoll::scheduler
