#include "dra/allocator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dra/allocation.h"
#include "dra/device_cluster_for_test.h"
#include "dra/device_diagnosis.h"
#include "dra/diagnose_node.h"
#include "dra/make_allocation.h"
#include "match/costly_evaluator_for_test.h"

namespace plimsoll::dra {
namespace {

using testing::MatchesRegex;

constexpr const char* kOnN1 = "nodeName: n1";

/// Two nodes with devices d0, d1, d2 each, of models a, b, a.
class AllocatorTest : public testing::Test {
 protected:
  static std::string Devices() {
    return "[{name: d0, attributes: {model: {string: a}}}, {name: d1, attributes: {model: {string: "
           "b}}}, {name: d2, attributes: {model: {string: a}}}]";
  }
  AllocatorTest() {
    cluster_.PutNode(0, "n1");
    cluster_.PutNode(1, "n2", "{zone: a}");
    cluster_.Put(SliceYaml("s1", "n1", kOnN1, Devices()));
    cluster_.Put(SliceYaml("s2", "n2", "nodeName: n2", Devices()));
  }
  static std::string Held(const std::string& device) { return "gpu.example.com/" + device; }

  DeviceCluster cluster_;
};

TEST_F(AllocatorTest, TakesTheFirstDevicesThatAreFree) {
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("r", 2) + "]"}), "r=d0 r=d1");
  cluster_.Hold("other", {Held("n1/d0")});
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("r", 2) + "]"}), "r=d1 r=d2");
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("r", 3) + "]"}), "none");
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("r", 3) + "]"}, 1), "r=d0 r=d1 r=d2");
}

TEST_F(AllocatorTest, GoesBackWhereALaterRequestWouldBeShort) {
  const std::string wants_a =
      Exactly("a", 2,
              ", selectors: [{cel: {expression: 'device.attributes[\"gpu.example.com\"]"
              ".model == \"a\"'}}]");
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("any", 1) + ", " + wants_a + "]"}),
            "any=d1 a=d0 a=d2");
  EXPECT_EQ(
      cluster_.Allocate({"requests: [" + Exactly("any", 1) + "]", "requests: [" + wants_a + "]"}),
      "any=d1; a=d0 a=d2");
}

TEST_F(AllocatorTest, AnswersAreKeptUntilTheNodeChanges) {
  const ClaimSet claims = cluster_.Claims({"requests: [" + Exactly("r", 3) + "]"});
  Bitmap nodes(2);
  nodes.Fill(true);
  EXPECT_EQ(cluster_.allocator().Filter(claims, nodes), std::nullopt);
  EXPECT_EQ(nodes.Count(), 2U);
  const std::uint64_t steps = cluster_.allocator().steps();
  EXPECT_EQ(cluster_.allocator().Filter(claims, nodes), std::nullopt);
  EXPECT_EQ(cluster_.allocator().steps(), steps);

  cluster_.Hold("other", {Held("n2/d1")});
  EXPECT_EQ(cluster_.allocator().Filter(claims, nodes), std::nullopt);
  EXPECT_TRUE(nodes.Test(0));
  EXPECT_FALSE(nodes.Test(1));
  EXPECT_LE(cluster_.allocator().steps(), steps + 5);  // the other node was not searched

  cluster_.Hold("other", {});
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 1), Allocator::Answer::Possible);
  cluster_.Put(SliceYaml("s1", "n1", kOnN1, "[{name: d0}]"));
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 0), Allocator::Answer::Impossible);
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 7),
            Allocator::Answer::Impossible);  // no such node
}

/// Devices with distinct taints, on one node, and requests whose tolerations have expressions.
class AllocatorBudgetTest : public testing::Test {
 protected:
  AllocatorBudgetTest() {
    std::string devices;
    for (int i = 0; i < 6; ++i) {
      const std::string number = std::to_string(i);
      devices += "{name: d" + number + ", taints: [{key: t" + number + ", effect: NoSchedule}]},";
    }
    cluster_.PutNode(0, "n0");
    cluster_.Put(SliceYaml("s0", "n0", "nodeName: n0", "[" + devices + "]"));
  }

  Allocator::Answer Attempt(const ClaimSet& claims, std::uint64_t budget) {
    cluster_.allocator().SetExpressionBudget(budget);
    cluster_.allocator().BeginAttempt({}, Duration::zero());
    return cluster_.allocator().CheckNode(claims, 0);
  }

