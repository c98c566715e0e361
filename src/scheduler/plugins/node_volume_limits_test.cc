#include <gtest/gtest.h>

#include "scheduler/volume/attached_volume.h"
#include "scheduler/volume/bench_for_test.h"

namespace plimsoll::scheduler {
namespace {

using Answers = std::map<std::string, std::string>;

const std::string kFull = "Unschedulable: node(s) exceed max volume count";

ObjectPtr CsiNodeOf(std::string_view name, std::string_view drivers,
                    std::string_view metadata = {}) {
  return Named("CSINode", "", name, "spec: {drivers: " + std::string(drivers) + "}", metadata,
               kStorage);
}

class NodeVolumeLimitsTest : public testing::Test {
 protected:
  NodeVolumeLimitsTest() : bench_("NodeVolumeLimits") {
    bench_.Put(ANode("limited"));
    bench_.Put(ANode("free"));
    bench_.Put(CsiNodeOf("limited", "[{name: ebs, nodeID: x, allocatable: {count: 2}}]"));
    for (const std::string_view name : {"1", "2", "3"}) AddBound(name, "ebs");
  }
  /// Adds a claim cN that is bound to a volume vN of a driver.
  void AddBound(std::string_view number, std::string_view driver) {
    const std::string volume = "v" + std::string(number);
    bench_.Put(BoundClaimTo("c" + std::string(number), volume));
    bench_.Put(AVolume(
        volume, "1Gi",
        "csi: {driver: " + std::string(driver) + ", volumeHandle: h" + std::string(number) + "}"));
  }
  Answers Limited(std::string answer) { return {{"free", "Success"}, {"limited", answer}}; }

  PluginBench bench_;
};

TEST_F(NodeVolumeLimitsTest, APodWithoutClaimsIsSkipped) {
  EXPECT_EQ(bench_.Ask(PodFromYaml("p", "{volumes: [{name: v, emptyDir: {}}]}")),
            (Answers{{"", "Skip"}}));
}

TEST_F(NodeVolumeLimitsTest, CountsTheVolumesOfTheNodesPods) {
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c1", "c2"})), Limited("Success"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c1", "c2", "c3"})), Limited(kFull));
  bench_.Put(PodWithClaims("q", {"c1"}, "limited"));
  bench_.Put(PodWithClaims("r", {"c1"}, "limited"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c2"})), Limited("Success"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c2", "c3"})), Limited(kFull));
  // A volume that is already attached counts only once.
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c1", "c2"})), Limited("Success"));
}

TEST_F(NodeVolumeLimitsTest, DriversAreCountedApart) {
  AddBound("4", "other");
  bench_.Put(PodWithClaims("q", {"c1", "c2"}, "limited"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c4"})), Limited("Success"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c3"})), Limited(kFull));
}

TEST_F(NodeVolumeLimitsTest, AVolumeYetToBeMadeCounts) {
  bench_.Put(AClass("fast", "ebs"));
  bench_.Put(WaitingClaim("new", "1Gi"));
  bench_.Put(PodWithClaims("q", {"c1", "c2"}, "limited"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"new"})), Limited(kFull));
  bench_.Put(AClass("fast", "another"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"new"})), Limited("Success"));
}

TEST_F(NodeVolumeLimitsTest, WhatIsAttachedWithoutAPodCounts) {
  const auto attach = [&](std::string_view volume) {
    bench_.Put(Named("VolumeAttachment", "", "va-" + std::string(volume),
                     "spec: {attacher: ebs, nodeName: limited, source: {persistentVolumeName: " +
                         std::string(volume) + "}}",
                     {}, kStorage));
  };
  attach("v1");
  attach("v2");
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c3"})), Limited(kFull));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c1"})), Limited("Success"));
  bench_.Put(PodWithClaims("q", {"c1", "c2"}, "limited"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c2"})), Limited("Success"));
}

TEST_F(NodeVolumeLimitsTest, ADriverMayInsistOnBeingThere) {
  bench_.Put(
      Named("CSIDriver", "", "ebs", "spec: {preventPodSchedulingIfMissing: true}", {}, kStorage));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c1"})),
            (Answers{{"free", "Unschedulable: ebs CSI driver is not installed on the node"},
                     {"limited", "Success"}}));
}

