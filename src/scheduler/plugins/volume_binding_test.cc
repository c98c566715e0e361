#include <gtest/gtest.h>

#include "scheduler/volume/bench_for_test.h"

namespace plimsoll::scheduler {
namespace {

using Answers = std::map<std::string, std::string>;
using namespace std::chrono_literals;

constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";
const std::string kAffinity =
    "UnschedulableAndUnresolvable: node(s) didn't match PersistentVolume's node affinity";
const std::string kNoVolume =
    "UnschedulableAndUnresolvable: node(s) didn't find available persistent volumes to bind";
const std::string kNoStorage =
    "UnschedulableAndUnresolvable: node(s) did not have enough free storage";
const std::string kNoPv =
    "UnschedulableAndUnresolvable: node(s) unavailable due to one or more pvc(s) bound to "
    "non-existent pv(s)";

class VolumeBindingTest : public testing::Test {
 protected:
  VolumeBindingTest() : bench_("VolumeBinding") {
    bench_.Put(LabelledNode("a", "{host: a, zone: east}"));
    bench_.Put(LabelledNode("b", "{host: b, zone: west}"));
    bench_.Put(AClass("fast", kNoProvisioner));
  }

  PluginBench bench_;
};

TEST_F(VolumeBindingTest, APodWithoutClaimsIsSkipped) {
  EXPECT_EQ(bench_.Ask(PodFromYaml("p", "{volumes: [{name: v, emptyDir: {}}]}")),
            (Answers{{"", "Skip"}}));
  EXPECT_EQ(bench_.Scores(PodFromYaml("p", "{}")),
            (std::map<std::string, std::int64_t>{{"a", 0}, {"b", 0}}));
}

TEST_F(VolumeBindingTest, SaysWhyAClaimIsOfNoUse) {
  struct Case {
    std::string name;
    ObjectPtr claim;  // named c
    std::string want;
  };
  const std::vector<Case> cases{
      {"Missing", nullptr, "persistentvolumeclaim \"c\" not found"},
      {"Lost", AClaim("c", "{volumeName: gone}", {}, "{phase: Lost}"),
       "persistentvolumeclaim \"c\" bound to non-existent persistentvolume \"gone\""},
      {"Deleted", AClaim("c", "{}", "deletionTimestamp: '2026-01-01T00:00:00Z'"),
       "persistentvolumeclaim \"c\" is being deleted"},
      {"Immediate", AClaim("c", "{}"), "pod has unbound immediate PersistentVolumeClaims"},
      {"NamesItsVolume", AClaim("c", "{storageClassName: fast, volumeName: v}"),
       "pod has unbound immediate PersistentVolumeClaims"},
      {"ClassIsMissing", AClaim("c", "{storageClassName: none}"),
       "pod has unbound immediate PersistentVolumeClaims"},
  };
  for (const Case& test : cases) {
    bench_.cluster().claims.Erase("default", "c");
    if (test.claim != nullptr) bench_.Put(test.claim);
    EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c"})),
              (Answers{{"", "UnschedulableAndUnresolvable: " + test.want}}))
        << test.name;
  }
}

TEST_F(VolumeBindingTest, AClassWithoutModeIsAnError) {
  bench_.Put(AClass("odd", "p", ""));
  bench_.Put(AClaim("c", "{storageClassName: odd}"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c"})),
            (Answers{{"", "Error: VolumeBindingMode not set for StorageClass \"odd\""}}));
}

TEST_F(VolumeBindingTest, AnEphemeralVolumeWaitsForItsClaim) {
  const ObjectPtr pod = PodFromYaml("p", "{volumes: [{name: v, ephemeral: {}}]}");
  EXPECT_EQ(bench_.Ask(pod),
            (Answers{{"",
                      "UnschedulableAndUnresolvable: waiting for ephemeral volume controller to "
                      "create the persistentvolumeclaim \"p-v\""}}));
  bench_.Put(AClaim("p-v", "{}"));
  EXPECT_EQ(bench_.Ask(pod),
            (Answers{{"",
                      "UnschedulableAndUnresolvable: PVC default/p-v was not created for pod "
                      "default/p (pod is not owner)"}}));
  bench_.Put(AVolume("v", "1Gi"));
  bench_.Put(
      AClaim("p-v", "{volumeName: v}",
             "annotations: {pv.kubernetes.io/bind-completed: 'yes'}, ownerReferences: "
             "[{apiVersion: v1, kind: Pod, name: p, uid: uid-default-p, controller: true}]"));
  EXPECT_EQ(bench_.Ask(pod), (Answers{{"a", "Success"}, {"b", "Success"}}));
}

TEST_F(VolumeBindingTest, ABoundVolumeTiesThePodToItsNodes) {
  bench_.Put(BoundClaimTo("c", "v"));
  bench_.Put(AVolume("v", "1Gi", OnlyWhere("zone", "east")));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c"})), (Answers{{"a", "Success"}, {"b", kAffinity}}));
}

TEST_F(VolumeBindingTest, VersionsAndFieldsInAVolumesAffinity) {
  const auto affinity = [](std::string_view term) {
    return "nodeAffinity: {required: {nodeSelectorTerms: [" + std::string(term) + "]}}";
  };
  struct Case {
    std::string term;
    bool a, b;
  };
  bench_.Put(LabelledNode("a", "{kernel: 5.15.0}"));
  bench_.Put(LabelledNode("b", "{kernel: 6.1.0}"));
  const std::vector<Case> cases{
      {"{matchExpressions: [{key: kernel, operator: SemverGt, values: [6.0.0]}]}", false, true},
      {"{matchExpressions: [{key: kernel, operator: SemverLt, values: [6.0.0]}]}", true, false},
      // Volumes do not match node names.
      {"{matchFields: [{key: metadata.name, operator: In, values: [b]}]}", true, true},
      {"{matchFields: [{key: metadata.name, operator: In, values: [b]}], matchExpressions: "
       "[{key: kernel, operator: In, values: [5.15.0]}]}",
       true, false},
      {"{}", false, false},
      {"{matchExpressions: [{key: kernel, operator: Like, values: [x]}]}", false, false},
  };
  bench_.Put(BoundClaimTo("c", "v"));
  for (const Case& test : cases) {
    bench_.Put(AVolume("v", "1Gi", affinity(test.term)));
    EXPECT_EQ(
        bench_.Ask(PodWithClaims("p", {"c"})),
        (Answers{{"a", test.a ? "Success" : kAffinity}, {"b", test.b ? "Success" : kAffinity}}))
        << test.term;
  }
}

TEST_F(VolumeBindingTest, AllThatIsWrongIsSaidInOrder) {
  bench_.Put(BoundClaimTo("bound", "v"));
  bench_.Put(AVolume("v", "1Gi", OnlyWhere("zone", "east")));
  bench_.Put(WaitingClaim("waiting", "5Gi"));
  const Answers answers = bench_.Ask(PodWithClaims("p", {"bound", "waiting"}));
  EXPECT_EQ(answers.at("a"), kNoVolume);
  EXPECT_EQ(answers.at("b"),
            kAffinity + ", node(s) didn't find available persistent volumes to bind");
  bench_.Put(BoundClaimTo("bound", "gone"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"bound"})).at("a"), kNoPv);
}