  match::CostlyEvaluator costly_{1000, "t5"};
  DeviceCluster cluster_{
      SearchLimits{},
      match::TolerationTimeRules{.match = {.evaluator = &costly_}, .threshold_grace = {}}};
};

TEST_F(AllocatorBudgetTest, AnAttemptEndsWithItsBudgetAndTheNextGoesOn) {
  const ClaimSet claims = cluster_.Claims(
      {"requests: [" + Exactly("r", 1, ", tolerations: [{expression: a}, {expression: 'yes'}]") +
       "]"});
  std::size_t attempts = 0;
  while (Attempt(claims, 3000) == Allocator::Answer::Error) {
    EXPECT_TRUE(cluster_.allocator().is_exhausted());
    EXPECT_LE(costly_.evaluations(), 3 * ++attempts);
    ASSERT_LT(attempts, 10u);
  }
  EXPECT_EQ(attempts, 3u) << "twelve evaluations, three each time";
  EXPECT_FALSE(cluster_.allocator().is_exhausted());
  EXPECT_EQ(costly_.evaluations(), 12u);
  EXPECT_EQ(cluster_.Allocate(claims), "r=d5");
  EXPECT_EQ(costly_.evaluations(), 12u) << "once for each expression and taint";
}

TEST_F(AllocatorBudgetTest, EqualTaintsAreEvaluatedOnceForAllClaims) {
  const auto claims = [&](int count) {
    return cluster_.Claims(
        {"requests: [" + Exactly("r", count, ", tolerations: [{expression: a}]") + "]"});
  };
  EXPECT_EQ(Attempt(claims(1), 1'000'000), Allocator::Answer::Impossible);
  EXPECT_EQ(Attempt(claims(2), 0), Allocator::Answer::Impossible) << "nothing is left to evaluate";
  EXPECT_EQ(costly_.evaluations(), 6u);
}

TEST_F(AllocatorBudgetTest, SelectorsCountAsWell) {
  const std::string selector =
      R"(, selectors: [{cel: {expression: 'device.driver.startsWith("nobody")'}}])";
  const ClaimSet claims = cluster_.Claims({"requests: [" + Exactly("r", 1, selector) + "]"});
  int attempts = 1;
  while (Attempt(claims, 1) == Allocator::Answer::Error) ASSERT_LT(++attempts, 10);
  EXPECT_EQ(attempts, 6) << "one device each time, as the last evaluation may exceed the budget";
}

TEST_F(AllocatorBudgetTest, ADiagnosisEndsWithTheBudget) {
  const std::string selector = R"(, selectors: [{cel: {expression: 'device.driver == "x"'}}])";
  const ClaimSet claims = cluster_.Claims({"requests: [" + Exactly("r", 1, selector) + "]"});
  EXPECT_EQ(Attempt(claims, 1'000'000), Allocator::Answer::Impossible);
  cluster_.allocator().SetExpressionBudget(0);
  const Diagnosis diagnosis = cluster_.allocator().Diagnose(claims, 0);
  ASSERT_FALSE(diagnosis.requests.empty());
  ASSERT_FALSE(diagnosis.requests[0].devices.empty());
  EXPECT_EQ(diagnosis.requests[0].devices[0].detail, match::kBudgetExhausted);
}

TEST(AllocatorTimeTest, ANodeIsNotWaitedForTwiceInAnAttempt) {
  int looks = 0;
  DeviceCluster cluster({.stopwatch = [&looks] { return std::chrono::seconds(++looks); }});
  for (const NodeSlot slot : {0U, 1U}) {
    const std::string node = "n" + std::to_string(slot);
    cluster.PutNode(slot, node);
    cluster.Put(SliceYaml("s-" + node, node, "nodeName: " + node,
                          "[{name: d0}, {name: d1}, {name: d2}, {name: d3}]"));
  }
  const ClaimSet claims = cluster.Claims({"requests: [" + Exactly("r", 4) + "]"});
  cluster.allocator().BeginAttempt({}, std::chrono::seconds(3));
  Bitmap nodes(2);
  nodes.Fill(true);
  EXPECT_EQ(cluster.allocator().Filter(claims, nodes), NodeSlot{0});
  EXPECT_FALSE(nodes.Any()) << "the second was not even asked about";
  const int looked = looks;
  EXPECT_EQ(cluster.allocator().CheckNode(claims, 0), Allocator::Answer::Error);
  EXPECT_EQ(cluster.Allocate(claims, 0), "timed out trying to allocate devices");
  EXPECT_EQ(looks, looked);

  cluster.allocator().BeginAttempt({}, Duration::zero());
  EXPECT_EQ(cluster.allocator().CheckNode(claims, 0), Allocator::Answer::Possible);
  EXPECT_EQ(cluster.Allocate(claims, 0), "r=d0 r=d1 r=d2 r=d3");
}

