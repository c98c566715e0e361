#include "controller/device_taint_eviction/device_taint_eviction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "controller/server_for_test.h"
#include "controller/workload/tree.h"
#include "match/costly_evaluator_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using Texts = std::vector<std::string>;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();
const std::string kApi = "{apiVersion: resource.k8s.io/v1, kind: ";

class DeviceTaintEvictionTest : public testing::Test {
 protected:
  DeviceTaintEvictionTest() { server_.Sync(); }

  void Put(const std::string& yaml) {
    server_.Put(yaml);
    server_.Settle();
  }
  void PutSlice(const std::string& devices, int generation = 1) {
    Put(kApi +
        "ResourceSlice, metadata: {name: s}, spec: {driver: gpu, pool: {name: n1, "
        "generation: " +
        std::to_string(generation) + ", resourceSliceCount: 1}, nodeName: n1, devices: [" +
        devices + "]}}");
  }
  /// Creates a pod `name` and a claim that allocates the device to it.
  void PutPod(const std::string& name, const std::string& device,
              const std::string& tolerations = "", const std::string& space = "default") {
    PutClaim(name, device, tolerations, "{resource: pods, name: " + name + ", uid: u-" + name + "}",
             space);
    Put("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: " + space +
        ", uid: u-" + name + "}, spec: {nodeName: n1, resourceClaims: [{name: c, " +
        "resourceClaimName: " + name + "}]}}");
  }
  void PutClaim(const std::string& name, const std::string& device, const std::string& tolerations,
                const std::string& consumers, const std::string& space = "default") {
    Put(kApi + "ResourceClaim, metadata: {name: " + name + ", namespace: " + space +
        "}, status: {allocation: {devices: {results: [{request: r, driver: gpu, pool: n1, "
        "device: " +
        device + ", tolerations: [" + tolerations + "]}]}}, reservedFor: [" + consumers + "]}}");
  }
  void PutRule(const std::string& name, int generation, const std::string& effect,
               const std::string& selector = "{}", const std::string& more = "") {
    Put(kApi + "DeviceTaintRule, metadata: {name: " + name +
        ", generation: " + std::to_string(generation) + "}, spec: {deviceSelector: " + selector +
        ", taint: {key: k, effect: " + effect + ", timeAdded: '" + FormatTime(server_.now()) + "'" +
        more + "}}, status: {conditions: " + Conditions(name) + "}}");
  }
  /// Returns the rule's conditions as JSON. An edit of the spec must keep them.
  std::string Conditions(const std::string& name) const {
    const ObjectPtr rule = server_.Find("DeviceTaintRule", "", name);
    const codec::Value* const list =
        rule == nullptr ? nullptr : rule->As<api::DeviceTaintRule>()->conditions;
    return list == nullptr ? "[]" : codec::WriteJson(*list);
  }
  std::string ConditionOfRule(const std::string& name) const {
    const auto condition = ConditionOf(*server_.Find("DeviceTaintRule", "", name));
    return condition ? condition->reason + " " + condition->message : "none";
  }
  static std::string Tainted(const std::string& device) {
    return "{name: " + device +
           ", taints: [{key: k, effect: NoExecute, timeAdded: '2026-03-01T12:00:00Z'}]}";
  }
  bool Has(std::string_view pod, std::string_view space = "default") const {
    return server_.Find("Pod", space, pod) != nullptr;
  }
  std::size_t Pods() const { return server_.All("Pod").size(); }

  MetricsRegistry metrics_;
  DeviceTaintEviction core_{{}, {}, metrics_};
  ServerForTest<DeviceTaintEviction> server_{core_, kNoon};
};

constexpr const char* kForAMinute =
    "{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 60}";

TEST_F(DeviceTaintEvictionTest, ADriversTaintEvicts) {
  PutSlice("{name: a}, {name: b}");
  PutPod("p", "a");
  PutPod("q", "b");
  PutSlice(Tainted("a") + ", {name: b}");
  EXPECT_FALSE(Has("p"));
  EXPECT_TRUE(Has("q"));
  EXPECT_THAT(server_.TakeEvents(),
              ElementsAre("DeviceTaintManagerEviction: Marking for deletion: taint k= of device "
                          "gpu/n1/a"));
  EXPECT_THAT(server_.TakeEvictions(),
              ElementsAre("p: DeletionByDeviceTaintManager: Device Taint manager: deleting due to "
                          "NoExecute taint"));
  EXPECT_EQ(core_.pending(), 0u);
}

