#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json.h"
#include "codec/yaml.h"
#include "controller/objects_for_test.h"
#include "controller/workload/condition.h"
#include "controller/workload/deletion_rank.h"
#include "controller/workload/expectations.h"
#include "controller/workload/owned_pods.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

/// `ready`: second since which the pod is ready; negative: not ready.
struct PodSpec {
  std::string name;
  std::string node = "one";
  std::string phase = "Running";
  int ready = -1;
  std::string annotations = "{}";
  int restarts = 0;
  int created = 0;
};

ObjectPtr APod(const PodSpec& spec) {
  const auto time = [](int second) { return FormatTime(Instant(std::chrono::seconds(second))); };
  std::string text = "apiVersion: v1\nkind: Pod\nmetadata: {name: " + spec.name +
                     ", namespace: default, uid: " + spec.name +
                     ", labels: {app: web}, annotations: " + spec.annotations +
                     ", creationTimestamp: '" + time(spec.created) + "'}\nspec: {containers: []";
  if (!spec.node.empty()) text += ", nodeName: " + spec.node;
  text += "}\nstatus: {phase: " + spec.phase +
          ", containerStatuses: [{restartCount: " + std::to_string(spec.restarts) +
          ", name: c, ready: true, image: i, imageID: x}]";
  if (spec.ready >= 0) {
    text += ", conditions: [{type: Ready, status: 'True', lastTransitionTime: '" +
            time(spec.ready) + "'}]";
  }
  return Decode(text + "}\n");
}

TEST(TreeTest, ScalesPercentages) {
  struct Case {
    std::string text;
    std::int64_t total;
    std::int64_t down;
    std::int64_t up;
  };
  for (const Case& test : std::vector<Case>{{"25%", 10, 2, 3},
                                            {"100%", 7, 7, 7},
                                            {"0%", 7, 0, 0},
                                            {"3", 10, 3, 3},
                                            {"'x'", 10, 0, 0},
                                            {"null", 10, 9, 9}}) {
    const auto documents = codec::ParseYaml("v: " + test.text);
    const codec::Value& tree = documents->front()->root();
    EXPECT_EQ(ScaledAt(tree, {"v"}, test.total, Rounding::Down, 9), test.down) << test.text;
    EXPECT_EQ(ScaledAt(tree, {"v"}, test.total, Rounding::Up, 9), test.up) << test.text;
  }
}

TEST(TreeTest, AStatusChangeHoldsWhatDiffers) {
  const ObjectPtr set = Decode(
      "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: a, uid: u, resourceVersion: '7'}\n"
      "spec: {}\nstatus: {replicas: 2, readyReplicas: 1}\n");
  StatusChange none(*set);
  none.Int("replicas", 2).Count("readyReplicas", 1).Count("availableReplicas", 0);
  EXPECT_TRUE(none.empty());
  StatusChange some(*set);
  some.Int("replicas", 0).Count("readyReplicas", 0).Count("availableReplicas", 3);
  EXPECT_EQ(some.Patch(), R"({"metadata":{"resourceVersion":"7","uid":"u"},)"
                          R"("status":{"replicas":0,"readyReplicas":null,"availableReplicas":3}})");
}

TEST(WorkloadConditionsTest, ReplacesKeepsAndRemoves) {
  const ObjectPtr set = Decode(
      "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: a}\nspec: {}\n"
      "status: {replicas: 0, conditions: [{type: A, status: 'True', reason: r}, "
      "{type: B, status: 'False'}]}\n");
  WorkloadConditions conditions(*set);
  EXPECT_TRUE(conditions.IsTrue("A"));
  EXPECT_FALSE(conditions.IsTrue("B"));
  EXPECT_EQ(conditions.Find("C"), nullptr);
  conditions.Remove("C");
  EXPECT_FALSE(conditions.is_changed());
  conditions.Set({.type = "B", .status = "True"});
  conditions.Remove("A");
  EXPECT_TRUE(conditions.is_changed());
  EXPECT_EQ(conditions.Json(), R"([{"type":"B","status":"True"}])");
  conditions.Remove("B");
  EXPECT_EQ(conditions.Json(), "null");
}

TEST(ExpectationsTest, AreSatisfiedWhenSeenOrTooOld) {
  Expectations expectations;
  const Instant start(1h);
  EXPECT_TRUE(expectations.is_satisfied(start));
  EXPECT_FALSE(expectations.CreationObserved());
  expectations.ExpectCreations(2, start);
  expectations.ExpectDeletion("u", start);
  EXPECT_TRUE(expectations.CreationObserved());
  EXPECT_TRUE(expectations.CreationObserved());
  EXPECT_FALSE(expectations.is_satisfied(start));
  expectations.DeletionObserved("another");
  EXPECT_FALSE(expectations.is_satisfied(start + 5min - 1ns));
  EXPECT_TRUE(expectations.is_satisfied(start + 5min));
  expectations.DeletionObserved("u");
  EXPECT_TRUE(expectations.is_satisfied(start));
}