TEST_F(AllocatorTest, ClaimsWithEqualSpecsShareWhatIsKnown) {
  const ClaimSet one = cluster_.Claims({"requests: [" + Exactly("r", 1) + "]"});
  const ClaimSet same = cluster_.Claims({"requests: [" + Exactly("r", 1) + "]"});
  const ClaimSet other = cluster_.Claims({"requests: [" + Exactly("r", 2) + "]"});
  EXPECT_EQ(&one.compiled(), &same.compiled());
  EXPECT_NE(&one.compiled(), &other.compiled());
}

TEST_F(AllocatorTest, AChangedClassCountsAtOnce) {
  const ClaimSet claims = cluster_.Claims({"requests: [" + Exactly("r", 3) + "]"});
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 0), Allocator::Answer::Possible);
  const auto narrower = ClassYaml("gpu", "device.attributes[\"gpu.example.com\"].model == \"a\"");
  cluster_.Put(narrower);
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 0), Allocator::Answer::Impossible);
  cluster_.Delete(narrower);
  EXPECT_EQ(cluster_.Allocate(claims),
            "claim default/c0, request r: could not retrieve device class gpu: "
            "deviceclasses.resource.k8s.io \"gpu\" not found");
  Bitmap nodes(2);
  nodes.Fill(true);
  EXPECT_EQ(cluster_.allocator().Filter(claims, nodes), NodeSlot{0});
  EXPECT_FALSE(nodes.Any());
}

TEST_F(AllocatorTest, ADeviceStaysTakenWhileItsSliceIsAway) {
  cluster_.Hold("other", {Held("n1/d0")});
  const auto slice = SliceYaml("s1", "n1", kOnN1, Devices());
  cluster_.Delete(slice);
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("r", 1) + "]"}), "none");
  cluster_.Put(slice);
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("r", 1) + "]"}), "r=d1");
}

TEST_F(AllocatorTest, TaintsKeepAwayWhoDoesNotTolerateThem) {
  cluster_.Put(SliceYaml("s1", "n1", kOnN1,
                         "[{name: d0, taints: [{key: errors, value: '8', effect: NoSchedule}]}, "
                         "{name: d1, taints: [{key: errors, value: '30', effect: NoExecute}]}, "
                         "{name: d2, taints: [{key: errors, effect: None}]}]"));
  const auto tolerating = [](const std::string& toleration) {
    return std::vector<std::string>{"requests: [" +
                                    Exactly("r", 2, ", tolerations: [" + toleration + "]") + "]"};
  };
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("r", 2) + "]"}), "none");
  // The threshold of each workload type (KEP-5471, story 5).
  EXPECT_EQ(cluster_.Allocate(tolerating("{key: errors, operator: Gt, value: '24'}")), "r=d1 r=d2");
  EXPECT_EQ(cluster_.Allocate(tolerating("{key: errors, operator: Gt, value: '1'}")), "r=d0 r=d1");
  EXPECT_EQ(cluster_.Allocate(tolerating("{operator: Exists, effect: NoSchedule}")), "r=d0 r=d2");
}

TEST_F(AllocatorTest, ARuleTaintsWhatIsKnownAlready) {
  const ClaimSet claims = cluster_.Claims({"requests: [" + Exactly("r", 3) + "]"});
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 0), Allocator::Answer::Possible);
  const auto rule = DecodeYaml(
      "{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: bad, uid: u}, "
      "spec: "
      "{deviceSelector: {pool: n1, device: d1}, taint: {key: bad, effect: NoExecute}}}");
  cluster_.Put(rule);
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 0), Allocator::Answer::Impossible);
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 1), Allocator::Answer::Possible);
  cluster_.Delete(rule);
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 0), Allocator::Answer::Possible);
}