TEST_F(DeviceTaintEvictionTest, ASliceOfTaintsEvicts) {
  PutSlice("{name: a}");
  PutPod("p", "a");
  Put(kApi +
      "ResourceSlice, metadata: {name: t}, spec: {driver: gpu, pool: {name: n1, generation: "
      "1, resourceSliceCount: 2}, nodeName: n1, taints: [{device: a, taint: {key: k, "
      "effect: NoExecute, timeAdded: '2026-03-01T12:00:00Z'}}]}}");
  EXPECT_FALSE(Has("p"));
}

TEST_F(DeviceTaintEvictionTest, TheTimeRunsFromWhenTheTaintWasAdded) {
  PutSlice("{name: a}");
  PutPod("p", "a", kForAMinute);
  server_.RunFor(20s);
  PutSlice(Tainted("a"));
  server_.RunFor(39s);
  EXPECT_TRUE(Has("p"));
  server_.RunFor(1s);
  EXPECT_FALSE(Has("p"));
}

TEST_F(DeviceTaintEvictionTest, APodWithoutTimeDoesNotWaitForARoundedTime) {
  PutSlice("{name: a}");
  PutPod("p", "a", "");
  server_.RunFor(400ms);
  PutSlice("{name: a, taints: [{key: k, effect: NoExecute, timeAdded: '" +
           FormatTime(std::chrono::ceil<std::chrono::seconds>(server_.now())) + "'}]}");
  server_.Settle();
  EXPECT_FALSE(Has("p"));
}

TEST_F(DeviceTaintEvictionTest, WhatTheTaintNoLongerSaysIsCancelled) {
  PutSlice(Tainted("a"));
  PutPod("p", "a", kForAMinute);
  EXPECT_EQ(core_.pending(), 1u);
  server_.RunFor(30s);
  PutSlice("{name: a}");
  EXPECT_EQ(core_.pending(), 0u);
  server_.RunFor(1h);
  EXPECT_TRUE(Has("p"));
  EXPECT_THAT(server_.TakeEvents(), ElementsAre("DeviceTaintManagerEviction: Cancelling deletion"));
  EXPECT_EQ(core_.evictions(), 0u) << "nothing is left of an idle limiter";
}

TEST_F(DeviceTaintEvictionTest, ASharedClaimEvictsAllOfItsPods) {
  PutSlice("{name: a}");
  PutClaim("shared", "a", "",
           "{resource: pods, name: p, uid: u-p}, {resource: pods, name: q, uid: u-q}");
  for (const char* const name : {"p", "q", "stranger"}) {
    Put(std::string("{apiVersion: v1, kind: Pod, metadata: {namespace: default, name: ") + name +
        ", uid: u-" + name +
        "}, spec: {nodeName: n1, resourceClaims: [{name: c, resourceClaimName: shared}]}}");
  }
  PutRule("r", 1, "NoExecute");
  EXPECT_FALSE(Has("p"));
  EXPECT_FALSE(Has("q"));
  EXPECT_TRUE(Has("stranger")) << "it may not use the claim";
}

TEST_F(DeviceTaintEvictionTest, ARuleReachesDevicesThatNobodyPublishes) {
  PutPod("p", "a");
  PutRule("cel", 1, "NoExecute", "{selectors: [{cel: {expression: 'true'}}]}");
  EXPECT_TRUE(Has("p")) << "nothing is known of the device but its name";
  PutRule("none", 1, "None", "{driver: gpu}");
  EXPECT_EQ(ConditionOfRule("none").substr(0, 81),
            "NoEffect 0 published devices selected. 1 allocated device selected. 1 pod would b");
  PutRule("name", 1, "NoExecute", "{driver: gpu}");
  EXPECT_FALSE(Has("p"));
}

TEST_F(DeviceTaintEvictionTest, ARuleSelectsByExpressionAndClass) {
  Put(kApi +
      "DeviceClass, metadata: {name: big}, spec: {selectors: [{cel: {expression: "
      "'device.attributes[\"gpu\"].memory > 40'}}]}}");
  PutSlice(
      "{name: a, attributes: {memory: {int: 24}}}, {name: b, attributes: {memory: {int: 80}}}");
  PutPod("p", "a");
  PutPod("q", "b");
  PutRule("r", 1, "NoExecute", "{deviceClassName: big}");
  EXPECT_TRUE(Has("p"));
  EXPECT_FALSE(Has("q"));
  PutSlice(
      "{name: a, attributes: {memory: {int: 48}}}, {name: b, attributes: {memory: {int: 80}}}");
  EXPECT_FALSE(Has("p"));
}

