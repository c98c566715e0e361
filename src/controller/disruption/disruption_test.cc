#include "controller/disruption/disruption.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "controller/server_for_test.h"
#include "controller/workload/condition.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using Events = std::vector<std::string>;

constexpr Instant kStart(1h);

std::string Budget(std::string_view spec, std::string_view status = "{}") {
  return "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: pdb, namespace: "
         "default, generation: 1}\nspec: {selector: {matchLabels: {app: web}}, " +
         std::string(spec) + "}\nstatus: " + std::string(status) + "\n";
}
std::string Pod(std::string_view name, bool is_ready = true,
                std::string_view owner =
                    "{kind: ReplicaSet, apiVersion: apps/v1, name: rs, uid: "
                    "rs, controller: true}") {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         ", namespace: default, labels: {app: web}, ownerReferences: [" + std::string(owner) +
         "]}\nspec: {containers: []}\nstatus: {phase: Running, conditions: [{type: Ready, status: "
         "'" +
         (is_ready ? "True" : "False") + "'}]}\n";
}
std::string Set(int replicas, std::string_view owner = {}) {
  return "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: rs, namespace: default, uid: rs, "
         "ownerReferences: [" +
         std::string(owner) + "]}\nspec: {replicas: " + std::to_string(replicas) + "}\n";
}

class DisruptionTest : public testing::Test {
 protected:
  DisruptionTest() : server_(core_, kStart) { server_.Sync(); }

  void Put(const std::string& yaml) {
    server_.Put(yaml);
    server_.RunFor(1s);
  }
  /// Returns disruptionsAllowed, currentHealthy, desiredHealthy and expectedPods.
  std::vector<std::int64_t> Status() {
    const codec::Value& tree = server_.Find("PodDisruptionBudget", "default", "pdb")->tree();
    return {IntAt(tree, {"status", "disruptionsAllowed"}, -1),
            IntAt(tree, {"status", "currentHealthy"}, -1),
            IntAt(tree, {"status", "desiredHealthy"}, -1),
            IntAt(tree, {"status", "expectedPods"}, -1)};
  }
  std::string Condition() {
    const WorkloadConditions conditions(*server_.Find("PodDisruptionBudget", "default", "pdb"));
    const WorkloadCondition* const found = conditions.Find("DisruptionAllowed");
    return found == nullptr ? "" : found->status + " " + found->reason + " " + found->message;
  }

  DisruptionController core_;
  ServerForTest<DisruptionController> server_;
};

using Counts = std::vector<std::int64_t>;

TEST_F(DisruptionTest, CountsByNumberAndByPercentage) {
  struct Case {
    std::string spec;
    Counts want;
  };
  // The ReplicaSet has five replicas; four pods exist and three of them are ready.
  const std::vector<Case> cases = {
      {"minAvailable: 2", {1, 3, 2, 4}},     {"minAvailable: 3", {0, 3, 3, 4}},
      {"minAvailable: 50%", {0, 3, 3, 5}},   {"minAvailable: 20%", {2, 3, 1, 5}},
      {"maxUnavailable: 3", {1, 3, 2, 5}},   {"maxUnavailable: 1", {0, 3, 4, 5}},
      {"maxUnavailable: 50%", {1, 3, 2, 5}}, {"maxUnavailable: 10", {3, 3, 0, 5}},
      {"minAvailable: 0", {3, 3, 0, 4}},
  };
  for (const Case& test : cases) {
    DisruptionController core;
    ServerForTest server(core, kStart);
    server.Sync();
    server.Put(Set(5));
    server.Put(Budget(test.spec));
    for (const char* name : {"a", "b", "c"}) server.Put(Pod(name));
    server.Put(Pod("d", false));
    server.RunFor(1s);
    const codec::Value& tree = server.Find("PodDisruptionBudget", "default", "pdb")->tree();
    const Counts got = {IntAt(tree, {"status", "disruptionsAllowed"}, -1),
                        IntAt(tree, {"status", "currentHealthy"}, -1),
                        IntAt(tree, {"status", "desiredHealthy"}, -1),
                        IntAt(tree, {"status", "expectedPods"}, -1)};
    EXPECT_EQ(got, test.want) << test.spec;
  }
}

