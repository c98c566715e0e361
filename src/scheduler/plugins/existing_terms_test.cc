#include "scheduler/plugins/existing_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/topology_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kApart =
    "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
    "zone, labelSelector: {matchLabels: {app: web}}}]}}";

class ExistingTermsTest : public testing::Test {
 protected:
  ExistingTermsTest() {
    topology_.AddNode("a1", "zone: a");
    topology_.AddNode("a2", "zone: a");
    topology_.AddNode("b1", "zone: b");
    topology_.AddNode("lone");
  }
  const ExistingTerms::Matched& MatchedBy(PodId pod) {
    terms_.CatchUp();
    return terms_.MatchedBy(*topology_.cluster.pod(pod).pod_class);
  }
  /// Returns the weight of the only forbidding term that matches `app: web`, in the node's zone.
  std::int64_t Forbidding(std::string_view node) {
    const auto& forbidding = MatchedBy(web_).forbidding;
    EXPECT_THAT(forbidding, SizeIs(1));
    const ExistingTerms::Term& term = terms_.term(forbidding[0]);
    const TopologyCode code = term.column->code(*topology_.cluster.FindNode(node));
    const auto found = term.weights.find(code);
    return found == term.weights.end() ? 0 : found->second;
  }

  TopologyCluster topology_;
  TopologyColumns columns_{topology_.cluster};
  ExistingTerms terms_{topology_.cluster, columns_, 1};
  PodId web_ = topology_.AddPod("web", "app: web");
};

TEST_F(ExistingTermsTest, CountsPodsPerDistinctTerm) {
  EXPECT_THAT(MatchedBy(web_).forbidding, IsEmpty());
  topology_.AddPod("p1", "i: '1'", "a1", kApart);
  topology_.AddPod("p2", "i: '2'", "a2", kApart);
  topology_.AddPod("p3", "i: '3'", "lone", kApart);
  EXPECT_EQ(Forbidding("a1"), 2);
  EXPECT_EQ(Forbidding("b1"), 0);
  EXPECT_EQ(terms_.term(MatchedBy(web_).forbidding[0]).labelled_uses, 2);
  EXPECT_THAT(MatchedBy(topology_.AddPod("db", "app: db")).forbidding, IsEmpty());
}

TEST_F(ExistingTermsTest, FollowsPodsAndLabels) {
  const PodId p1 = topology_.AddPod("p1", {}, "a1", kApart);
  EXPECT_EQ(Forbidding("a2"), 1);
  topology_.AddNode("a1", "zone: b");
  EXPECT_EQ(Forbidding("a2"), 0);
  EXPECT_EQ(Forbidding("b1"), 1);
  topology_.cluster.RemovePod(topology_.cluster.pod(p1).pod->metadata);
  EXPECT_EQ(Forbidding("b1"), 0);
}

TEST_F(ExistingTermsTest, WeighsPreferencesAndRequiredAffinity) {
  topology_.AddPod("p1", {}, "a1",
                   "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                   "[{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}, "
                   "podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: "
                   "7, podAffinityTerm: {topologyKey: zone, labelSelector: {matchLabels: {app: "
                   "web}}}}]}}");
  ASSERT_THAT(MatchedBy(web_).weighing, SizeIs(1));
  const ExistingTerms::Term& term = terms_.term(MatchedBy(web_).weighing[0]);
  EXPECT_EQ(term.weights.at(term.column->code(*topology_.cluster.FindNode("a2"))), 1 - 7);
  EXPECT_EQ(term.uses, 2);

  ExistingTerms without(topology_.cluster, columns_, 0);
  without.CatchUp();
  const auto& matched = without.MatchedBy(*topology_.cluster.pod(web_).pod_class);
  EXPECT_EQ(without.term(matched.weighing.at(0)).uses, 1);
}

TEST_F(ExistingTermsTest, HeedsTheLabelsOfNamespaces) {
  topology_.AddPod("p1", {}, "a1",
                   "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                   "[{topologyKey: zone, labelSelector: {}, namespaceSelector: {matchLabels: "
                   "{env: prod}}}]}}");
  EXPECT_THAT(MatchedBy(web_).forbidding, IsEmpty());
  topology_.AddNamespace("default", "env: prod");
  EXPECT_THAT(MatchedBy(web_).forbidding, SizeIs(1));
}

TEST_F(ExistingTermsTest, ForgetsTermsThatNobodyHasAnyMore) {
  for (int i = 0; i < 2000; ++i) {
    const std::string text(kApart);
    const PodId pod = topology_.AddPod(
        "p", {}, "a1",
        "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
        "[{topologyKey: zone, labelSelector: {matchLabels: {app: web}}, namespaces: [default, n" +
            std::to_string(i) + "]}]}}");
    EXPECT_LE(MatchedBy(web_).forbidding.size(), 600U);
    EXPECT_EQ(terms_.term(MatchedBy(web_).forbidding.back()).uses, 1);
    topology_.cluster.RemovePod(topology_.cluster.pod(pod).pod->metadata);
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