TEST_F(DeviceTaintEvictionTest, APreviewThenTheEviction) {
  PutSlice("{name: a}, {name: b}, {name: c}");
  PutPod("p", "a");
  PutPod("q", "b", "", "other");
  PutRule("r", 1, "None");
  EXPECT_EQ(ConditionOfRule("r"),
            "NoEffect 3 published devices selected. 2 allocated devices selected. 2 pods would be "
            "evicted in 2 different namespaces if the effect was NoExecute. This information will "
            "not be updated again. Recreate the DeviceTaintRule to trigger an update.");
  PutPod("x", "c");
  server_.RunFor(1min);
  EXPECT_EQ(Pods(), 3u);
  EXPECT_EQ(ConditionOfRule("r").substr(0, 60),
            "NoEffect 3 published devices selected. 2 allocated devices s");
  PutRule("r", 2, "NoExecute");
  EXPECT_EQ(Pods(), 0u);
  EXPECT_EQ(ConditionOfRule("r"),
            "PodsPendingEviction 3 pods need to be evicted in 2 different namespaces.");
  server_.RunFor(10s);
  EXPECT_EQ(ConditionOfRule("r"), "Completed 3 pods evicted since starting the controller.");
}

TEST_F(DeviceTaintEvictionTest, APodMayComeBeforeTheNewsThatFreedItsDevice) {
  struct Case {
    std::string_view what;
    std::string_view held;
    std::function<void()> taint;
    std::function<void()> untaint;
  };
  const std::string kWorn = "{name: a, attributes: {errors: {int: 9}}}";
  const std::string kGood = "{name: a, attributes: {errors: {int: 0}}}";
  const std::string kByErrors =
      "{selectors: [{cel: {expression: 'device.attributes[\"gpu\"].errors > 5'}}]}";
  const Case kCases[] = {
      {"a driver's taint", "ResourceSlice", [&] { PutSlice(Tainted("a")); },
       [&] { PutSlice("{name: a}"); }},
      {"a rule that is deleted", "DeviceTaintRule",
       [&] {
         PutSlice("{name: a}");
         PutRule("r", 1, "NoExecute");
       },
       [&] { server_.Delete("DeviceTaintRule", "", "r"); }},
      {"a rule that is edited", "DeviceTaintRule", [&] { PutRule("s", 1, "NoExecute"); },
       [&] { PutRule("s", 2, "NoSchedule"); }},
      {"what a rule asks for", "ResourceSlice",
       [&] {
         PutSlice(kWorn);
         PutRule("t", 1, "NoExecute", kByErrors);
       },
       [&] { PutSlice(kGood); }},
  };
  for (const Case& c : kCases) {
    c.taint();
    server_.Settle();
    server_.HoldEvents(c.held);
    c.untaint();
    server_.TakeEvents();
    PutPod("p", "a");
    server_.RunFor(10s);  // the confirmation is retried with back-off
    EXPECT_TRUE(Has("p")) << c.what;
    EXPECT_EQ(core_.pending(), 1u) << c.what;
    server_.DeliverHeldEvents();
    server_.RunFor(1min);
    EXPECT_TRUE(Has("p")) << c.what;
    EXPECT_EQ(core_.pending(), 0u) << c.what;
    EXPECT_THAT(server_.TakeEvents(), IsEmpty()) << c.what << ": there is nothing to tell";
    server_.Delete("Pod", "default", "p");
  }
}

TEST_F(DeviceTaintEvictionTest, APodOnADeviceThatIsStillTaintedGoesAtOnce) {
  PutSlice("{name: a}");
  PutRule("r", 1, "NoExecute");
  PutPod("p", "a");
  EXPECT_FALSE(Has("p"));

  // The rule's change does not affect its taint.
  server_.HoldEvents("DeviceTaintRule");
  server_.Patch("DeviceTaintRule", "", "r", R"({"metadata":{"labels":{"zone":"a"}}})");
  PutPod("late", "a");
  EXPECT_TRUE(Has("late"));
  server_.DeliverHeldEvents();
  server_.RunFor(1s);
  EXPECT_FALSE(Has("late"));

  // The driver taints the device while the confirmation is in flight.
  server_.HoldEvents("DeviceTaintRule");
  server_.Patch("DeviceTaintRule", "", "r", R"({"metadata":{"labels":{"zone":"b"}}})");
  PutPod("later", "a");
  EXPECT_TRUE(Has("later"));
  server_.HoldEvents("");
  PutSlice(Tainted("a"));
  EXPECT_FALSE(Has("later")) << "that is news of the device itself";
}