TEST_F(VolumeBindingTest, ASmallVolumeIsTakenBeforeALargeOne) {
  bench_.Put(WaitingClaim("c", "5Gi"));
  bench_.Put(AVolume("large", "50Gi"));
  bench_.Put(AVolume("small", "10Gi", OnlyWhere("zone", "east")));
  bench_.Put(AVolume("tiny", "1Gi"));
  const ObjectPtr pod = PodWithClaims("p", {"c"});
  EXPECT_EQ(bench_.Ask(pod), (Answers{{"a", "Success"}, {"b", "Success"}}));
  // 5 of 10 on a, 5 of 50 on b: more free space is preferred.
  EXPECT_EQ(bench_.Scores(pod), (std::map<std::string, std::int64_t>{{"a", 50}, {"b", 90}}));
}

TEST_F(VolumeBindingTest, TwoClaimsDoNotTakeOneVolume) {
  bench_.Put(WaitingClaim("c1", "5Gi"));
  bench_.Put(WaitingClaim("c2", "1Gi"));
  bench_.Put(AVolume("v1", "10Gi"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c1", "c2"})),
            (Answers{{"a", kNoVolume}, {"b", kNoVolume}}));
  // The smaller claim gets the smaller volume, so the larger claim finds one too.
  bench_.Put(AVolume("v2", "2Gi", OnlyWhere("zone", "west")));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c1", "c2"})),
            (Answers{{"a", kNoVolume}, {"b", "Success"}}));
}

TEST_F(VolumeBindingTest, AReservedVolumeLeavesNoChoice) {
  bench_.Put(WaitingClaim("c", "5Gi"));
  bench_.Put(AVolume("free", "10Gi"));
  bench_.Put(AVolume("mine", "10Gi",
                     "claimRef: {namespace: default, name: c}, " + OnlyWhere("zone", "west")));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c"})), (Answers{{"a", kNoVolume}, {"b", "Success"}}));
}

