#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/cluster_for_test.h"

namespace plimsoll::agent {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kWaiting = "status.containerStatuses.0.state.waiting.reason";
constexpr std::string_view kRunning = "status.containerStatuses.0.state.running";
constexpr std::string_view kRefused =
    "Pod/web FailedMount: MountVolume.NodeAffinity check failed for volume \"disk\" : no matching "
    "NodeSelectorTerms";

class NodeAgentVolumesTest : public testing::Test {
 protected:
  NodeAgentVolumesTest() { Begin(ClusterForTest::Options()); }

  void Begin(NodeAgentOptions options) {
    cluster_.Start(std::move(options));
    cluster_.TakeEvents();
  }
  void Label(std::string_view version) {
    cluster_.Patch("Node/node-0",
                   R"({"metadata":{"labels":{"kernel":")" + std::string(version) + R"("}}})");
  }
  void PutVolume(const std::string& requirement) {
    cluster_.Put(
        "{apiVersion: v1, kind: PersistentVolume, metadata: {name: disk}, spec: {capacity:"
        " {storage: 1Gi}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [" +
        requirement + "]}]}}}}");
  }
  void PutClaim(const std::string& name, std::string_view phase = "Bound") {
    cluster_.Put("{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name +
                 ", namespace: default}, spec: {volumeName: disk}, status: {phase: " +
                 std::string(phase) + "}}");
  }
  void PutPod(const std::string& volume) {
    cluster_.Put(
        "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: default}, spec: {nodeName:"
        " node-0, restartPolicy: Always, containers: [{name: c, image: web}], volumes: [{name:"
        " data, " +
        volume + "}]}}");
  }
  std::string At(std::string_view path) { return cluster_.At("Pod/web", path); }

  ClusterForTest cluster_;
};

constexpr const char* kClaim = "persistentVolumeClaim: {claimName: data}";

TEST_F(NodeAgentVolumesTest, AVolumeThatExcludesTheNodeKeepsContainersFromStarting) {
  Label("5.10.0");
  PutVolume("{key: kernel, operator: SemverGt, values: [6.0.0]}");
  PutClaim("data");
  PutPod(kClaim);
  EXPECT_EQ(At(kWaiting), "ContainerCreating");
  EXPECT_EQ(At("status.phase"), "Pending");
  EXPECT_THAT(cluster_.TakeEvents(), Contains(std::string(kRefused)));
  cluster_.RunFor(minutes(10));
  EXPECT_EQ(At(kWaiting), "ContainerCreating");
  EXPECT_THAT(cluster_.TakeEvents(), IsEmpty());

  Label("6.1.0");
  EXPECT_NE(At(kRunning), "");
  EXPECT_EQ(At("status.phase"), "Running");
}

TEST_F(NodeAgentVolumesTest, AVolumeThatAllowsTheNodeIsMounted) {
  for (const std::string_view requirement :
       {"{key: kernel, operator: SemverGt, values: [5.0.0]}",
        "{key: kernel, operator: SemverEq, values: ['5.10']}", "{key: kernel, operator: Exists}"}) {
    Label("5.10.0");
    PutVolume(std::string(requirement));
    PutClaim("data");
    PutPod(kClaim);
    EXPECT_EQ(At("status.phase"), "Running") << requirement;
    cluster_.Remove("Pod/web");
  }
}

TEST_F(NodeAgentVolumesTest, AnOperatorWhoseGateIsOffMatchesNoNode) {
  NodeAgentOptions options = ClusterForTest::Options();
  options.rules.semver = false;
  Begin(std::move(options));
  Label("6.1.0");
  PutVolume("{key: kernel, operator: SemverGt, values: [6.0.0]}");
  PutClaim("data");
  PutPod(kClaim);
  EXPECT_EQ(At(kWaiting), "ContainerCreating");
}

TEST_F(NodeAgentVolumesTest, AnEphemeralVolumeIsCheckedToo) {
  Label("5.10.0");
  PutVolume("{key: kernel, operator: SemverGt, values: [6.0.0]}");
  PutClaim("web-data");
  PutPod("ephemeral: {volumeClaimTemplate: {spec: {}}}");
  EXPECT_THAT(cluster_.TakeEvents(), Contains(std::string(kRefused)));
}

TEST_F(NodeAgentVolumesTest, APodWaitsUntilItsClaimIsBound) {
  PutVolume("{key: kernel, operator: DoesNotExist}");
  PutClaim("data", "Pending");
  PutPod(kClaim);
  EXPECT_EQ(At(kWaiting), "ContainerCreating");
  cluster_.RunFor(milliseconds(500));
  EXPECT_THAT(cluster_.TakeEvents(), IsEmpty());
  cluster_.RunFor(seconds(5));
  EXPECT_THAT(
      cluster_.TakeEvents(),
      ElementsAre("Pod/web FailedMount: Unable to attach or mount volumes: error processing "
                  "PVC default/data: PVC is not bound"));
  PutClaim("data");
  cluster_.RunFor(minutes(3));
  EXPECT_EQ(At("status.phase"), "Running");
}

TEST_F(NodeAgentVolumesTest, APodThatRanGoesOnAfterARestartOfTheAgent) {
  Label("6.1.0");
  PutVolume("{key: kernel, operator: SemverGt, values: [6.0.0]}");
  PutClaim("data");
  PutPod(kClaim);
  EXPECT_EQ(At("status.phase"), "Running");
  Label("5.10.0");
  EXPECT_EQ(At("status.phase"), "Running");
  Begin(ClusterForTest::Options());
  cluster_.RunFor(minutes(1));
  EXPECT_EQ(At("status.phase"), "Running");
  EXPECT_THAT(cluster_.TakeEvents(), IsEmpty());
}

TEST_F(NodeAgentVolumesTest, APodThatWaitsCanBeDeleted) {
  Label("5.10.0");
  PutVolume("{key: kernel, operator: SemverGt, values: [6.0.0]}");
  PutClaim("data");
  PutPod(kClaim);
  cluster_.Delete("Pod/web", 30);
  cluster_.RunFor(minutes(1));
  EXPECT_EQ(cluster_.Find("Pod/web"), nullptr);
}

}  // namespace
}  // namespace plimsoll::agent