TEST(OwnedPodsTest, CountsAreKeptUp) {
  OwnedPods pods;
  pods.Configure(30s, {{"app", "web"}}, Instant(0s));
  const Instant now(100s);
  pods.Put(APod({.name = "a", .ready = 10}), now);
  pods.Put(APod({.name = "b", .ready = 90}), now);
  pods.Put(APod({.name = "c"}), now);
  pods.Put(APod({.name = "d", .phase = "Failed"}), now);
  EXPECT_EQ(pods.counts(), (PodCounts{3, 2, 1, 3, 0}));
  EXPECT_EQ(pods.NextAvailable(), Instant(120s));
  pods.Advance(Instant(120s));
  EXPECT_EQ(pods.counts().available, 2);
  EXPECT_EQ(pods.NextAvailable(), std::nullopt);
  pods.Put(APod({.name = "b"}), now);
  EXPECT_EQ(pods.counts(), (PodCounts{3, 1, 1, 3, 0}));
  pods.Configure(30s, {{"app", "other"}}, now);
  EXPECT_EQ(pods.counts(), (PodCounts{3, 1, 1, 0, 0}));
  for (const char* name : {"a", "b", "c", "d", "e"}) pods.Erase(name);
  EXPECT_EQ(pods.counts(), PodCounts{});
}

TEST(DeletionRankTest, PutsThoseFirstThatAreMissedLeast) {
  struct Case {
    std::string name;
    PodSpec first;
    PodSpec second;
    std::int64_t rank_first = 1;
    std::int64_t rank_second = 1;
  };
  const std::vector<Case> cases = {
      {"unassigned", {.name = "b", .node = "", .ready = 1}, {.name = "a", .ready = 1}},
      {"pending", {.name = "b", .phase = "Pending"}, {.name = "a"}},
      {"unknown", {.name = "b", .phase = "Unknown"}, {.name = "a"}},
      {"not ready", {.name = "b"}, {.name = "a", .ready = 1}},
      {"cheap",
       {.name = "b", .annotations = "{controller.kubernetes.io/pod-deletion-cost: '-5'}"},
       {.name = "a"}},
      {"crowded", {.name = "b"}, {.name = "a"}, 3, 2},
      {"ready for less", {.name = "b", .ready = 990}, {.name = "a", .ready = 10}},
      {"ready for about as long: uid", {.name = "a", .ready = 10}, {.name = "b", .ready = 20}},
      {"restarts", {.name = "b", .restarts = 4}, {.name = "a", .restarts = 2}},
      {"younger", {.name = "b", .created = 990}, {.name = "a", .created = 10}},
  };
  for (const Case& test : cases) {
    const OwnedPod first = ReadPod(APod(test.first));
    const OwnedPod second = ReadPod(APod(test.second));
    for (const bool is_swapped : {false, true}) {
      std::vector<RankedPod> pods = {{&first, test.rank_first}, {&second, test.rank_second}};
      if (is_swapped) std::swap(pods[0], pods[1]);
      SortForDeletion(pods, Instant(1000s));
      EXPECT_EQ(pods[0].pod, &first) << test.name;
    }
  }
}

TEST(PodTemplateTest, AddsWhatAnOwnerGives) {
  const ObjectPtr set = Decode(
      "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web, uid: u}\n"
      "spec: {template: {metadata: {labels: {app: web, v: old}, annotations: {x: z}, "
      "finalizers: [a/b]}, spec: {nodeName: one}}}\n");
  const codec::Value& pod_template = *FindAt(set->tree(), {"spec", "template"});
  EXPECT_EQ(
      PodFromTemplate(pod_template, *set,
                      {.name_prefix = "web-", .labels = {{"v", "new"}}, .finalizers = {"c/d"}}),
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"web-",)"
      R"("labels":{"app":"web","v":"new"},"annotations":{"x":"z"},"finalizers":["a/b","c/d"],)"
      R"("ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u",)"
      R"("controller":true,"blockOwnerDeletion":true}]},"spec":{"nodeName":"one"}})");
  EXPECT_EQ(PodNamePrefix("web"), "web-");
  EXPECT_EQ(PodNamePrefix("Not_A_Name"), "Not_A_Name");
}

}  // namespace
}  // namespace plimsoll::controller