TEST_F(DeviceTaintEvictionTest, AConditionFollowsTenSecondsAfterTheEviction) {
  PutSlice("{name: a}");
  PutPod("p", "a", "{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 5}");
  PutRule("r", 1, "NoExecute");
  const std::string pending = "PodsPendingEviction 1 pod needs to be evicted in 1 namespace.";
  EXPECT_EQ(ConditionOfRule("r"), pending);
  server_.RunFor(5s);
  EXPECT_FALSE(Has("p"));
  // All pods are gone ten seconds after the rule came; that alone is no reason for an update.
  server_.RunFor(9s);
  EXPECT_EQ(ConditionOfRule("r"), pending);
  server_.RunFor(1s);
  EXPECT_EQ(ConditionOfRule("r"), "Completed 1 pod evicted since starting the controller.");
}

TEST_F(DeviceTaintEvictionTest, AConditionTellsANewPodAtOnce) {
  PutSlice("{name: a}, {name: b}");
  PutRule("r", 1, "NoExecute");
  EXPECT_EQ(ConditionOfRule("r"), "NotStarted ");
  server_.RunFor(8s);
  PutPod("p", "a", kForAMinute);
  EXPECT_EQ(ConditionOfRule("r"), "NotStarted ");
  server_.RunFor(2s);
  EXPECT_EQ(ConditionOfRule("r"), "PodsPendingEviction 1 pod needs to be evicted in 1 namespace.");
  server_.RunFor(20s);
  PutPod("q", "b", kForAMinute);
  EXPECT_EQ(ConditionOfRule("r"), "PodsPendingEviction 2 pods need to be evicted in 1 namespace.");
}

TEST_F(DeviceTaintEvictionTest, FailedEvictionsAndWritesAreTriedAgain) {
  PutSlice("{name: a}");
  PutPod("p", "a");
  server_.FailNext(4);
  PutRule("r", 1, "NoExecute");
  EXPECT_TRUE(Has("p"));
  server_.RunFor(1s);
  EXPECT_FALSE(Has("p"));
  EXPECT_EQ(server_.TakeEvents().size(), 1u) << "one event, however many tries";
  server_.RunFor(10s);
  EXPECT_EQ(ConditionOfRule("r"), "Completed 1 pod evicted since starting the controller.");
}

TEST_F(DeviceTaintEvictionTest, AFailedEvictionStopsWithItsRule) {
  PutSlice("{name: a}");
  PutPod("p", "a");
  PutRule("r", 1, "NoSchedule");
  server_.TakeEvents();
  server_.FailNext(1000);
  PutRule("r", 2, "NoExecute");
  server_.RunFor(5s);
  EXPECT_TRUE(Has("p"));
  server_.FailNext(0);
  server_.Delete("DeviceTaintRule", "", "r");
  server_.RunFor(5min);
  EXPECT_TRUE(Has("p"));
  EXPECT_EQ(server_.TakeEvents().back(), "DeviceTaintManagerEviction: Cancelling deletion");
}

TEST_F(DeviceTaintEvictionTest, OthersMayDeleteThePodFirst) {
  PutSlice(Tainted("a"));
  PutPod("p", "a", kForAMinute);
  server_.Delete("Pod", "default", "p");
  EXPECT_EQ(core_.pending(), 0u);
  server_.RunFor(5min);
  EXPECT_THAT(server_.TakeEvents(), IsEmpty());
  EXPECT_THAT(server_.TakeEvictions(), IsEmpty());
}

TEST_F(DeviceTaintEvictionTest, ATemplatesClaimMustBeThePods) {
  PutSlice(Tainted("a"));
  for (const char* const owner : {"nobody", "u-p"}) {
    Put(kApi +
        "ResourceClaim, metadata: {name: p-c, namespace: default, ownerReferences: "
        "[{apiVersion: v1, kind: Pod, name: p, controller: true, uid: " +
        owner +
        "}]}, status: {allocation: {devices: {results: [{request: r, driver: gpu, pool: n1, "
        "device: a}]}}, reservedFor: [{resource: pods, name: p, uid: u-p}]}}");
    Put("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, uid: u-p}, spec: "
        "{nodeName: n1, resourceClaims: [{name: c, resourceClaimTemplateName: t}]}, status: "
        "{resourceClaimStatuses: [{name: c, resourceClaimName: p-c}]}}");
    EXPECT_EQ(Has("p"), std::string_view(owner) == "nobody") << owner;
  }
}