TEST_F(AllocatorTest, TheFirstAlternativeThatCanBeHadIsTaken) {
  const std::string list =
      "requests: [{name: r, firstAvailable: ["
      "{name: big, deviceClassName: gpu, allocationMode: ExactCount, count: 4}, "
      "{name: mid, deviceClassName: gpu, allocationMode: ExactCount, count: 3}, "
      "{name: low, deviceClassName: gpu, allocationMode: ExactCount, count: 1}]}]";
  const ClaimSet claims = cluster_.Claims({list});
  EXPECT_EQ(cluster_.Allocate(claims), "r/mid=d0 r/mid=d1 r/mid=d2");
  EXPECT_EQ(cluster_.allocator().Score(claims, 0), 7);
  cluster_.Hold("other", {Held("n1/d0")});
  EXPECT_EQ(cluster_.Allocate(claims), "r/low=d1");
  EXPECT_EQ(cluster_.allocator().Score(claims, 0), 6);
  EXPECT_EQ(cluster_.allocator().Score(claims, 1), 7);
}

TEST_F(AllocatorTest, AllMeansAllOfTheNode) {
  const std::string all =
      "requests: [{name: r, exactly: {deviceClassName: gpu, allocationMode: All}}]";
  EXPECT_EQ(cluster_.Allocate({all}), "r=d0 r=d1 r=d2");
  cluster_.Hold("other", {Held("n1/d1")});
  EXPECT_EQ(cluster_.Allocate({all}), "none");
  const std::string admin =
      "requests: [{name: r, exactly: {deviceClassName: gpu, allocationMode: All, adminAccess: "
      "true}}]";
  EXPECT_EQ(cluster_.Allocate({admin}), "r=d0 r=d1 r=d2");
  EXPECT_EQ(
      cluster_.Allocate({all + ", constraints: [{matchAttribute: gpu.example.com/model}]"}, 1),
      "claim default/c0, request r: cannot add device gpu.example.com/n2/d1 because a claim "
      "constraint would not be satisfied");
}

TEST_F(AllocatorTest, ConstraintsHoldBetweenDevices) {
  const std::string two = "requests: [" + Exactly("r", 2) + "], constraints: ";
  EXPECT_EQ(cluster_.Allocate({two + "[{matchAttribute: gpu.example.com/model}]"}), "r=d0 r=d2");
  EXPECT_EQ(cluster_.Allocate({two + "[{distinctAttribute: gpu.example.com/model}]"}), "r=d0 r=d1");
  EXPECT_EQ(cluster_.Allocate({two + "[{distinctAttribute: gpu.example.com/other}]"}), "none");
}

TEST_F(AllocatorTest, SharedSlicesAreForNodesThatMatch) {
  cluster_.Put(SliceYaml("fabric", "fabric",
                         "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: zone, "
                         "operator: In, values: [a]}]}]}",
                         "[{name: f0}]"));
  const ClaimSet claims = cluster_.Claims({"requests: [" + Exactly("r", 4) + "]"});
  EXPECT_EQ(cluster_.Allocate(claims, 0), "none");
  EXPECT_EQ(cluster_.Allocate(claims, 1), "r=f0 r=d0 r=d1 r=d2");
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 0), Allocator::Answer::Impossible);
  cluster_.PutNode(0, "n1", "{zone: a}");
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 0), Allocator::Answer::Possible);
  cluster_.Hold("other", {Held("fabric/f0")});
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 0), Allocator::Answer::Impossible);
  EXPECT_EQ(cluster_.allocator().CheckNode(claims, 1), Allocator::Answer::Impossible);
}

TEST_F(AllocatorTest, ShareableDevicesAreHeldToTheirCapacity) {
  cluster_.Put(SliceYaml("s1", "n1", kOnN1,
                         "[{name: d0, allowMultipleAllocations: true, capacity: {memory: {value: "
                         "40Gi}}}]"));
  const std::string some =
      "requests: [" + Exactly("r", 1, ", capacity: {requests: {memory: 15Gi}}") + "]";
  EXPECT_EQ(cluster_.Allocate({some, some}), "r=d0; r=d0");
  EXPECT_EQ(cluster_.Allocate({some, some, some}), "none");
  // A request takes a device once, and all of its capacity if it asks for no amount.
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("r", 2) + "]"}), "none");

  Allocator::Outcome outcome =
      cluster_.allocator().Allocate(cluster_.Claims({some, some}), 0, cluster_.random());
  ASSERT_EQ(outcome.allocations.size(), 2U);
  EXPECT_THAT(std::string(outcome.allocations[0].result.results[0].share_id),
              MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
  cluster_.allocator().SetAllocation("u1", &outcome.allocations[0].result);
  cluster_.allocator().SetAllocation("u2", &outcome.allocations[1].result);
  EXPECT_EQ(cluster_.Allocate({some}), "none");
  cluster_.allocator().SetAllocation("u1", nullptr);
  EXPECT_EQ(cluster_.Allocate({some}), "r=d0");
}

