#include "controller/eviction_policy/cluster_view.h"

#include <gtest/gtest.h>

#include <string>

#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

ObjectPtr Pod(const std::string& name, const std::string& owner, bool is_ready,
              const std::string& phase = "Running") {
  const std::string owners =
      owner.empty() ? "" : ", ownerReferences: [{uid: " + owner + ", controller: true}]";
  return Decode(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: ns, uid: " + name +
      ", labels: {app: web}" + owners + "}\nspec: {nodeName: n1}\nstatus: {phase: " + phase +
      ", conditions: [{type: Ready, status: '" + (is_ready ? "True" : "False") + "'}]}\n");
}

ObjectPtr Budget(const std::string& spec, const std::string& status) {
  return Decode(
      "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b, namespace: "
      "ns, generation: 1}\nspec: {selector: {matchLabels: {app: web}}" +
      spec + "}\nstatus: {observedGeneration: 1, " + status + "}\n");
}

class ClusterViewTest : public testing::Test {
 protected:
  ClusterViewTest() { view_.StartTracking(); }
  bool CanMiss(const std::string& pod, Amount amount) {
    return view_.CanMiss(*view_.FindPod(pod), amount);
  }
  bool BudgetAllows(const std::string& pod) { return view_.BudgetsAllow(*view_.FindPod(pod)); }

  ClusterView view_;
};

TEST_F(ClusterViewTest, AnOwnerThatIsUnknownHasThePodsThatExistAndThoseThatWereEvicted) {
  for (const char* const name : {"a", "b", "c"}) view_.OnPodChange(nullptr, Pod(name, "rs", true));
  EXPECT_TRUE(CanMiss("a", {1, false}));
  view_.Reserve("a");
  EXPECT_TRUE(CanMiss("a", {1, false})) << "it is counted already";
  EXPECT_FALSE(CanMiss("b", {1, false}));
  view_.OnPodChange(Pod("a", "rs", true), nullptr);
  EXPECT_FALSE(CanMiss("b", {1, false})) << "it is not replaced";
  view_.OnPodChange(nullptr, Pod("d", "rs", false));
  EXPECT_FALSE(CanMiss("b", {1, false})) << "its replacement is not ready";
  EXPECT_TRUE(CanMiss("d", {1, false})) << "a pod that is not ready is missed already";
  view_.OnPodChange(Pod("d", "rs", false), Pod("d", "rs", true));
  EXPECT_TRUE(CanMiss("b", {1, false}));
}

TEST_F(ClusterViewTest, AnOwnerTellsTheNumberOfItsPods) {
  view_.OnOwnerChange(nullptr, Decode("apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r, "
                                      "namespace: ns, uid: rs}\nspec: {replicas: 4}\n"));
  for (const char* const name : {"a", "b", "c"}) view_.OnPodChange(nullptr, Pod(name, "rs", true));
  EXPECT_FALSE(CanMiss("a", {25, true})) << "one of four is missing already";
  EXPECT_TRUE(CanMiss("a", {50, true}));
  view_.OnPodChange(nullptr, Pod("lone", "", true));
  EXPECT_TRUE(CanMiss("lone", {0, false}));
}

TEST_F(ClusterViewTest, ABudgetCountsReservedPods) {
  const ObjectPtr budget =
      Budget("", "disruptionsAllowed: 1, desiredHealthy: 2, currentHealthy: 3");
  view_.OnBudgetChange(nullptr, budget);
  for (const char* const name : {"a", "b", "c"}) view_.OnPodChange(nullptr, Pod(name, "", true));
  EXPECT_TRUE(BudgetAllows("a"));
  view_.Reserve("a");
  EXPECT_TRUE(BudgetAllows("a"));
  EXPECT_FALSE(BudgetAllows("b"));
  view_.Release("a");
  EXPECT_TRUE(BudgetAllows("b"));
  view_.OnPodChange(Pod("c", "", true), Pod("c", "", false));
  EXPECT_FALSE(BudgetAllows("b")) << "the status of the budget lags behind";
  view_.OnBudgetChange(budget, nullptr);
  EXPECT_TRUE(BudgetAllows("b"));
}

TEST_F(ClusterViewTest, ABudgetWithAnOldStatusAllowsNothing) {
  view_.OnPodChange(nullptr, Pod("a", "", true));
  view_.OnBudgetChange(nullptr,
                       Decode("apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: "
                              "{name: b, namespace: ns, generation: 2}\nspec: {selector: "
                              "{}}\nstatus: {observedGeneration: 1, disruptionsAllowed: "
                              "5}\n"));
  EXPECT_FALSE(BudgetAllows("a"));
}

TEST_F(ClusterViewTest, UnhealthyPodsMayGoAsByTheSubresource) {
  view_.OnPodChange(nullptr, Pod("a", "", false));
  const std::string over = "disruptionsAllowed: 0, desiredHealthy: 2, currentHealthy: 1";
  view_.OnBudgetChange(nullptr, Budget("", over));
  EXPECT_FALSE(BudgetAllows("a"));
  view_.OnBudgetChange(nullptr, Budget(", unhealthyPodEvictionPolicy: AlwaysAllow", over));
  EXPECT_TRUE(BudgetAllows("a"));
  view_.OnBudgetChange(nullptr,
                       Budget("", "disruptionsAllowed: 0, desiredHealthy: 2, currentHealthy: 2"));
  EXPECT_TRUE(BudgetAllows("a"));
}

TEST_F(ClusterViewTest, FinishedPodsDoNotCount) {
  view_.OnPodChange(nullptr, Pod("a", "job", true));
  view_.OnPodChange(Pod("a", "job", true), Pod("a", "job", false, "Succeeded"));
  EXPECT_EQ(view_.FindPod("a"), nullptr);
  view_.OnPodChange(Pod("a", "job", false, "Succeeded"), nullptr);
  EXPECT_EQ(view_.FindPod("a"), nullptr);
}

}  // namespace
}  // namespace plimsoll::controller