TEST_F(VolumeBindingTest, AVolumeIsMadeWhereTheClassAllows) {
  bench_.Put(AClass("fast", "driver", "WaitForFirstConsumer",
                    "allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [west]}]}]"));
  bench_.Put(WaitingClaim("c", "5Gi"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c"})), (Answers{{"a", kNoVolume}, {"b", "Success"}}));
}

TEST_F(VolumeBindingTest, ADriverThatPublishesCapacityIsHeldToIt) {
  bench_.Put(AClass("fast", "driver"));
  bench_.Put(WaitingClaim("c", "5Gi"));
  const ObjectPtr pod = PodWithClaims("p", {"c"});
  bench_.Put(Named("CSIDriver", "", "driver", "spec: {storageCapacity: true}", {}, kStorage));
  EXPECT_EQ(bench_.Ask(pod), (Answers{{"a", kNoStorage}, {"b", kNoStorage}}));
  const auto put_pool = [&](std::string_view rest) {
    bench_.Put(Named("CSIStorageCapacity", "driver", "pool",
                     "storageClassName: fast\n" + std::string(rest), {}, kStorage));
  };
  put_pool("capacity: 10Gi\nnodeTopology: {matchLabels: {zone: west}}");
  EXPECT_EQ(bench_.Ask(pod), (Answers{{"a", kNoStorage}, {"b", "Success"}}));
  EXPECT_EQ(bench_.Scores(pod).at("b"), 50);
  put_pool("capacity: 10Gi\nmaximumVolumeSize: 4Gi\nnodeTopology: {}");
  EXPECT_EQ(bench_.Ask(pod), (Answers{{"a", kNoStorage}, {"b", kNoStorage}}));
  put_pool("capacity: 5Gi\nnodeTopology: {}");
  EXPECT_EQ(bench_.Ask(pod), (Answers{{"a", "Success"}, {"b", "Success"}}));
  put_pool("capacity: 5Gi");
  EXPECT_EQ(bench_.Ask(pod), (Answers{{"a", kNoStorage}, {"b", kNoStorage}}));
  bench_.Put(Named("CSIDriver", "", "driver", "spec: {storageCapacity: false}", {}, kStorage));
  EXPECT_EQ(bench_.Ask(pod), (Answers{{"a", "Success"}, {"b", "Success"}}));
}

TEST_F(VolumeBindingTest, AVolumeInTheMakingTiesThePodToItsNode) {
  bench_.Put(AClass("fast", "driver"));
  bench_.Put(WaitingClaim("c", "5Gi", "annotations: {volume.kubernetes.io/selected-node: b}"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("p", {"c"})), (Answers{{"a", kNoVolume}, {"b", "Success"}}));
}

struct HintCase {
  std::string name;
  EventResource resource;
  ObjectPtr before, now;
  Hint want;
};

TEST_F(VolumeBindingTest, OnlyWhatMayHelpWakesAPod) {
  const auto capacity = [](std::string_view size) {
    return Named("CSIStorageCapacity", "s", "pool",
                 "storageClassName: fast\ncapacity: " + std::string(size), {}, kStorage);
  };
  const auto driver = [](std::string_view on) {
    return Named("CSIDriver", "", "d", "spec: {storageCapacity: " + std::string(on) + "}", {},
                 kStorage);
  };
  const ObjectPtr in_west =
      AClass("fast", "p", "Immediate",
             "allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [west]}]}]");
  const ObjectPtr csi_node = Named("CSINode", "", "a", "spec: {drivers: []}", {}, kStorage);
  const std::vector<HintCase> cases{
      {"OwnClaim", EventResource::PersistentVolumeClaim, nullptr, AClaim("c", "{}"), Hint::Queue},
      {"OtherClaim", EventResource::PersistentVolumeClaim, nullptr, AClaim("d", "{}"), Hint::Skip},
      {"AnyVolume", EventResource::PersistentVolume, nullptr, AVolume("v", "1Gi"), Hint::Queue},
      {"NewClass", EventResource::StorageClass, nullptr, in_west, Hint::Queue},
      {"SameTopologies", EventResource::StorageClass, in_west, in_west, Hint::Skip},
      {"OtherTopologies", EventResource::StorageClass, AClass("fast", "p"), in_west, Hint::Queue},
      {"MoreRoom", EventResource::CSIStorageCapacity, capacity("1Gi"), capacity("2Gi"),
       Hint::Queue},
      {"LessRoom", EventResource::CSIStorageCapacity, capacity("2Gi"), capacity("1Gi"), Hint::Skip},
      {"NoMoreChecks", EventResource::CSIDriver, driver("true"), driver("false"), Hint::Queue},
      {"MoreChecks", EventResource::CSIDriver, driver("false"), driver("true"), Hint::Skip},
      {"SameCsiNode", EventResource::CSINode, csi_node, csi_node, Hint::Skip},
      {"NewCsiNode", EventResource::CSINode, nullptr, csi_node, Hint::Queue},
  };
  const ObjectPtr pod = PodWithClaims("p", {"c"});
  const PodId id = bench_.cluster().UpsertPod(pod);
  for (const HintCase& test : cases) {
    const ClusterEvent event{test.resource, test.before == nullptr ? kAdd : kUpdate, "",
                             test.before, test.now};
    EXPECT_EQ(bench_.plugin_as<EnqueueExtensions>().HintFor(bench_.cluster().pod(id), event),
              test.want)
        << test.name;
  }
}

class VolumeReserveTest : public VolumeBindingTest {
 protected:
  /// Adds the pod to the cluster, then runs PreFilter and Reserve on a node.
  void Reserve(const ObjectPtr& pod, std::string_view node) {
    const PodId id = bench_.cluster().UpsertPod(pod);
    const PodUnderTest question = Question(id);
    const PreFilterOutcome outcome = bench_.plugin_as<PreFilterPlugin>().PreFilter(question);
    ASSERT_TRUE(outcome.verdict.ok()) << PluginBench::Text(outcome.verdict);
    ASSERT_TRUE(
        bench_.plugin_as<ReservePlugin>().Reserve(question, outcome.state.get(), Slot(node)).ok());
  }
  PodUnderTest Question(PodId id) {
    const PodRecord& record = bench_.cluster().pod(id);
    return {id, *record.pod, *record.pod_class};
  }
  PodId Id(const ObjectPtr& pod) { return bench_.cluster().FindPod(pod->metadata()); }
  NodeSlot Slot(std::string_view node) { return *bench_.cluster().FindNode(node); }
  PreBindOutcome PreBind(const ObjectPtr& pod, Duration at = 0s) {
    return bench_.plugin_as<PreBindPlugin>().PreBind(Question(Id(pod)), Slot("a"), Instant(at));
  }
  ObjectPtr BoundVolume(std::string_view rest = {}) {
    return AVolume(
        "v", "10Gi",
        "claimRef: {namespace: default, name: c, uid: uid-default-c}" + std::string(rest),
        "resourceVersion: '8'");
  }
};

TEST_F(VolumeReserveTest, AnAssumedVolumeIsNotGivenTwice) {
  bench_.Put(WaitingClaim("c", "5Gi"));
  bench_.Put(WaitingClaim("d", "5Gi"));
  bench_.Put(AVolume("v", "10Gi"));
  const ObjectPtr first = PodWithClaims("p", {"c"});
  Reserve(first, "a");
  EXPECT_EQ(bench_.Ask(PodWithClaims("q", {"d"})), (Answers{{"a", kNoVolume}, {"b", kNoVolume}}));
  // Another pod with the same claim may use the same volume.
  EXPECT_EQ(bench_.Ask(PodWithClaims("r", {"c"})), (Answers{{"a", "Success"}, {"b", "Success"}}));
  bench_.plugin_as<ReservePlugin>().Unreserve(Question(Id(first)), Slot("a"));
  EXPECT_EQ(bench_.Ask(PodWithClaims("q", {"d"})), (Answers{{"a", "Success"}, {"b", "Success"}}));
}

TEST_F(VolumeReserveTest, BindsAVolumeAndWaitsForTheController) {
  bench_.Put(WaitingClaim("c", "5Gi", "resourceVersion: '5'"));
  bench_.Put(AVolume("v", "10Gi", {}, "resourceVersion: '7'"));
  const ObjectPtr pod = PodWithClaims("p", {"c"});
  Reserve(pod, "a");
  PreBindOutcome outcome = PreBind(pod);
  EXPECT_EQ(outcome.verdict.code, Code::Wait);
  EXPECT_EQ(outcome.deadline, Instant(600s));
  ASSERT_EQ(outcome.writes.size(), 1u);
  EXPECT_EQ(std::get<api::PatchObject>(outcome.writes[0]).object.name(), "v");
  EXPECT_EQ(std::get<api::PatchObject>(outcome.writes[0]).body,
            R"({"metadata":{"resourceVersion":"7","annotations":)"
            R"({"pv.kubernetes.io/bound-by-controller":"yes"}},"spec":{"claimRef":)"
            R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","namespace":"default","name":"c",)"
            R"("uid":"uid-default-c","resourceVersion":"5"}}})");
  // Called again before the informer has delivered the write.
  outcome = PreBind(pod);
  EXPECT_EQ(outcome.verdict.code, Code::Wait);
  EXPECT_TRUE(outcome.writes.empty());
  bench_.Put(BoundVolume());
  EXPECT_EQ(PreBind(pod).verdict.code, Code::Wait);
  bench_.Put(BoundClaimTo("c", "v"));
  EXPECT_EQ(PreBind(pod).verdict.code, Code::Success);
}

TEST_F(VolumeReserveTest, SaysWhyBindingFailed) {
  struct Case {
    std::string name;
    std::function<void(PluginBench&)> happen;
    std::string want;
    Duration at = 1s;
  };
  const std::vector<Case> cases{
      {"TimeOut", [](PluginBench&) {}, "binding volumes: context deadline exceeded", 600s},
      {"VolumeGone", [](PluginBench& b) { b.cluster().volumes.Erase({}, "v"); },
       "binding volumes: failed to check binding: persistentvolume \"v\" not found"},
      {"ClaimGone", [](PluginBench& b) { b.cluster().claims.Erase("default", "c"); },
       "binding volumes: failed to check binding: persistentvolumeclaim \"c\" not found"},
      {"Reset", [](PluginBench& b) { b.Put(AVolume("v", "10Gi", {}, "resourceVersion: '9'")); },
       "binding volumes: ClaimRef got reset for pv \"v\""},
      {"NodeGone", [](PluginBench& b) { b.cluster().RemoveNode("b"); },
       "binding volumes: failed to get node \"b\": node \"b\" not found"},
  };
  for (const Case& test : cases) {
    bench_.Put(LabelledNode("b", "{host: b, zone: west}"));
    bench_.Put(WaitingClaim("c", "5Gi", "resourceVersion: '5'"));
    bench_.Put(AVolume("v", "10Gi", {}, "resourceVersion: '7'"));
    const ObjectPtr pod = PodWithClaims("p", {"c"});
    Reserve(pod, "b");
    EXPECT_EQ(PreBind(pod).verdict.code, Code::Wait) << test.name;
    test.happen(bench_);
    const PreBindOutcome outcome = PreBind(pod, test.at);
    EXPECT_EQ(outcome.verdict.code, Code::Error) << test.name;
    EXPECT_EQ(outcome.verdict.Message(), test.want) << test.name;
    bench_.plugin_as<ReservePlugin>().Unreserve(Question(Id(pod)), Slot("a"));
  }
}

TEST_F(VolumeReserveTest, AsksForAVolumeToBeMade) {
  bench_.Put(AClass("fast", "driver"));
  bench_.Put(WaitingClaim("c", "5Gi", "resourceVersion: '5'"));
  const ObjectPtr pod = PodWithClaims("p", {"c"});
  Reserve(pod, "a");
  // Meanwhile, another pod with the same claim can only use node a.
  EXPECT_EQ(bench_.Ask(PodWithClaims("q", {"c"})), (Answers{{"a", "Success"}, {"b", kNoVolume}}));
  PreBindOutcome outcome = PreBind(pod);
  ASSERT_EQ(outcome.writes.size(), 1u);
  EXPECT_EQ(std::get<api::PatchObject>(outcome.writes[0]).body,
            R"({"metadata":{"resourceVersion":"5","annotations":)"
            R"({"volume.kubernetes.io/selected-node":"a"}}})");
  bench_.Put(WaitingClaim("c", "5Gi",
                          "resourceVersion: '6', annotations: {volume.kubernetes.io/selected-node: "
                          "a}"));
  EXPECT_EQ(PreBind(pod).verdict.code, Code::Wait);
  // The provisioner gives up.
  bench_.Put(WaitingClaim("c", "5Gi", "resourceVersion: '7', annotations: {x: z}"));
  outcome = PreBind(pod);
  EXPECT_EQ(outcome.verdict.code, Code::Error);
  EXPECT_EQ(outcome.verdict.Message(), "binding volumes: provisioning failed for PVC \"c\"");
}

TEST_F(VolumeReserveTest, APodWhoseClaimsAreBoundNeedsNothing) {
  bench_.Put(BoundClaimTo("c", "v"));
  bench_.Put(BoundVolume());
  const ObjectPtr pod = PodWithClaims("p", {"c"});
  Reserve(pod, "a");
  EXPECT_EQ(PreBind(pod).verdict.code, Code::Success);
}

}  // namespace
}  // namespace plimsoll::scheduler
