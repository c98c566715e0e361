#include "scheduler/framework/node_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;

class NodeOrderTest : public testing::Test {
 protected:
  void Put(std::string_view name, std::string_view labels) {
    cluster_.UpsertNode(
        *NodeFromYaml(name, "{}", "{}", "labels: {" + std::string(labels) + "}")->As<api::Node>());
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const NodeSlot slot : order_.Get()) names.emplace_back(cluster_.node_name(slot));
    return names;
  }

  ClusterState cluster_{match::Rules{}};
  NodeOrder order_{cluster_};
};

TEST_F(NodeOrderTest, TakesZonesInTurn) {
  Put("a1", "topology.kubernetes.io/zone: a");
  Put("a2", "topology.kubernetes.io/zone: a");
  Put("a3", "topology.kubernetes.io/zone: a");
  Put("b1", "failure-domain.beta.kubernetes.io/zone: b");
  Put("none", "");
  Put("b2", "topology.kubernetes.io/zone: b");
  EXPECT_THAT(Names(), ElementsAre("a1", "b1", "none", "a2", "b2", "a3"));
}

TEST_F(NodeOrderTest, ZonesOfDifferentRegionsAreDifferent) {
  Put("a", "topology.kubernetes.io/zone: '1', topology.kubernetes.io/region: r");
  Put("b", "topology.kubernetes.io/zone: '1', topology.kubernetes.io/region: r");
  Put("c", "topology.kubernetes.io/zone: '1', topology.kubernetes.io/region: s");
  EXPECT_THAT(Names(), ElementsAre("a", "c", "b"));
}

TEST_F(NodeOrderTest, FollowsTheCluster) {
  EXPECT_THAT(Names(), ElementsAre());
  Put("a", "topology.kubernetes.io/zone: r");
  Put("b", "topology.kubernetes.io/zone: r");
  Put("c", "topology.kubernetes.io/zone: s");
  EXPECT_THAT(Names(), ElementsAre("a", "c", "b"));
  Put("c", "topology.kubernetes.io/zone: r");
  EXPECT_THAT(Names(), ElementsAre("a", "b", "c"));
  cluster_.RemoveNode("b");
  EXPECT_THAT(Names(), ElementsAre("a", "c"));
}

}  // namespace
}  // namespace plimsoll::scheduler
