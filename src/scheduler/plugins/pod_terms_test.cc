#include "scheduler/plugins/pod_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/limits.h"
#include "scheduler/plugins/topology_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PodTerms Read(const std::string& affinity, std::string_view pod_namespace = "default") {
  const ObjectPtr pod =
      TopologyCluster::Pod("p", {}, {}, "affinity: {" + affinity + "}", pod_namespace);
  return ReadPodTerms(ClassView::Of(*pod->As<api::Pod>()));
}

PodTerm ReadOne(const std::string& term) {
  PodTerms terms =
      Read("podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, " +
           term + "}]}");
  EXPECT_EQ(terms.error, "");
  return std::move(terms.affinity.at(0));
}

TEST(PodTermsTest, SortsTermsByWhatTheyAsk) {
  const PodTerms terms = Read(
      "podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a}], "
      "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 3, podAffinityTerm: "
      "{topologyKey: b}}]}, podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
      "[{topologyKey: c}], preferredDuringSchedulingIgnoredDuringExecution: [{weight: 4, "
      "podAffinityTerm: {topologyKey: d}}]}");
  ASSERT_EQ(terms.affinity.size(), 1U);
  EXPECT_EQ(terms.affinity[0].topology_key, "a");
  ASSERT_EQ(terms.anti_affinity.size(), 1U);
  EXPECT_EQ(terms.anti_affinity[0].topology_key, "c");
  ASSERT_EQ(terms.preferred.size(), 2U);
  EXPECT_EQ(terms.preferred[0].weight, 3);
  EXPECT_EQ(terms.preferred[1].weight, -4);
  EXPECT_THAT(Read("").affinity, IsEmpty());
}

struct NamespaceCase {
  std::string term;
  std::string matches;  // among default, prod (env: prod), test (env: test), unknown
};

TEST(PodTermsTest, MeansNamespacesByNameAndByLabel) {
  TopologyCluster topology;
  topology.AddNamespace("default", "");
  topology.AddNamespace("prod", "env: prod");
  topology.AddNamespace("test", "env: test");
  const NamespaceCase cases[] = {
      {"", "default"},
      {"namespaces: [prod, prod]", "prod"},
      {"namespaceSelector: {}", "default prod test unknown"},
      {"namespaceSelector: {matchLabels: {env: prod}}", "prod"},
      {"namespaceSelector: {matchLabels: {env: prod}}, namespaces: [test]", "prod test"},
      {"namespaceSelector: {matchExpressions: [{key: env, operator: DoesNotExist}]}",
       "default unknown"},
  };
  for (const NamespaceCase& test : cases) {
    const PodTerm term = ReadOne("labelSelector: {}, " + test.term);
    std::string matches;
    for (const char* name : {"default", "prod", "test", "unknown"}) {
      if (!term.Matches(name, LabelsOfNamespace(topology.cluster.namespaces, name), {})) continue;
      matches.append(matches.empty() ? "" : " ").append(name);
    }
    EXPECT_EQ(matches, test.matches) << test.term;
  }
}

TEST(PodTermsTest, UnrollingFindsOnlyNamespacesThatAreThere) {
  TopologyCluster topology;
  topology.AddNamespace("prod", "env: prod");
  topology.AddNamespace("bare", "");
  PodTerm term = ReadOne(
      "labelSelector: {}, namespaces: [x], namespaceSelector: {matchExpressions: [{key: env, "
      "operator: DoesNotExist}]}");
  EXPECT_TRUE(term.NeedsNamespaceLabels());
  term.Unroll(topology.cluster.namespaces);
  EXPECT_THAT(term.namespaces, ElementsAre("bare", "x"));
  EXPECT_FALSE(term.Matches("unknown", {}, {}));
  EXPECT_FALSE(term.NeedsNamespaceLabels());

  PodTerm all = ReadOne("labelSelector: {}, namespaceSelector: {}");
  EXPECT_FALSE(all.NeedsNamespaceLabels());
  all.Unroll(topology.cluster.namespaces);
  EXPECT_TRUE(all.Matches("unknown", {}, {}));
}

TEST(PodTermsTest, WithoutSelectorItMeansNobody) {
  EXPECT_FALSE(ReadOne("").Matches("default", {}, {}));
  EXPECT_TRUE(ReadOne("labelSelector: {}").Matches("default", {}, {}));
}

TEST(PodTermsTest, DifferentTermsHaveDifferentKeys) {
  const std::string terms[] = {"",
                               "labelSelector: {}",
                               "namespaces: [a]",
                               "namespaces: [a, b]",
                               "namespaceSelector: {}",
                               "labelSelector: {matchLabels: {a: b}}",
                               "namespaceSelector: {matchLabels: {a: b}}"};
  std::vector<std::string> keys;
  for (const std::string& term : terms) ReadOne(term).AppendKey(keys.emplace_back());
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

TEST(PodTermsTest, SaysWhichSelectorsCannotBeRead) {
  const std::string bad =
      "{topologyKey: a, labelSelector: {matchExpressions: [{key: a, operator: Like}]}}";
  const std::string near = "podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [" + bad +
                           ", {topologyKey: a}]}";
  EXPECT_EQ(Read(near).error,
            "requiredAffinityTerms: \"Like\" is not a valid label selector operator");
  EXPECT_THAT(Read(near).affinity, IsEmpty());
  EXPECT_EQ(Read(near +
                 ", podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "
                 "[{weight: 1, podAffinityTerm: " +
                 bad + "}]}")
                .error,
            "[requiredAffinityTerms: \"Like\" is not a valid label selector operator, "
            "preferredAntiAffinityTerms: \"Like\" is not a valid label selector operator]");
}

TEST(PodTermsTest, ASelectorOfTooManyNamespacesIsKept) {
  TopologyCluster topology;
  const auto unroll = [&] {
    PodTerm term = ReadOne("labelSelector: {}, namespaceSelector: {matchLabels: {env: prod}}");
    term.Unroll(topology.cluster.namespaces);
    return term;
  };
  for (std::size_t i = 0; i < kNamespacesOfTermMax; ++i) {
    topology.AddNamespace("n" + std::to_string(i), "env: prod");
  }
  EXPECT_EQ(unroll().namespaces.size(), kNamespacesOfTermMax);
  EXPECT_FALSE(unroll().NeedsNamespaceLabels());
  topology.AddNamespace("more", "env: prod");
  EXPECT_TRUE(unroll().NeedsNamespaceLabels());
}

}  // namespace
}  // namespace plimsoll::scheduler