TEST_F(AllocatorTest, OnlyTheFirstShareOfADeviceConsumesItsCounters) {
  cluster_.Put(DecodeYaml(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: counters}, spec: "
      "{driver: gpu.example.com, pool: {name: n1, generation: 2, resourceSliceCount: 2}, nodeName: "
      "n1, sharedCounters: [{name: card, counters: {memory: {value: 40Gi}}}]}}"));
  cluster_.Put(DecodeYaml(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s1}, spec: {driver: "
      "gpu.example.com, pool: {name: n1, generation: 2, resourceSliceCount: 2}, nodeName: n1, "
      "devices: [{name: d0, allowMultipleAllocations: true, consumesCounters: [{counterSet: card, "
      "counters: {memory: {value: 40Gi}}}]}]}}"));
  const std::string one = "requests: [" + Exactly("r", 1) + "]";
  EXPECT_EQ(cluster_.Allocate({one, one}), "r=d0; r=d0");
  // The device has no capacity, so the share consumes none.
  const Allocator::Outcome outcome =
      cluster_.allocator().Allocate(cluster_.Claims({one}), 0, cluster_.random());
  ASSERT_EQ(outcome.allocations.size(), 1U);
  cluster_.allocator().SetAllocation("u1", &outcome.allocations[0].result);
  EXPECT_EQ(cluster_.Allocate({one}), "r=d0");
}

TEST_F(AllocatorTest, PartsAreHeldToTheCountersOfTheWhole) {
  cluster_.Put(DecodeYaml(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: counters}, spec: "
      "{driver: gpu.example.com, pool: {name: n1, generation: 2, resourceSliceCount: 2}, nodeName: "
      "n1, sharedCounters: [{name: card, counters: {memory: {value: 40Gi}}}]}}"));
  const auto part = [](const std::string& name, const std::string& memory) {
    return "{name: " + name +
           ", consumesCounters: [{counterSet: card, counters: {memory: {value: " + memory + "}}}]}";
  };
  cluster_.Put(DecodeYaml(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s1}, spec: {driver: "
      "gpu.example.com, pool: {name: n1, generation: 2, resourceSliceCount: 2}, nodeName: n1, "
      "devices: [" +
      part("whole", "40Gi") + ", " + part("half", "20Gi") + ", " + part("quarter", "10Gi") +
      "]}}"));
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("r", 1) + "]"}), "r=whole");
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("r", 2) + "]"}), "r=half r=quarter");
  cluster_.Hold("other", {Held("n1/quarter")});
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("r", 1) + "]"}), "r=half");
  EXPECT_EQ(cluster_.Allocate({"requests: [" + Exactly("r", 2) + "]"}), "none");
}

TEST_F(AllocatorTest, ResultsAreWrittenAsTheStatusHasThem) {
  cluster_.Put(ClassYaml(
      "gpu", "", "config: [{opaque: {driver: gpu.example.com, parameters: {mode: fast}}}]"));
  const ClaimSet claims = cluster_.Claims(
      {"requests: [" +
       Exactly("a", 1, ", tolerations: [{key: x, operator: Exists, tolerationSeconds: 5}]") + ", " +
       Exactly("b", 1, ", adminAccess: true") +
       "], config: [{requests: [a], opaque: {driver: gpu.example.com, parameters: {size: 2}}}]"});
  Allocator::Outcome outcome = cluster_.allocator().Allocate(claims, 0, cluster_.random());
  ASSERT_EQ(outcome.allocations.size(), 1U);
  EXPECT_EQ(
      outcome.allocations[0].ToJson("2026-01-02T03:04:05Z"),
      R"({"devices":{"results":[{"request":"a","driver":"gpu.example.com","pool":"n1","device":"d0",)"
      R"("tolerations":[{"key":"x","operator":"Exists","tolerationSeconds":5}]},{"request":"b",)"
      R"("driver":"gpu.example.com","pool":"n1","device":"d1","adminAccess":true}],"config":[)"
      R"({"source":"FromClass","opaque":{"driver":"gpu.example.com","parameters":{"mode":"fast"}}},)"
      R"({"source":"FromClaim","requests":["a"],"opaque":{"driver":"gpu.example.com","parameters":)"
      R"({"size":2}}}]},"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":)"
      R"("metadata.name","operator":"In","values":["n1"]}]}]},"allocationTimestamp":)"
      R"("2026-01-02T03:04:05Z"})");
}