TEST_F(DisruptionTest, FollowsItsPods) {
  Put(Budget("minAvailable: 1"));
  EXPECT_EQ(Status(), (Counts{0, 0, 1, 0}));
  EXPECT_EQ(Condition(), "False InsufficientPods ");
  EXPECT_EQ(server_.TakeEvents(), (Events{"NoPods: No matching pods found"}));
  Put(Pod("a"));
  Put(Pod("b"));
  EXPECT_EQ(Status(), (Counts{1, 2, 1, 2}));
  EXPECT_EQ(Condition(), "True SufficientPods ");
  Put(Pod("b", false));
  EXPECT_EQ(Status(), (Counts{0, 1, 1, 2}));
  server_.Patch("Pod", "default", "b", R"({"metadata":{"labels":{"app":"other"}}})");
  server_.RunFor(1s);
  EXPECT_EQ(Status(), (Counts{0, 1, 1, 1}));
  EXPECT_EQ(server_.TakeEvents(), Events{});
}

TEST_F(DisruptionTest, ADeploymentCountsOnceOverItsSets) {
  server_.Put(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: default, uid: d}\n"
      "spec: {replicas: 4}\n");
  server_.Put(Set(3, "{kind: Deployment, apiVersion: apps/v1, name: d, uid: d, controller: true}"));
  server_.Put(
      "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: old, namespace: default, uid: old, "
      "ownerReferences: [{kind: Deployment, apiVersion: apps/v1, name: d, uid: d, controller: "
      "true}]}\nspec: {replicas: 1}\n");
  server_.Put(Budget("maxUnavailable: 1"));
  server_.Put(Pod("a"));
  Put(Pod("b", true,
          "{kind: ReplicaSet, apiVersion: apps/v1, name: old, uid: old, controller: "
          "true}"));
  EXPECT_EQ(Status(), (Counts{0, 2, 3, 4}));
  server_.Patch("Deployment", "default", "d", R"({"spec":{"replicas":2}})");
  server_.RunFor(1s);
  EXPECT_EQ(Status(), (Counts{1, 2, 1, 2}));
}

TEST_F(DisruptionTest, WhatCannotBeCountedIsNotAllowed) {
  server_.Put(Budget("maxUnavailable: 1"));
  Put(Pod("a", true, "{kind: Job, apiVersion: batch/v1, name: j, uid: j, controller: true}"));
  EXPECT_EQ(Status()[0], 0);
  EXPECT_EQ(Condition(), "False SyncFailed jobs.batch does not implement the scale subresource");
  EXPECT_EQ(server_.TakeEvents().back(),
            "CalculateExpectedPodCountFailed: Failed to calculate the number of expected pods: "
            "jobs.batch does not implement the scale subresource");
}

TEST_F(DisruptionTest, PodsOfNobodyAreTold) {
  server_.Put(Budget("maxUnavailable: 1"));
  Put(Pod("a", true, ""));
  const Events events = server_.TakeEvents();
  EXPECT_EQ(events.back(),
            "UnmanagedPods: Pods selected by this PodDisruptionBudget (selector: app=web) were "
            "found to be unmanaged. As a result, the status of the PDB cannot be calculated "
            "correctly, which may result in undefined behavior. To account for these pods please "
            "set \".spec.minAvailable\" field of the PDB to an integer value.");
}

TEST_F(DisruptionTest, AnAllowedEvictionCountsUntilItIsTooOld) {
  for (const char* name : {"a", "b", "c"}) server_.Put(Pod(name));
  Put(Budget("minAvailable: 1",
             "{disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 1, expectedPods: 3, "
             "disruptedPods: {a: '1970-01-01T01:00:00Z', gone: '1970-01-01T01:00:00Z'}}"));
  EXPECT_EQ(Status(), (Counts{1, 2, 1, 3}));
  const auto disrupted = [&] {
    const codec::Value* const pods = FindAt(
        server_.Find("PodDisruptionBudget", "default", "pdb")->tree(), {"status", "disruptedPods"});
    return pods == nullptr ? 0 : pods->members().size();
  };
  EXPECT_EQ(disrupted(), 1u);
  server_.TakeEvents();
  server_.RunFor(2min);
  EXPECT_EQ(Status(), (Counts{2, 3, 1, 3}));
  EXPECT_EQ(disrupted(), 0u);
  EXPECT_EQ(
      server_.TakeEvents(),
      (Events{"NotDeleted: Pod was expected by PDB default/pdb to be deleted but it wasn't"}));
}

}  // namespace
}  // namespace plimsoll::controller
