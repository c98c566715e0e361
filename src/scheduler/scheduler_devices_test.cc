// The whole scheduler with ResourceClaims: writes, bindings and deallocations.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/default_profile_for_test.h"
#include "scheduler/dra/devices_for_test.h"
#include "scheduler/scheduler_for_test.h"

namespace plimsoll::scheduler {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class SchedulerDevicesTest : public testing::Test, protected SchedulerHarness {
 protected:
  explicit SchedulerDevicesTest(const PluginArgs& args = {})
      : SchedulerHarness(
            [args](ClusterState& cluster) { return MakeDefaultProfile(cluster, args); }) {
    for (const std::string_view name : {"n1", "n2"}) Deliver(Node(name, 10));
    Deliver(ClassFromYaml());
    Deliver(SliceFromYaml("n1", "[{name: a}]"));
    Sync();
  }

  static ObjectPtr PodWith(std::string_view name, std::string_view claim) {
    return Pod(name, "containers: [], resourceClaims: [{name: x, resourceClaimName: " +
                         std::string(claim) + "}]");
  }
  static ObjectPtr Allocated(std::string_view name, std::string_view device,
                             const std::vector<std::string>& pods = {},
                             std::string_view node = "n1", std::string_view more = {}) {
    return ClaimFromYaml(name, StatusYaml(AllocationYaml(node, device, more), pods));
  }
  /// Returns the write that was requested. Expects exactly one.
  static const api::PatchObject& PatchAt(const WriteInOrder& write, std::size_t index) {
    return std::get<api::PatchObject>(write.writes.at(index));
  }
  WriteInOrder TakeWrite() {
    std::vector<WriteInOrder> writes = Take<WriteInOrder>();
    EXPECT_THAT(writes, SizeIs(1));
    return writes.empty() ? WriteInOrder() : std::move(writes[0]);
  }
};

TEST_F(SchedulerDevicesTest, AClaimIsWrittenBeforeItsPodIsBound) {
  Deliver(ClaimFromYaml("c"));
  Deliver(PodWith("p", "c"));
  RunDue();
  const WriteInOrder write = TakeWrite();
  ASSERT_THAT(write.writes, SizeIs(2));
  EXPECT_EQ(PatchAt(write, 1).subresource, "status");
  EXPECT_THAT(PatchAt(write, 1).body, HasSubstr(R"("device":"a")"));
  EXPECT_THAT(TakeBinds(), IsEmpty());
  Finish(write.id);
  EXPECT_THAT(TakeBinds(), ElementsAre("p→n1"));
  Finish(last_binds_[0].id);
  EXPECT_THAT(TakeEvents(), ElementsAre("Scheduled: Successfully assigned default/p to n1"));
}

TEST_F(SchedulerDevicesTest, NoTwoClaimsGetOneDevice) {
  Deliver(ClaimFromYaml("c"));
  Deliver(ClaimFromYaml("d"));
  Deliver(PodWith("p", "c"));
  Deliver(PodWith("q", "d"));
  RunDue();
  TakeWrite();
  EXPECT_THAT(
      TakeEvents(),
      ElementsAre("FailedScheduling: 0/2 nodes are available: 2 cannot allocate all claims. "
                  "preemption: 0/2 nodes are available: 2 Preemption is not helpful for "
                  "scheduling."));
  Deliver(Allocated("c", "a", {"p"}));
  Deliver(Allocated("c", "a"));
  Advance(seconds(60));
  EXPECT_THAT(Take<WriteInOrder>(), IsEmpty());
  Deliver(ClaimFromYaml("c"));  // deallocated
  Advance(seconds(60));
  EXPECT_EQ(TakeWrite().pod.name(), "q");
}

TEST_F(SchedulerDevicesTest, KeepsWhySingleDevicesDoNotDo) {
  Deliver(SliceFromYaml("n2", "[" + TaintedYaml("b", "8") + "]"));
  Deliver(Allocated("taken", "a"));
  Deliver(ClaimFromYaml("c", {}, "tolerations: [{key: health, operator: Gt, value: '24'}]"));
  const ObjectPtr pod = PodWith("p", "c");
  Deliver(pod);
  RunDue();
  const Diagnosis* const diagnosis = scheduler_->LastDiagnosis(pod->metadata());
  ASSERT_NE(diagnosis, nullptr);
  std::vector<std::string> texts;
  for (const Diagnosis::DeviceRefusal& one : diagnosis->devices) {
    texts.push_back(one.node + " " + one.claim + " " + one.request + " " + one.device + " " +
                    one.reason);
  }
  EXPECT_THAT(texts, ElementsAre("n1 c r d/n1/a InUse", HasSubstr("n2 c r d/n2/b ")));
  EXPECT_THAT(texts[1], HasSubstr("health"));
}

TEST_F(SchedulerDevicesTest, APodWaitsUntilItsClaimComes) {
  Deliver(PodWith("p", "c"));
  RunDue();
  EXPECT_EQ(scheduler_->pending().gated, 1U);
  Deliver(ClaimFromYaml("c"));
  RunDue();
  EXPECT_EQ(TakeWrite().pod.name(), "p");
}

TEST_F(SchedulerDevicesTest, AWriteOfUnknownOutcomeIsRepeated) {
  Deliver(ClaimFromYaml("c"));
  Deliver(PodWith("p", "c"));
  RunDue();
  Finish(TakeWrite().id, Fail(Reason::Timeout, "no answer"));
  EXPECT_THAT(Take<WriteInOrder>(), IsEmpty());
  Advance(seconds(2));
  Finish(TakeWrite().id);
  EXPECT_THAT(TakeBinds(), ElementsAre("p→n1"));
}

TEST_F(SchedulerDevicesTest, ARefusedWriteGivesTheDeviceBack) {
  Deliver(ClaimFromYaml("c"));
  Deliver(ClaimFromYaml("d"));
  Deliver(PodWith("p", "c"));
  RunDue();
  Finish(TakeWrite().id, Fail(Reason::Forbidden, "no"));
  EXPECT_THAT(TakeEvents(),
              ElementsAre("FailedScheduling: running PreBind plugin \"DynamicResources\": no"));
  Deliver(PodWith("q", "d"));
  RunDue();
  EXPECT_EQ(TakeWrite().pod.name(), "q");
}

TEST_F(SchedulerDevicesTest, AFailedBindingTakesTheReservationBack) {
  Deliver(ClaimFromYaml("c"));
  Deliver(PodWith("p", "c"));
  RunDue();
  Finish(TakeWrite().id);
  Deliver(Allocated("c", "a", {"p"}));
  ASSERT_THAT(TakeBinds(), ElementsAre("p→n1"));
  Finish(last_binds_[0].id, Fail(Reason::Forbidden, "no"));
  const WriteInOrder write = TakeWrite();
  ASSERT_THAT(write.writes, SizeIs(1));
  EXPECT_THAT(PatchAt(write, 0).body, HasSubstr(R"("$patch":"delete","uid":"uid-default-p")"));
  Finish(write.id);
  Deliver(Allocated("c", "a"));
  Advance(seconds(10));
  EXPECT_THAT(TakeWrite().writes, SizeIs(1)) << "it has its device, and is reserved again";
}

TEST_F(SchedulerDevicesTest, ATaintedDeviceIsGivenBackWhenNobodyUsesIt) {
  Deliver(SliceFromYaml("n2", "[{name: b}]"));
  Deliver(RuleFromYaml("rule", "{pool: n1}", "{key: k, value: v, effect: NoSchedule}"));
  Deliver(Allocated("c", "a", {"user"}));
  Deliver(PodWith("p", "c"));
  RunDue();
  EXPECT_THAT(Take<WriteInOrder>(), IsEmpty());
  EXPECT_THAT(
      TakeEvents(),
      ElementsAre("FailedScheduling: 0/2 nodes are available: 2 resourceclaim not available on the "
                  "node: device(s) had untolerated taint {k: v}. preemption: 0/2 nodes are "
                  "available: 2 Preemption is not helpful for scheduling."));
  Deliver(Allocated("c", "a"));  // no longer reserved for a pod
  Advance(seconds(60));
  const WriteInOrder write = TakeWrite();
  ASSERT_THAT(write.writes, SizeIs(1));
  EXPECT_EQ(PatchAt(write, 0).form, api::PatchForm::Merge);
  EXPECT_THAT(PatchAt(write, 0).body,
              testing::EndsWith(R"("status":{"allocation":null,"reservedFor":null}})"));
  EXPECT_THAT(TakeEvents(), IsEmpty()) << "it is not completed before it is";
  Deliver(ClaimFromYaml("c"));
  Advance(seconds(60));
  EXPECT_THAT(Take<WriteInOrder>(), IsEmpty()) << "the pod waits for the answer";
  Finish(write.id);
  EXPECT_THAT(TakeEvents(), ElementsAre(HasSubstr("deallocation of ResourceClaim completed")));
  Advance(seconds(60));
  Finish(TakeWrite().id);
  EXPECT_THAT(TakeBinds(), ElementsAre("p→n2"));
}

TEST_F(SchedulerDevicesTest, ADeallocationThatFailsIsToldAsSuch) {
  Deliver(RuleFromYaml("rule", "{pool: n1}", "{key: k, value: v, effect: NoSchedule}"));
  Deliver(Allocated("c", "a"));
  const ObjectPtr pod = PodWith("p", "c");
  Deliver(pod);
  RunDue();
  Finish(TakeWrite().id, Fail(Reason::Conflict, "the object has been modified"));
  EXPECT_THAT(TakeEvents(),
              ElementsAre(testing::AllOf(HasSubstr("{k: v}. the object has been modified"),
                                         testing::Not(HasSubstr("completed")))));
  Deliver(
      Allocated("c", "a", {}, "n1", ", shareID: other"));  // the change that caused the conflict
  Advance(seconds(60));
  const ActionId second = TakeWrite().id;
  DeliverDeleted(pod);
  Finish(second);
  EXPECT_THAT(TakeEvents(), IsEmpty()) << "nobody is there to be told";
}

TEST_F(SchedulerDevicesTest, TellsThatItWaitsForDrivers) {
  const auto slice =
      SliceFromYaml("n1", "[{name: a, bindingConditions: [Up], bindingFailureConditions: [Down]}]");
  Deliver(slice);
  Deliver(ClaimFromYaml("c"));
  Deliver(PodWith("p", "c"));
  RunDue();
  Finish(TakeWrite().id);
  EXPECT_THAT(TakeEvents(),
              ElementsAre("BindingConditionsPending: waiting for binding conditions for device on "
                          "node n1"));
  std::string status = StatusYaml(
      AllocationYaml("n1", "a", ", bindingConditions: [Up], bindingFailureConditions: [Down]"),
      {"p"});
  Deliver(ClaimFromYaml("c", status));
  Advance(seconds(30));
  EXPECT_THAT(TakeBinds(), IsEmpty());
  status.pop_back();
  Deliver(ClaimFromYaml("c", status + ", devices: [{driver: d, pool: n1, device: a, conditions: "
                                      "[{type: Up, status: 'True'}]}]}"));
  EXPECT_THAT(TakeBinds(), ElementsAre("p→n1"));
}

TEST_F(SchedulerDevicesTest, ResourcesThatAClassStandsForBecomeAClaim) {
  const ObjectPtr pod = Pod("p", "containers: [{name: a, resources: {requests: {e.c/gpu: 1}}}]");
  Deliver(pod);
  RunDue();
  EXPECT_THAT(TakeEvents(), ElementsAre(HasSubstr("2 Insufficient e.c/gpu")));
  Deliver(ClassFromYaml("gpu", "{extendedResourceName: e.c/gpu}"));
  Advance(seconds(60));
  const WriteInOrder write = TakeWrite();
  ASSERT_THAT(write.writes, SizeIs(3));
  EXPECT_TRUE(std::holds_alternative<api::CreateObject>(write.writes[0]));
  EXPECT_THAT(PatchAt(write, 1).body, HasSubstr(R"("device":"a")"));
  const std::string name(std::get<api::CreateObject>(write.writes[0]).object.name());
  EXPECT_THAT(PatchAt(write, 2).body, HasSubstr(R"("resourceClaimName":")" + name + "\""));
  EXPECT_EQ(PatchAt(write, 2).object.name(), "p");
  Finish(write.id);
  EXPECT_THAT(TakeBinds(), ElementsAre("p→n1"));