TEST_F(AllocatorTest, NamesAllTaintsThatRefuseADeviceRulesFirst) {
  cluster_.Put(SliceYaml("s1", "n1", kOnN1,
                         "[{name: d0, taints: [{key: errors, value: '8', effect: NoSchedule}, "
                         "{key: seen, effect: None}]}]"));
  cluster_.Put(ClassYaml("gpu", "device.driver != \"x\""));
  cluster_.Put(DecodeYaml(
      "{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: retired, uid: r}, "
      "spec: {deviceSelector: {pool: n1}, taint: {key: retired, effect: NoSchedule}}}"));
  const ClaimSet claims = cluster_.Claims({"requests: [" + Exactly("r", 1) + "]"});
  EXPECT_EQ(cluster_.Allocate(claims), "none");
  const Diagnosis diagnosis = cluster_.allocator().Diagnose(claims, 0);
  ASSERT_EQ(diagnosis.requests.size(), 1U);
  const DeviceRefusal& refusal = diagnosis.requests[0].devices[0];
  ASSERT_EQ(refusal.taints.size(), 2U);
  EXPECT_EQ(refusal.taints[0].source->taint->key, "retired");
  EXPECT_EQ(refusal.taints[0].source->rule->metadata().name, "retired");
  EXPECT_EQ(refusal.taints[1].source->taint->key, "errors");
}

TEST_F(AllocatorTest, SaysWhyDevicesDoNotDo) {
  cluster_.Put(SliceYaml("s1", "n1", kOnN1,
                         "[{name: d0, taints: [{key: errors, value: '8', effect: NoSchedule}]}, "
                         "{name: d1}, {name: d2}, {name: d3}]"));
  cluster_.Put(ClassYaml("gpu", "device.driver != \"x\""));
  cluster_.Hold("other", {Held("n1/d1"), Held("n1/d2")});
  const ClaimSet claims = cluster_.Claims(
      {"requests: [" +
       Exactly("r", 2, ", tolerations: [{key: errors, operator: Gt, value: '24'}]") + "]"});
  EXPECT_EQ(cluster_.Allocate(claims), "none");
  const Diagnosis diagnosis = cluster_.allocator().Diagnose(claims, 0);
  ASSERT_EQ(diagnosis.requests.size(), 1U);
  const RequestDiagnosis& request = diagnosis.requests[0];
  EXPECT_EQ(request.usable, 1U);
  ASSERT_EQ(request.devices.size(), 4U);
  EXPECT_EQ(request.devices[0].fault, DeviceFault::Tainted);
  ASSERT_EQ(request.devices[0].taints.size(), 1U);
  ASSERT_TRUE(request.devices[0].taints[0].nearest.has_value());
  EXPECT_EQ(request.devices[0].taints[0].nearest->fault, match::TolerationFault::NotGreater);
  EXPECT_EQ(request.devices[1].fault, DeviceFault::InUse);
  EXPECT_EQ(request.devices[3].fault, DeviceFault::None);
  EXPECT_EQ(request.devices[2].fault, DeviceFault::InUse);
  EXPECT_EQ(request.devices[0].taints[0].source->taint->value, "8");
}

