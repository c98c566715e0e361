#include "agent/devices/device_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/cluster_for_test.h"
#include "api/decode/decode_json_for_test.h"

namespace plimsoll::agent {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

const std::string kSlice = "ResourceSlice/node-0-gpu.example.com-0";
const std::string kTaints = "ResourceSlice/node-0-gpu.example.com-1";

HostedSlice Devices(const std::string& devices) {
  return {.driver = "gpu.example.com",
          .pool = "node-0",
          .spec = R"({"nodeName":"node-0","devices":[)" + devices + "]}"};
}
HostedSlice Taints() {
  return {.driver = "gpu.example.com",
          .pool = "node-0",
          .spec = R"({"nodeName":"node-0","taints":[]})",
          .is_of_taints = true};
}

class DeviceDriverTest : public testing::Test {
 protected:
  void Begin(std::vector<HostedSlice> slices) {
    NodeAgentOptions options = ClusterForTest::Options(1);
    options.nodes[0].slices = std::move(slices);
    cluster_.Start(std::move(options));
  }
  /// Returns the slices and claims that were applied.
  std::vector<std::string> TakeApplied() {
    std::vector<std::string> applied;
    for (std::string& write : cluster_.TakeWrites()) {
      if (write.starts_with("apply ")) applied.push_back(write.substr(6));
    }
    return applied;
  }
  std::string Pool(const std::string& slice) { return cluster_.At(slice, "spec.pool"); }
  void Annotate(const std::string& value) {
    cluster_.Patch(
        "Node/node-0",
        R"({"metadata":{"annotations":{"plimsoll.io/device-taints.gpu-0":)" + value + "}}}");
  }
  void PutPod(const std::string& claim) {
    cluster_.Put(
        "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, uid: u-p}, spec: "
        "{nodeName: node-0, restartPolicy: Always, resourceClaims: [{name: gpu, " +
        claim + "}], containers: [{name: c, image: 'web:1'}]}}");
  }
  void PutClaim(const std::string& status, const std::string& metadata = "") {
    cluster_.Put(
        "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: "
        "default, uid: u-c" +
        metadata + "}, spec: {}, status: {" + status + "}}");
  }
  std::string Phase() { return cluster_.At("Pod/p", "status.phase"); }