  Deliver(Pod("q", "containers: [{name: a, resources: {requests: {e.c/gpu: 1}}}]"));
  RunDue();
  EXPECT_THAT(Take<WriteInOrder>(), IsEmpty()) << "the device is taken before the claim is seen";
}

TEST_F(SchedulerDevicesTest, AClaimThatIsMadeTwiceIsMadeOnce) {
  Deliver(ClassFromYaml("gpu", "{extendedResourceName: e.c/gpu}"));
  Deliver(Pod("p", "containers: [{name: a, resources: {requests: {e.c/gpu: 1}}}]"));
  RunDue();
  Finish(TakeWrite().id, Fail(Reason::Timeout, "no answer"));
  Advance(seconds(5));
  Finish(TakeWrite().id, Fail(Reason::AlreadyExists, "it is there"));
  Advance(seconds(5));
  const WriteInOrder write = TakeWrite();
  EXPECT_THAT(write.writes, SizeIs(2));
  Finish(write.id);
  EXPECT_THAT(TakeBinds(), ElementsAre("p→n1"));
}

TEST_F(SchedulerDevicesTest, AClaimOfAnEarlierAttemptIsDeletedFirst) {
  Deliver(ClassFromYaml("gpu", "{extendedResourceName: e.c/gpu}"));
  const ObjectPtr leftover = ClaimFromYaml(
      "left", StatusYaml(AllocationYaml("n1", "a")), {},
      "annotations: {resource.kubernetes.io/extended-resource-claim: 'true'}, ownerReferences: "
      "[{apiVersion: v1, kind: Pod, name: p, uid: uid-default-p, controller: true}]");
  Deliver(leftover);
  Deliver(Pod("p", "containers: [{name: a, resources: {requests: {e.c/gpu: 1}}}]"));
  RunDue();
  const WriteInOrder write = TakeWrite();
  ASSERT_THAT(write.writes, SizeIs(3));
  EXPECT_THAT(PatchAt(write, 0).body, HasSubstr(R"("allocation":null)"));
  EXPECT_THAT(PatchAt(write, 1).body, HasSubstr("finalizers"));
  EXPECT_TRUE(std::holds_alternative<api::DeleteObject>(write.writes[2]));
  Finish(write.id);
  EXPECT_THAT(TakeEvents(),
              ElementsAre(testing::AllOf(HasSubstr("2 cannot schedule extended resource claim"),
                                         HasSubstr("deletion of ResourceClaim completed"))));
  DeliverDeleted(leftover);
  Advance(seconds(60));
  EXPECT_THAT(TakeWrite().writes, SizeIs(3));
}

