#include "cli/explain/pod_groups.h"

#include <gtest/gtest.h>

#include "cli/explain/explain.h"
#include "cli/explain/replica_placer.h"
#include "dra/device_cluster_for_test.h"

namespace plimsoll::cli {
namespace {

using dra::DecodeYaml;

ObjectPtr Pod(const std::string& name, const std::string& spec, const std::string& phase = "") {
  return DecodeYaml("{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: " + name +
                    ", uid: u-" + name + "}, spec: {" + spec +
                    ", containers: [{name: c, image: i, resources: {requests: {cpu: 3}}}]}" +
                    (phase.empty() ? "" : ", status: {phase: " + phase + "}") + "}");
}

ObjectPtr Node(const std::string& name) {
  return DecodeYaml("{apiVersion: v1, kind: Node, metadata: {name: " + name +
                    "}, status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}}");
}

scheduler::SchedulerOptions Options() {
  auto options = SchedulerOptionsOf({});
  EXPECT_TRUE(options.has_value());
  return *std::move(options);
}

constexpr const char* kLow = "tolerations: [{key: risk, operator: Lt, value: '5'}]";
constexpr const char* kHigh = "tolerations: [{key: risk, operator: Lt, value: '20'}]";

TEST(PodGroupsTest, EqualPodsAreOneGroup) {
  const std::vector<ObjectPtr> pods = {
      Pod("b", kLow),
      Pod("a", kLow),
      Pod("c", kHigh),
      Pod("ended", kLow, "Succeeded"),
      Pod("v", std::string(kLow) + ", volumes: [{name: d, persistentVolumeClaim: {claimName: x}}]"),
      Pod("w", std::string(kLow) + ", volumes: [{name: d, persistentVolumeClaim: {claimName: x}}]"),
  };
  ClusterSnapshot cluster(Options(), pods, Instant());
  const std::vector<PodGroup> groups = GroupPods(cluster, pods);
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(FullNames(groups[0].pods), (std::vector<std::string>{"shop/a", "shop/b"}));
  EXPECT_EQ(FullNames(groups[1].pods), std::vector<std::string>{"shop/c"});
  EXPECT_EQ(FullNames(groups[2].pods), std::vector<std::string>{"shop/v"});
}

TEST(PodGroupsTest, TheSmallestMarginComesFirst) {
  const std::vector<ObjectPtr> pods = {
      Pod("any", "tolerations: [{operator: Exists}]"),
      Pod("high", kHigh),
      Pod("low", kLow),
      Pod("lowest", "tolerations: [{key: risk, operator: Lt, value: '3'}]"),
  };
  ClusterSnapshot cluster(Options(), pods, Instant());
  const TaintTolerances found =
      FindTolerances({.key = "risk", .value = "3", .effect = "NoSchedule"},
                     GroupPods(cluster, pods), match::Rules());
  ASSERT_EQ(found.groups.size(), 3U);
  EXPECT_EQ(found.groups[0].toleration, "risk Lt 5");
  EXPECT_EQ(found.groups[0].margin, "2");
  EXPECT_EQ(found.groups[1].margin, "17");
  EXPECT_EQ(found.groups[2].toleration, "any key Exists");
  EXPECT_EQ(found.tolerating, 3U);
  EXPECT_EQ(found.refusing, 1U);
}

TEST(ClusterSnapshotTest, ARestoredPodCountsWhereItWas) {
  const ObjectPtr pod = Pod("web", "nodeName: n1");
  ClusterSnapshot cluster(Options(), {Node("n1"), pod}, Instant());
  const auto requested = [&] {
    return cluster.cluster().row(*cluster.cluster().FindNode("n1")).requested.milli_cpu;
  };
  EXPECT_EQ(requested(), 3000);
  ASSERT_TRUE(cluster.AddPendingPod(*pod).has_value());
  EXPECT_EQ(requested(), 0);
  cluster.RestorePod();
  EXPECT_EQ(requested(), 3000);
  ASSERT_TRUE(cluster.AddPendingPod(*pod).has_value());
  cluster.RestorePod();
  EXPECT_EQ(requested(), 3000);
}

TEST(ReplicaPlacerTest, EachPodTakesItsRoom) {
  const std::vector<ObjectPtr> objects = {Node("n1"), Node("n2"), Pod("waits", kLow),
                                          Pod("bound", "nodeName: n1")};
  ReplicaPlacer placer(Options(), objects, Instant());
  std::string refusal;
  EXPECT_EQ(*placer.Place({objects[2], {}}, refusal), "n2");
  EXPECT_EQ(refusal, "");
  EXPECT_EQ(*placer.Place({Pod("next", kLow), {}}, refusal), "");
  EXPECT_EQ(refusal, "0/2 nodes are available: 2 Insufficient cpu.");
}

TEST(ReplicaPlacerTest, AGatedPodIsNotTried) {
  ReplicaPlacer placer(Options(), {Node("n1")}, Instant());
  std::string refusal;
  EXPECT_EQ(*placer.Place({Pod("gated", "schedulingGates: [{name: quota}]"), {}}, refusal), "");
  EXPECT_TRUE(refusal.contains("quota")) << refusal;
}

}  // namespace
}  // namespace plimsoll::cli