TEST_F(NodeVolumeLimitsTest, DisksOfOldCountOnceTheirDriverTookThemOver) {
  const ObjectPtr pod =
      PodFromYaml("p", "{volumes: [{name: v, awsElasticBlockStore: {volumeID: old}}]}");
  const std::string_view drivers = "[{name: ebs.csi.aws.com, nodeID: x, allocatable: {count: 0}}]";
  bench_.Put(CsiNodeOf("limited", drivers));
  EXPECT_EQ(bench_.Ask(pod), Limited("Success"));
  bench_.Put(CsiNodeOf("limited", drivers,
                       "annotations: {storage.alpha.kubernetes.io/migrated-plugins: "
                       "'kubernetes.io/cinder,kubernetes.io/aws-ebs'}"));
  EXPECT_EQ(bench_.Ask(pod), Limited(kFull));
  bench_.Put(BoundClaimTo("c9", "v9"));
  bench_.Put(AVolume("v9", "1Gi", "awsElasticBlockStore: {volumeID: old}"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c9"})), Limited(kFull));
}

TEST_F(NodeVolumeLimitsTest, AVolumeIsKnownByDriverAndHandle) {
  bench_.Put(AClass("fast", "ebs"));
  bench_.Put(WaitingClaim("new", "1Gi"));
  const ObjectPtr pod = PodWithClaims("p", {"c1", "c1", "new"});
  AttachedVolumes volumes;
  ASSERT_TRUE(AddAttachedVolumes(bench_.cluster(), *pod->As<api::Pod>(), nullptr, true, volumes));
  EXPECT_EQ(volumes, (AttachedVolumes{{"ebs/h1", "ebs"}, {"ebs/unbound default/new", "ebs"}}));
}

TEST_F(NodeVolumeLimitsTest, AMissingClaimIsNamed) {
  const std::string missing =
      "UnschedulableAndUnresolvable: looking up PVC default/none: persistentvolumeclaim \"none\" "
      "not found";
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"none"})),
            (Answers{{"free", missing}, {"limited", missing}}));
}

TEST_F(NodeVolumeLimitsTest, OnlyWhatMayHelpWakesAPod) {
  const PodId id = bench_.cluster().UpsertPod(PodWithClaims("p", {"c1"}));
  const auto hint = [&](EventResource resource, const ObjectPtr& before, const ObjectPtr& now) {
    const ClusterEvent event{resource, kUpdate, "", before, now};
    return bench_.plugin_as<EnqueueExtensions>().HintFor(bench_.cluster().pod(id), event);
  };
  const auto node = [](std::string_view count) {
    return CsiNodeOf("n",
                     "[{name: ebs, nodeID: x, allocatable: {count: " + std::string(count) + "}}]");
  };
  EXPECT_EQ(hint(EventResource::CSINode, nullptr, node("1")), Hint::Queue);
  EXPECT_EQ(hint(EventResource::CSINode, node("1"), node("2")), Hint::Queue);
  EXPECT_EQ(hint(EventResource::CSINode, node("2"), node("1")), Hint::Skip);
  EXPECT_EQ(hint(EventResource::AssignedPod, PodWithClaims("q", {"c2"}, "n"), nullptr),
            Hint::Queue);
  EXPECT_EQ(hint(EventResource::AssignedPod, PodFromYaml("q", "{nodeName: n1}"), nullptr),
            Hint::Skip);
  EXPECT_EQ(hint(EventResource::PersistentVolumeClaim, nullptr, AClaim("c1", "{}")), Hint::Queue);
  EXPECT_EQ(hint(EventResource::PersistentVolumeClaim, nullptr, AClaim("c2", "{}")), Hint::Skip);
}

}  // namespace
}  // namespace plimsoll::scheduler