TEST_F(SchedulerDevicesTest, ARefusalOfTheClassIsNotServedToAPodWithALeftoverClaim) {
  Deliver(ClassFromYaml("gpu", "{extendedResourceName: e.c/gpu}"));
  Deliver(ClaimFromYaml(
      "left", StatusYaml(AllocationYaml("n1", "a")), {},
      "annotations: {resource.kubernetes.io/extended-resource-claim: 'true'}, ownerReferences: "
      "[{apiVersion: v1, kind: Pod, name: q, uid: uid-default-q, controller: true}]"));
  // Without preemption, a refusal changes nothing, so it is cached for the class.
  const std::string spec =
      "preemptionPolicy: Never, containers: [{name: a, resources: {requests: {e.c/gpu: 9}}}]";
  Deliver(Pod("p", spec));
  Deliver(Pod("q", spec));
  RunDue();
  const WriteInOrder write = TakeWrite();
  EXPECT_EQ(write.pod.name(), "q");
  EXPECT_THAT(write.writes, SizeIs(3));
}

TEST_F(SchedulerDevicesTest, APodThatIsDeletedGivesItsDeviceBack) {
  Deliver(ClaimFromYaml("c"));
  Deliver(ClaimFromYaml("d"));
  const ObjectPtr pod = PodWith("p", "c");
  Deliver(pod);
  RunDue();
  TakeWrite();
  DeliverDeleted(pod);
  EXPECT_THAT(TakeWrite().writes, SizeIs(1)) << "what is under way may yet be done";
  Deliver(PodWith("q", "d"));
  RunDue();
  EXPECT_EQ(TakeWrite().pod.name(), "q");
}

