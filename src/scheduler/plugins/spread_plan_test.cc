#include "scheduler/plugins/spread_plan.h"

#include <gtest/gtest.h>

#include "scheduler/plugins/topology_for_test.h"

namespace plimsoll::scheduler {
namespace {

constexpr auto kHard = SpreadAction::DoNotSchedule;
constexpr auto kSoft = SpreadAction::ScheduleAnyway;

std::string Constraints(std::string_view more = {}) {
  return "topologySpreadConstraints: [{topologyKey: zone, whenUnsatisfiable: DoNotSchedule, "
         "maxSkew: 2, labelSelector: {matchLabels: {app: web}}" +
         std::string(more) +
         "}, {topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, maxSkew: 1, "
         "labelSelector: {matchLabels: {app: db}}}]";
}

class SpreadPlanTest : public testing::Test {
 protected:
  std::shared_ptr<const SpreadPlan> Get(PodId pod, SpreadAction action) {
    return plans_.Get(*topology_.cluster.pod(pod).pod_class, action);
  }

  TopologyCluster topology_;
  SpreadPlans plans_{topology_.cluster, {}};
};

TEST_F(SpreadPlanTest, TakesTheConstraintsOfTheAction) {
  const PodId pod = topology_.AddPod("p", "app: web", {}, Constraints(", minDomains: 3"));
  const auto hard = Get(pod, kHard);
  ASSERT_EQ(hard->rules.size(), 1U);
  EXPECT_EQ(hard->rules[0].column().key(), "zone");
  EXPECT_EQ(hard->rules[0].max_skew, 2);
  EXPECT_EQ(hard->rules[0].min_domains, 3);
  EXPECT_TRUE(hard->rules[0].matches_self);
  EXPECT_FALSE(hard->rules[0].is_per_node);
  const auto soft = Get(pod, kSoft);
  ASSERT_EQ(soft->rules.size(), 1U);
  EXPECT_TRUE(soft->rules[0].is_per_node);
  EXPECT_FALSE(soft->rules[0].matches_self);
  EXPECT_EQ(Get(pod, kHard), hard);
}

TEST_F(SpreadPlanTest, PreparationGoesOnWhereTheBudgetEndedIt) {
  for (int i = 0; i < 10; ++i) topology_.AddNode("n" + std::to_string(i), "zone: a");
  std::string constraints;
  for (int i = 0; i < 5; ++i) {
    constraints += "{maxSkew: 1, whenUnsatisfiable: DoNotSchedule, topologyKey: k" +
                   std::to_string(i) + ", labelSelector: {matchLabels: {app: web}}},";
  }
  const PodId pod =
      topology_.AddPod("p", {}, {}, "topologySpreadConstraints: [" + constraints + "]");
  const PodClass& pod_class = *topology_.cluster.pod(pod).pod_class;
  int calls = 0;
  for (bool is_done = false; !is_done; ++calls) {
    ASSERT_LT(calls, 10);
    // Enough for two counts of ten nodes with five label lookups each.
    WorkBudget budget{.left = 55, .is_late = {}};
    is_done = plans_.Prepare(pod_class, budget);
  }
  EXPECT_EQ(calls, 3);
  WorkBudget nothing;
  EXPECT_TRUE(plans_.Prepare(pod_class, nothing)) << "all is prepared";
  const PodId other = topology_.AddPod("q", "id: q", {}, Constraints());
  EXPECT_FALSE(plans_.Prepare(*topology_.cluster.pod(other).pod_class, nothing));
}

TEST_F(SpreadPlanTest, ClassesThatAskTheSameShareTheirCounts) {
  const std::string spec = Constraints();
  const auto tally = [&](std::string_view name, const std::string& more) {
    const std::string labels = "id: " + std::string(name);
    return Get(topology_.AddPod(name, labels, {}, spec + more), kHard)->rules[0].tally;
  };
  const auto first = tally("w-0", "");
  EXPECT_EQ(tally("w-1", ""), first);
  EXPECT_EQ(tally("w-2", ", tolerations: [{operator: Exists}]"), first);
  const auto selecting = tally("w-3", ", nodeSelector: {disk: ssd}");
  EXPECT_NE(selecting, first);
  EXPECT_EQ(tally("w-4", ", nodeSelector: {disk: ssd}"), selecting);
}

TEST_F(SpreadPlanTest, DefaultsChangeOnlyWithTheirSelector) {
  const PodId pod = topology_.AddPod("p", "app: web");
  const auto put = [&](std::string_view name, std::string_view labels) {
    topology_.cluster.services.Put(
        Named("Service", "default", name, "spec: {selector: {" + std::string(labels) + "}}"));
  };
  EXPECT_TRUE(Get(pod, kSoft)->rules.empty());
  put("web", "app: web");
  const auto plan = Get(pod, kSoft);
  ASSERT_EQ(plan->rules.size(), 2U);
  EXPECT_FALSE(plan->wants_all_labels);
  EXPECT_EQ(plan->rules[0].max_skew, 3);
  EXPECT_EQ(plan->rules[1].max_skew, 5);
  put("other", "app: db");
  EXPECT_EQ(Get(pod, kSoft), plan);
  topology_.cluster.services.Erase("default", "web");
  EXPECT_TRUE(Get(pod, kSoft)->rules.empty());
  EXPECT_TRUE(Get(pod, kHard)->rules.empty());
}

}  // namespace
}  // namespace plimsoll::scheduler