TEST(DeviceTaintEvictionGatesTest, WithoutTheirGateRulesDoNothing) {
  api::FeatureGates gates;
  gates.Set(api::Feature::DRADeviceTaintRules, false);
  MetricsRegistry metrics;
  DeviceTaintEviction core(gates, {}, metrics);
  ServerForTest<DeviceTaintEviction> server(core, kNoon);
  server.Sync();
  server.Put(kApi +
             "DeviceTaintRule, metadata: {name: r}, spec: {deviceSelector: {}, taint: {key: "
             "k, effect: NoExecute}}}");
  server.RunFor(1min);
  EXPECT_EQ(server.writes(), 0u);
}

class DeviceTaintEvictionBudgetTest : public testing::Test {
 protected:
  static ObjectPtr Object(const std::string& yaml) {
    auto documents = codec::ParseYaml(yaml);
    return api::DecodeObject(std::move(documents->front()), {.apply_defaults = false})->object;
  }
  std::size_t Record(const ObjectPtr& object) {
    const std::size_t before = evaluator_.evaluations();
    core_.Observe(ObjectChanged{nullptr, object}, {kNoon, out_});
    return evaluator_.evaluations() - before;
  }
  void TellPod(const std::string& name, const std::string& tolerations) {
    Record(Object(kApi + "ResourceClaim, metadata: {name: " + name +
                  ", namespace: default}, status: {allocation: {devices: {results: [{request: r, "
                  "driver: gpu, pool: n1, device: a, tolerations: [" +
                  tolerations + "]}]}}, reservedFor: [{resource: pods, name: " + name +
                  ", uid: u-" + name + "}]}}"));
    Record(Object("{apiVersion: v1, kind: Pod, metadata: {name: " + name +
                  ", namespace: default, uid: u-" + name +
                  "}, spec: {nodeName: n1, resourceClaims: [{name: c, resourceClaimName: " + name +
                  "}]}}"));
  }
  ObjectPtr Slice(const std::string& devices) {
    return Object(kApi +
                  "ResourceSlice, metadata: {name: s}, spec: {driver: gpu, pool: {name: n1, "
                  "generation: 1, resourceSliceCount: 1}, nodeName: n1, devices: [" +
                  devices + "]}}");
  }

  match::CostlyEvaluator evaluator_{3'000'000};
  MetricsRegistry metrics_;
  DeviceTaintEviction core_{{}, {.evaluator = &evaluator_}, metrics_};
  Actions out_;
};

TEST_F(DeviceTaintEvictionBudgetTest, OtherPodsAreJudgedBeforeOneWhoseExpressionsCostMuch) {
  const ObjectPtr clean = Slice("{name: a}");
  Record(clean);
  std::string tolerations;
  for (int i = 0; i < 12; ++i) tolerations += "{expression: e" + std::to_string(i) + "},";
  TellPod("costly", tolerations);
  TellPod("other", "");
  TellPod("lucky", tolerations + "{expression: 'yes'}");
  core_.Observe(Synced{}, {kNoon, out_});
  const ObjectPtr tainted =
      Slice("{name: a, taints: [{key: k, effect: NoExecute, timeAdded: '2026-03-01T12:00:00Z'}]}");
  core_.Observe(ObjectChanged{clean, tainted}, {kNoon, out_});
  EXPECT_EQ(evaluator_.evaluations(), 4u)
      << "no more than the budget, and one evaluation beyond it";
  EXPECT_EQ(core_.pending(), 1u) << "the other pod is to go; nothing is known of the rest";
  int wakes = 0;
  while (evaluator_.evaluations() < 13u && core_.NextWake() == kNoon) {
    core_.Wake({kNoon, out_});
    ASSERT_LE(evaluator_.evaluations(), 4u * static_cast<std::size_t>(++wakes + 1));
  }
  EXPECT_EQ(evaluator_.evaluations(), 13u) << "each expression once, for both claims";
  EXPECT_EQ(core_.pending(), 2u) << "the lucky pod stays";
}

}  // namespace
}  // namespace plimsoll::controller