TEST_F(SchedulerDevicesTest, ASelectorThatFailsIsAnErrorOfTheAttempt) {
  Deliver(ClaimFromYaml("c", {}, "selectors: [{cel: {expression: \"device.attributes['d'].x\"}}]"));
  Deliver(PodWith("p", "c"));
  RunDue();
  EXPECT_THAT(
      TakeEvents(),
      ElementsAre(HasSubstr("running \"DynamicResources\" filter plugin: claim default/c")));
  EXPECT_EQ(scheduler_->pending().backoff, 1U);
}

TEST_F(SchedulerDevicesTest, AReasonBeginsWithWhatIsWrongAndThenNamesTheTaint) {
  Deliver(SliceFromYaml("n1", "[" + TaintedYaml("a", "8") + "]"));
  Deliver(ClaimFromYaml("c"));
  Deliver(PodWith("p", "c"));
  RunDue();
  EXPECT_THAT(
      TakeEvents(),
      ElementsAre(HasSubstr("0/2 nodes are available: 1 cannot allocate all claims, 1 cannot "
                            "allocate all claims: device(s) had untolerated taint {health: 8}.")));
}

/// Each reading of the harness's stopwatch advances it by a millisecond.
class SchedulerSlowDevicesTest : public SchedulerDevicesTest {
 protected:
  SchedulerSlowDevicesTest() : SchedulerDevicesTest(Hurried()) {}

  static PluginArgs Hurried() {
    PluginArgs args;
    args.dynamic_resources.filter_timeout = std::chrono::milliseconds(3);
    return args;
  }
};

TEST_F(SchedulerSlowDevicesTest, TheSearchOfANodeMustNotTakeForEver) {
  Deliver(SliceFromYaml("n1", "[{name: a}, {name: b}, {name: c}, {name: d}, {name: e}]"));
  Deliver(Named("ResourceClaim", "default", "all",
                "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, "
                "allocationMode: All}}]}}",
                {}, "resource.k8s.io/v1"));
  Deliver(PodWith("p", "all"));
  RunDue();
  EXPECT_THAT(TakeEvents(), ElementsAre("FailedScheduling: running \"DynamicResources\" filter "
                                        "plugin: node n1: timed out trying to allocate devices"));
  EXPECT_EQ(scheduler_->pending().backoff, 1U) << "it is tried again without news";
  Advance(seconds(60));
  EXPECT_EQ(TakeWrite().pod.name(), "p") << "what was learnt before is not asked again";
}

}  // namespace
}  // namespace plimsoll::scheduler
