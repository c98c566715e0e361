#include "scheduler/preemption/budgets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;

class DisruptionBudgetsTest : public testing::Test {
 protected:
  void Protect(std::string_view name, std::string_view selector, int allowed,
               std::string_view namespace_ = "default", std::string_view disrupted = "{}") {
    cluster_.disruption_budgets.Put(
        Named("PodDisruptionBudget", namespace_, name,
              "spec: {selector: " + std::string(selector) + "}\nstatus: {disruptionsAllowed: " +
                  std::to_string(allowed) + ", disruptedPods: " + std::string(disrupted) + "}",
              {}, "policy/v1"));
  }
  PodId Add(std::string_view name, std::string_view labels = "{app: web}") {
    return cluster_.UpsertPod(PodFromYaml(name, "{}", "labels: " + std::string(labels)));
  }
  std::vector<std::uint8_t> Violations(std::vector<PodId> pods) {
    budgets_.Update(cluster_.disruption_budgets);
    return budgets_.FindViolations(cluster_, pods);
  }

  ClusterState cluster_{match::Rules{}};
  DisruptionBudgets budgets_;
};

TEST_F(DisruptionBudgetsTest, CountsDown) {
  Protect("b", "{matchLabels: {app: web}}", 1);
  EXPECT_THAT(Violations({Add("p1"), Add("p2"), Add("p3", "{app: db}"), Add("p4", "{}")}),
              ElementsAre(0, 1, 0, 0));
}

TEST_F(DisruptionBudgetsTest, EveryBudgetCounts) {
  Protect("a", "{matchLabels: {app: web}}", 5);
  Protect("b", "{matchExpressions: [{key: app, operator: Exists}]}", 0);
  EXPECT_THAT(Violations({Add("p1"), Add("p2", "{app: db}")}), ElementsAre(1, 1));
}

TEST_F(DisruptionBudgetsTest, SomeProtectNothing) {
  Protect("elsewhere", "{matchLabels: {app: web}}", 0, "other");
  Protect("empty", "{}", 0);
  Protect("counted", "{matchLabels: {app: web}}", 0, "default", "{p1: '2026-01-01T00:00:00Z'}");
  EXPECT_THAT(Violations({Add("p1"), Add("p2")}), ElementsAre(0, 1));
}

TEST_F(DisruptionBudgetsTest, AreReadAnewWhenTheyChange) {
  Protect("b", "{matchLabels: {app: web}}", 0);
  const PodId pod = Add("p1");
  EXPECT_THAT(Violations({pod}), ElementsAre(1));
  Protect("b", "{matchLabels: {app: web}}", 1);
  EXPECT_THAT(Violations({pod}), ElementsAre(0));
}

}  // namespace
}  // namespace plimsoll::scheduler