  ClusterForTest cluster_;
};

constexpr const char* kAllocated =
    "allocation: {devices: {results: [{request: r, driver: gpu.example.com, pool: node-0, device: "
    "gpu-0}]}}";
constexpr const char* kReserved = ", reservedFor: [{resource: pods, name: p, uid: u-p}]";

TEST_F(DeviceDriverTest, PublishesASlice) {
  Begin({Devices(R"({"name":"gpu-0"})")});
  EXPECT_EQ(Pool(kSlice), R"({"name":"node-0","generation":1,"resourceSliceCount":1})");
  EXPECT_EQ(cluster_.At(kSlice, "spec.devices.0.name"), "gpu-0");
  EXPECT_EQ(cluster_.At(kSlice, "metadata.ownerReferences.0.uid"),
            cluster_.At("Node/node-0", "metadata.uid"));
  EXPECT_THAT(TakeApplied(), ElementsAre(kSlice));
  // Another agent finds the published slice, and writes nothing.
  Begin({Devices(R"({"name":"gpu-0"})")});
  EXPECT_THAT(TakeApplied(), IsEmpty());
  // With another template the pool changes.
  Begin({Devices(R"({"name":"gpu-0"})"), Taints()});
  EXPECT_THAT(TakeApplied(), ElementsAre(kSlice, kTaints));
  for (const std::string& slice : {kSlice, kTaints}) {
    EXPECT_EQ(Pool(slice), R"({"name":"node-0","generation":2,"resourceSliceCount":2})");
  }
}

TEST_F(DeviceDriverTest, AnAnnotationTaintsADevice) {
  Begin({Devices(
      R"({"name":"gpu-0","taints":[{"key":"budget","value":"8","effect":"NoSchedule"}]})")});
  Annotate(R"("budget=0:NoExecute")");
  EXPECT_EQ(cluster_.At(kSlice, "spec.devices.0.taints.0.value"), "0");
  EXPECT_EQ(cluster_.At(kSlice, "spec.devices.0.taints.0.effect"), "NoExecute");
  EXPECT_EQ(cluster_.At(kSlice, "spec.devices.0.taints.0.timeAdded"), FormatTime(cluster_.now()));
  EXPECT_EQ(Pool(kSlice), R"({"name":"node-0","generation":1,"resourceSliceCount":1})");
  Annotate("null");
  EXPECT_EQ(cluster_.At(kSlice, "spec.devices.0.taints.0.value"), "8");
}

TEST_F(DeviceDriverTest, InItsOwnSliceWhereThereIsOne) {
  Begin({Devices(R"({"name":"gpu-0"})"), Taints()});
  TakeApplied();
  Annotate(R"("budget=0:NoExecute")");
  EXPECT_THAT(TakeApplied(), ElementsAre(kTaints));
  EXPECT_EQ(cluster_.At(kTaints, "spec.taints.0.device"), "gpu-0");
  EXPECT_EQ(cluster_.At(kTaints, "spec.taints.0.taint.value"), "0");
  EXPECT_EQ(Pool(kTaints), R"({"name":"node-0","generation":1,"resourceSliceCount":2})");
}

TEST_F(DeviceDriverTest, ABadAnnotationIsToldOnce) {
  Begin({Devices(R"({"name":"gpu-0"})")});
  cluster_.TakeEvents();
  Annotate(R"("budget")");
  cluster_.Patch("Node/node-0", R"({"metadata":{"annotations":{"other":"x"}}})");
  EXPECT_THAT(cluster_.TakeEvents(),
              ElementsAre("Node/node-0 InvalidDeviceTaints: annotation "
                          "plimsoll.io/device-taints.gpu-0: want taints as key=value:Effect with "
                          "commas between them, or a JSON list, got \"budget\""));
}

TEST_F(DeviceDriverTest, ADeletedSliceIsMadeAgain) {
  Begin({Devices(R"({"name":"gpu-0"})")});
  cluster_.Remove(kSlice);
  EXPECT_EQ(cluster_.At(kSlice, "spec.devices.0.name"), "gpu-0");
}

TEST(DeviceDriverWriteTest, ASliceDeletedDuringItsOwnWriteIsPublishedAgain) {
  const HostedNode hosted{.name = "node-0",
                          .metadata = R"({"name":"node-0"})",
                          .spec = "{}",
                          .status = "{}",
                          .address = {},
                          .slices = {Devices(R"({"name":"gpu-0"})")}};
  ActionId next_action = 1;
  DeviceDriver driver(next_action);
  driver.AddNode(hosted);
  Actions actions;
  const Turn turn{Instant(std::chrono::hours(1)), actions};
  driver.ObserveNode(
      api::DecodeJson(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"node-0"}})"), turn);
  ASSERT_EQ(actions.size(), 1U);
  const auto first = std::get<PatchObject>(std::exchange(actions, {}).front());
  const ObjectPtr slice = api::DecodeJson(
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":)"
      R"("node-0-gpu.example.com-0"},"spec":{"driver":"gpu.example.com","pool":{"name":"node-0",)"
      R"("generation":1,"resourceSliceCount":1},"nodeName":"node-0"}})");
  driver.Observe(ObjectChanged{nullptr, slice}, turn);
  driver.Observe(ObjectChanged{slice, nullptr}, turn);
  EXPECT_TRUE(actions.empty()) << "one write is in flight at most";
  driver.Finish({first.id, {}, nullptr}, turn);
  ASSERT_EQ(actions.size(), 1U);
  EXPECT_EQ(std::get<PatchObject>(actions.front()).object.name(), "node-0-gpu.example.com-0");
}

