#include "scheduler/dra/claims_state.h"

#include <gtest/gtest.h>

#include "scheduler/dra/devices_for_test.h"

namespace plimsoll::scheduler {
namespace {

/// n1 has devices, n2 provides the resource itself, n3 has neither.
class ClaimsStateTest : public testing::Test {
 protected:
  ClaimsStateTest() {
    AddNode("n1", "{}");
    AddNode("n2", "{e.c/gpu: 8}");
    AddNode("n3", "{}");
    Put(cluster_, ClassFromYaml("gpu", "{extendedResourceName: e.c/gpu}"));
    Put(cluster_, SliceFromYaml("n1", "[{name: a}, {name: b}]"));
    cluster_.devices().FollowNodes(cluster_);
  }

  void AddNode(std::string_view name, std::string_view allocatable) {
    const ObjectPtr node = NodeFromYaml(name, "{allocatable: " + std::string(allocatable) + "}");
    cluster_.UpsertNode(*node->As<api::Node>());
  }
  void Want(int count) {
    pod_ = PodFromYaml("p", "{containers: [{name: a, resources: {requests: {e.c/gpu: " +
                                std::to_string(count) + "}}}]}");
    state_.pod = &pod_->metadata();
    state_.extended = FindExtendedRequests(cluster_, *pod_->As<api::Pod>());
  }
  const dra::ClaimSet& SetAt(std::string_view node) {
    return state_.SetFor(cluster_.devices().allocator(),
                         cluster_.row(*cluster_.FindNode(node)).allocatable);
  }
  std::string Kept() {
    Bitmap nodes = cluster_.nodes();
    state_.FilterNodes(cluster_, nodes);
    std::string names;
    nodes.ForEach([&](std::size_t i) {
      names.append(cluster_.node_name(static_cast<NodeSlot>(i))).append(" ");
    });
    return names;
  }

  ClusterState cluster_{match::Rules{}};
  ObjectPtr pod_;
  ClaimsState state_;
};

TEST_F(ClaimsStateTest, ResourcesBecomeDevicesWhereANodeDoesNotHaveThem) {
  Want(2);
  EXPECT_EQ(SetAt("n1").claims().size(), 1U);
  EXPECT_EQ(&SetAt("n1"), &SetAt("n3"));
  EXPECT_TRUE(SetAt("n2").empty());
  EXPECT_EQ(state_.ExtendedOn(cluster_.row(*cluster_.FindNode("n1")).allocatable).size(), 1U);
  EXPECT_TRUE(state_.ExtendedOn(cluster_.row(*cluster_.FindNode("n2")).allocatable).empty());
  EXPECT_EQ(Kept(), "n1 n2 ");
}

TEST_F(ClaimsStateTest, ThereMustBeDevicesEnough) {
  Want(3);
  EXPECT_EQ(Kept(), "n2 ");
}

TEST_F(ClaimsStateTest, ClaimsAndResourcesAreWantedTogether) {
  Want(1);
  state_.wanted = {ClaimFromYaml("c")};
  EXPECT_EQ(SetAt("n1").claims().size(), 2U);
  EXPECT_EQ(SetAt("n2").claims().size(), 1U);
  EXPECT_EQ(Kept(), "n1 ");
}

TEST_F(ClaimsStateTest, WithoutResourcesAllNodesAreAlike) {
  state_.wanted = {ClaimFromYaml("c")};
  EXPECT_EQ(&SetAt("n1"), &SetAt("n2"));
  EXPECT_EQ(Kept(), "n1 ");
  EXPECT_FALSE(state_.fault);
}

TEST_F(ClaimsStateTest, TellsOfNodesThatNobodyCanTellAbout) {
  state_.wanted = {
      ClaimFromYaml("c", {}, "selectors: [{cel: {expression: \"device.attributes['d'].x\"}}]")};
  EXPECT_EQ(Kept(), "");
  EXPECT_EQ(state_.fault, cluster_.FindNode("n1"));
}

}  // namespace
}  // namespace plimsoll::scheduler