/// A device whose taint was added at noon, and one without taints, on each of two nodes.
class TolerationTimeTest : public testing::Test {
 protected:
  TolerationTimeTest() {
    for (const NodeSlot slot : {0U, 1U}) {
      const std::string node = "n" + std::to_string(slot);
      cluster_.PutNode(slot, node);
      PutSlice(node, kNoon);
    }
  }
  void PutSlice(const std::string& node, Instant added) {
    cluster_.Put(SliceYaml("s-" + node, node, "nodeName: " + node,
                           "[{name: hot, taints: [{key: hot, effect: NoExecute, timeAdded: '" +
                               FormatTime(added) + "'}]}]"));
  }
  Allocator::Answer AskAt(const ClaimSet& claims, Instant now, NodeSlot node = 0) {
    cluster_.allocator().BeginAttempt(now, Duration::zero());
    return cluster_.allocator().CheckNode(claims, node);
  }
  ClaimSet Tolerating(const std::string& seconds) {
    return cluster_.Claims({"requests: [" +
                            Exactly("r", 1,
                                    ", tolerations: [{key: hot, operator: Exists, effect: "
                                    "NoExecute, tolerationSeconds: " +
                                        seconds + "}]") +
                            "]"});
  }

  static constexpr Instant kNoon{std::chrono::seconds(1'772'366'400)};
  static constexpr Duration kSecond = std::chrono::seconds(1);
  DeviceCluster cluster_;
};

TEST_F(TolerationTimeTest, AnAnswerEndsWithTheToleration) {
  const ClaimSet claims = Tolerating("6");
  EXPECT_EQ(AskAt(claims, kNoon + 6 * kSecond - Duration(1)), Allocator::Answer::Possible)
      << "although the pod will hardly have started";
  EXPECT_EQ(cluster_.Allocate(claims), "r=hot");
  EXPECT_EQ(AskAt(claims, kNoon + 6 * kSecond), Allocator::Answer::Impossible);
  EXPECT_EQ(cluster_.Allocate(claims), "none");

  PutSlice("n0", kNoon + 10 * kSecond);
  EXPECT_EQ(AskAt(claims, kNoon + 15 * kSecond), Allocator::Answer::Possible) << "a new taint";
  EXPECT_EQ(AskAt(claims, kNoon + 15 * kSecond, 1), Allocator::Answer::Impossible);
}

TEST_F(TolerationTimeTest, OnlyTheNodesWhoseTimeIsOverAreSearchedAgain) {
  PutSlice("n1", kNoon + 60 * kSecond);
  const ClaimSet claims = Tolerating("6");
  Bitmap nodes(2);
  nodes.Fill(true);
  cluster_.allocator().BeginAttempt(kNoon, Duration::zero());
  EXPECT_EQ(cluster_.allocator().Filter(claims, nodes), std::nullopt);
  EXPECT_EQ(nodes.Count(), 2U);
  const std::uint64_t steps = cluster_.allocator().steps();
  cluster_.allocator().BeginAttempt(kNoon + 6 * kSecond, Duration::zero());
  EXPECT_EQ(cluster_.allocator().Filter(claims, nodes), std::nullopt);
  EXPECT_FALSE(nodes.Test(0));
  EXPECT_TRUE(nodes.Test(1));
  EXPECT_EQ(cluster_.allocator().steps(), steps + 1);
}

TEST_F(TolerationTimeTest, MoreSecondsThanFitAreForEver) {
  const ClaimSet claims = Tolerating("10000000000");
  EXPECT_EQ(AskAt(claims, Instant::max() - kSecond), Allocator::Answer::Possible);
}

TEST_F(TolerationTimeTest, ADiagnosisSaysWhenTheTimeWasOver) {
  const ClaimSet claims = Tolerating("6");
  ASSERT_EQ(AskAt(claims, kNoon + 60 * kSecond), Allocator::Answer::Impossible);
  const Diagnosis diagnosis = cluster_.allocator().Diagnose(claims, 0);
  const DeviceRefusal& refusal = diagnosis.requests.at(0).devices.at(0);
  EXPECT_EQ(refusal.fault, DeviceFault::Tainted);
  ASSERT_EQ(refusal.taints.size(), 1u);
  const TaintRefusal& taint = refusal.taints[0];
  ASSERT_TRUE(taint.nearest.has_value());
  EXPECT_EQ(ToText(match::TaintDiagnosis{
                .taint = taint.source->taint, .blocks = true, .nearest = taint.nearest}),
            "taint hot:NoExecute: toleration 0 (Exists): its tolerationSeconds of 6 ended at "
            "2026-03-01T12:00:06Z");
}

}  // namespace
}  // namespace plimsoll::dra