TEST_F(DeviceDriverTest, ARefusedSliceIsToldAndTriedAgain) {
  Begin({Devices(R"({"name":"gpu-0"})")});
  cluster_.TakeEvents();
  cluster_.FailNext(1);
  Annotate(R"("budget=0:NoExecute")");
  EXPECT_THAT(cluster_.TakeEvents(),
              ElementsAre("Node/node-0 FailedResourceSlicePublish: Failed to publish ResourceSlice "
                          "node-0-gpu.example.com-0: refused"));
  cluster_.RunFor(seconds(1));
  EXPECT_EQ(cluster_.At(kSlice, "spec.devices.0.taints.0.value"), "0");
}

TEST_F(DeviceDriverTest, ASliceThatIsAlwaysRefusedIsTriedLessAndLessOften) {
  cluster_.FailAllAppliesOf(kTaints);
  Begin({Devices(R"({"name":"gpu-0"})"), Taints()});
  cluster_.RunFor(seconds(60));
  cluster_.TakeWrites();
  cluster_.RunFor(seconds(300));
  // Every 30 s, together with the other slice of its pool, whose success resets nothing.
  EXPECT_LE(TakeApplied().size(), 22u);
  EXPECT_EQ(cluster_.At(kSlice, "spec.pool.resourceSliceCount"), "2");
}

TEST_F(DeviceDriverTest, ARefusedSliceHoldsUpNoOtherPool) {
  HostedSlice other = Devices(R"({"name":"gpu-0"})");
  other.driver = "nic.example.com";
  cluster_.FailAllAppliesOf(kSlice);
  Begin({Devices(R"({"name":"gpu-0"})"), other});
  const std::string nic = "ResourceSlice/node-0-nic.example.com-1";
  ASSERT_NE(cluster_.Find(nic), nullptr);
  cluster_.RunFor(seconds(60));
  cluster_.TakeWrites();
  Annotate(R"("budget=0:NoExecute")");
  EXPECT_EQ(cluster_.At(nic, "spec.devices.0.taints.0.value"), "0");
}

TEST_F(DeviceDriverTest, TaintsThatTheServerDroppedAreTold) {
  cluster_.SetGates("DRADeviceTaints=false");
  Begin({Devices(R"({"name":"gpu-0"})"), Taints()});
  cluster_.TakeEvents();
  Annotate(R"("budget=0:NoExecute,hot:NoSchedule")");
  EXPECT_THAT(cluster_.TakeEvents(),
              ElementsAre("Node/node-0 DroppedResourceSliceFields: The API server dropped 2 of 2 "
                          "taints of ResourceSlice node-0-gpu.example.com-1: it does not know "
                          "the field, or its feature gate DRADeviceTaints is off"));
  Annotate(R"("")");
  EXPECT_THAT(cluster_.TakeEvents(), IsEmpty());
}

TEST_F(DeviceDriverTest, APodWaitsUntilItsClaimIsReservedForIt) {
  Begin({});
  cluster_.TakeEvents();
  PutPod("resourceClaimName: c");
  EXPECT_EQ(Phase(), "Pending");
  EXPECT_EQ(cluster_.Condition("Pod/p", "PodReadyToStartContainers"), "False");
  EXPECT_EQ(cluster_.At("Pod/p", "status.containerStatuses.0.state.waiting.reason"),
            "ContainerCreating");
  EXPECT_THAT(cluster_.TakeEvents(), IsEmpty());  // the watch event of the claim may be late
  cluster_.RunFor(seconds(5));
  EXPECT_THAT(cluster_.TakeEvents(),
              ElementsAre("Pod/p FailedPrepareDynamicResources: Failed to prepare dynamic "
                          "resources: prepare dynamic resources: fetch ResourceClaim c: "
                          "resourceclaims.resource.k8s.io \"c\" not found"));
  PutClaim(kAllocated);
  cluster_.RunFor(seconds(5));
  EXPECT_THAT(cluster_.TakeEvents(),
              ElementsAre("Pod/p FailedPrepareDynamicResources: Failed to prepare dynamic "
                          "resources: prepare dynamic resources: pod p (u-p) is not allowed to use "
                          "ResourceClaim c (u-c)"));
  EXPECT_EQ(Phase(), "Pending");
  PutClaim(std::string(kAllocated) + kReserved);
  EXPECT_EQ(Phase(), "Running");
  EXPECT_EQ(cluster_.Condition("Pod/p", "PodReadyToStartContainers"), "True");
}

