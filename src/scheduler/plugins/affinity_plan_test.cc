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

TEST_F(AffinityPlanTest, NobodyMatchesAllOfNoTerms) {
  EXPECT_FALSE(MatchesAll({}, ClassOf(topology_.AddPod("p")), topology_.cluster.namespaces));
}

}  // namespace
}  // namespace plimsoll::scheduler
