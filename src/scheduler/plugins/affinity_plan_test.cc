#include "scheduler/plugins/affinity_plan.h"

#include <gtest/gtest.h>

#include "scheduler/plugins/topology_for_test.h"

namespace plimsoll::scheduler {
namespace {

const std::string kWeb = "{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}";
const std::string kProd =
    "{topologyKey: zone, labelSelector: {}, namespaceSelector: {matchLabels: {env: prod}}}";

std::string Near(const std::string& terms) {
  return "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [" + terms +
         "]}}";
}

class AffinityPlanTest : public testing::Test {
 protected:
  const PodClass& ClassOf(PodId pod) { return *topology_.cluster.pod(pod).pod_class; }

  TopologyCluster topology_;
  TopologyColumns columns_{topology_.cluster};
  AffinityPlans plans_{topology_.cluster, columns_};
};

TEST_F(AffinityPlanTest, IsKeptPerClass) {
  const PodId pod = topology_.AddPod("p", "app: web", {}, Near(kWeb));
  const auto plan = plans_.Get(ClassOf(pod));
  EXPECT_EQ(plans_.Get(ClassOf(pod)), plan);
  ASSERT_EQ(plan->affinity.size(), 1U);
  EXPECT_TRUE(plan->matches_self);
  EXPECT_TRUE(plans_.Get(ClassOf(topology_.AddPod("plain")))->affinity.empty());
}

TEST_F(AffinityPlanTest, ClassesThatAskTheSameShareTheirCounts) {
  const auto first = plans_.Get(ClassOf(topology_.AddPod("w-0", "id: w-0", {}, Near(kWeb))));
  const auto second = plans_.Get(ClassOf(topology_.AddPod("w-1", "id: w-1", {}, Near(kWeb))));
  EXPECT_NE(first, second);
  EXPECT_EQ(first->affinity[0].tally, second->affinity[0].tally);
  EXPECT_FALSE(first->matches_self);
}

TEST_F(AffinityPlanTest, IsMadeAnewWhenNamespacesMatter) {
  const PodId by_label = topology_.AddPod("p", {}, {}, Near(kProd));
  const PodId by_name = topology_.AddPod("q", {}, {}, Near(kWeb));
  const auto before = plans_.Get(ClassOf(by_label));
  const auto same = plans_.Get(ClassOf(by_name));
  EXPECT_FALSE(before->matches_self);
  topology_.AddNamespace("default", "env: prod");
  EXPECT_TRUE(plans_.Get(ClassOf(by_label))->matches_self);
  EXPECT_EQ(plans_.Get(ClassOf(by_name)), same);
}

std::string Apart(int pod, int count) {
  std::string terms;
  for (int i = 0; i < count; ++i) {
    terms += "{topologyKey: zone, labelSelector: {matchLabels: {app: a" + std::to_string(pod) +
             "-" + std::to_string(i) + "}}},";
  }
  return "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [" + terms +
         "]}}";
}

TEST_F(AffinityPlanTest, TheTalliesOfAllClassesTogetherHaveALimit) {
  constexpr std::size_t kBytesMax = 1 << 20;
  AffinityPlans plans(topology_.cluster, columns_, kBytesMax);
  topology_.AddNode("n", "zone: a");
  std::vector<PodId> pods;
  std::size_t highest = 0;
  for (int i = 0; i < 64; ++i) {
    pods.push_back(topology_.AddPod("p" + std::to_string(i), {}, {}, Apart(i, 64)));
    WorkBudget budget{.left = 1'000'000, .is_late = {}};
    EXPECT_TRUE(plans.Prepare(ClassOf(pods.back()), budget));
    highest = std::max(highest, plans.bytes());
  }
  // One plan more than the limit: memory is checked before a plan is made.
  EXPECT_LT(highest, kBytesMax + kBytesMax / 4);
  EXPECT_GT(highest, kBytesMax / 2);
  // The most recently used plan is cached, the first is built again.
  EXPECT_EQ(plans.Get(ClassOf(pods.back())), plans.Get(ClassOf(pods.back())));
  EXPECT_EQ(plans.Get(ClassOf(pods.front()))->anti_affinity.size(), 64U);
}

TEST_F(AffinityPlanTest, PreparationGoesOnWhereTheBudgetEndedIt) {
  for (int i = 0; i < 10; ++i) topology_.AddNode("n" + std::to_string(i), "zone: a");
  const PodId pod = topology_.AddPod("p", {}, {}, Apart(0, 5));
  int calls = 0;
  for (bool is_done = false; !is_done; ++calls) {
    ASSERT_LT(calls, 10);
    // Enough for two tallies: the budget is checked before each.
    WorkBudget budget{.left = 11, .is_late = {}};
    is_done = plans_.Prepare(ClassOf(pod), budget);
  }
  EXPECT_EQ(calls, 3);
  WorkBudget nothing;
  EXPECT_TRUE(plans_.Prepare(ClassOf(pod), nothing)) << "all is prepared";
  const PodId other = topology_.AddPod("q", {}, {}, Apart(1, 1));
  EXPECT_FALSE(plans_.Prepare(ClassOf(other), nothing));
}

TEST_F(AffinityPlanTest, ManyCostlyClassesDoNotUndoEachOthersProgress) {
  // At most two plans fit, and each takes many calls.
  AffinityPlans plans(topology_.cluster, columns_, 256 << 10);
  for (int i = 0; i < 10; ++i) topology_.AddNode("n" + std::to_string(i), "zone: a");
  std::vector<PodId> waiting;
  for (int i = 0; i < 20; ++i) {
    waiting.push_back(topology_.AddPod("p" + std::to_string(i), {}, {}, Apart(i, 64)));
  }
  int rounds = 0;
  for (; !waiting.empty() && rounds < 2000; ++rounds) {
    std::erase_if(waiting, [&](PodId pod) {
      WorkBudget budget{.left = 100, .is_late = {}};
      return plans.Prepare(ClassOf(pod), budget);
    });
  }
  EXPECT_TRUE(waiting.empty()) << waiting.size();
}

TEST_F(AffinityPlanTest, NobodyMatchesAllOfNoTerms) {
  EXPECT_FALSE(MatchesAll({}, ClassOf(topology_.AddPod("p")), topology_.cluster.namespaces));
}

}  // namespace
}  // namespace plimsoll::scheduler