TEST_F(DeviceDriverTest, AReservedClaimDelaysNothing) {
  Begin({});
  cluster_.TakeEvents();
  PutClaim(std::string(kAllocated) + kReserved);
  PutPod("resourceClaimName: c");
  EXPECT_EQ(Phase(), "Running");
}

TEST_F(DeviceDriverTest, AClaimFromATemplateMustBeThePodsOwn) {
  Begin({});
  PutPod("resourceClaimTemplateName: t");
  cluster_.RunFor(seconds(5));
  PutClaim(std::string(kAllocated) + kReserved);
  cluster_.Patch(
      "Pod/p", R"({"status":{"resourceClaimStatuses":[{"name":"gpu","resourceClaimName":"c"}]}})");
  cluster_.RunFor(seconds(5));
  const auto events = cluster_.TakeEvents();
  ASSERT_GE(events.size(), 2u);
  EXPECT_TRUE(events[events.size() - 2].ends_with(
      "prepare resource claim: pod \"default/p\": ResourceClaim not created yet"));
  EXPECT_TRUE(events.back().ends_with(
      "ResourceClaim default/c was not created for pod default/p (pod is not owner)"));
  PutClaim(std::string(kAllocated) + kReserved,
           ", ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: u-p, controller: true}]");
  EXPECT_EQ(Phase(), "Running");
}

TEST_F(DeviceDriverTest, AWaitingPodCanBeDeleted) {
  Begin({});
  PutPod("resourceClaimName: c");
  cluster_.Delete("Pod/p", 30);
  EXPECT_EQ(cluster_.Find("Pod/p"), nullptr);
  PutClaim(std::string(kAllocated) + kReserved);  // no pod waits for it
}

TEST_F(DeviceDriverTest, AnAgentThatComesLaterKeepsThePodWaiting) {
  Begin({});
  PutPod("resourceClaimName: c");
  Begin({});
  EXPECT_EQ(Phase(), "Pending");
  PutClaim(std::string(kAllocated) + kReserved);
  EXPECT_EQ(Phase(), "Running");
  // A running pod keeps running, whatever happens to the claim.
  PutClaim("");
  Begin({});
  EXPECT_EQ(Phase(), "Running");
}

constexpr const char* kToBind =
    "allocation: {devices: {results: [{request: r, driver: gpu.example.com, pool: node-0, device: "
    "gpu-0, bindingConditions: [attached], bindingFailureConditions: [broken]}]}}";

TEST_F(DeviceDriverTest, BindingConditionsComeTrueAfterTheDelay) {
  HostedSlice slice = Devices(R"({"name":"gpu-0"})");
  slice.binding_delay = seconds(2);
  Begin({slice});
  TakeApplied();
  PutClaim(kToBind);
  cluster_.RunFor(seconds(1));
  EXPECT_THAT(TakeApplied(), IsEmpty());
  cluster_.FailNext(1);
  cluster_.RunFor(seconds(3));
  EXPECT_EQ(cluster_.At("ResourceClaim/c", "status.devices.0.conditions.0.type"), "attached");
  TakeApplied();
  cluster_.RunFor(seconds(60));
  EXPECT_THAT(TakeApplied(), IsEmpty());
}

TEST_F(DeviceDriverTest, OrTheFailureConditionsDo) {
  HostedSlice slice = Devices(R"({"name":"gpu-0"})");
  slice.binding_fails = true;
  Begin({slice});
  PutClaim(kToBind);
  cluster_.RunFor(seconds(1));
  EXPECT_EQ(cluster_.At("ResourceClaim/c", "status.devices.0.conditions.0.type"), "broken");
}

}  // namespace
}  // namespace plimsoll::agent
