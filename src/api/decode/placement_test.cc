#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/decode/decode.h"
#include "api/decode/decode_json_for_test.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;

TEST(DecodePlacementTest, ReadsWhatPlacesAPod) {
  const auto object = DecodeJson(R"({"apiVersion":"v1","kind":"Pod","spec":{
    "tolerations":[{"key":"a","operator":"Lt","value":"5","effect":"NoExecute",
      "tolerationSeconds":9},{"expression":"taint.key == 'x'"}],
    "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{
      "nodeSelectorTerms":[{"matchExpressions":[{"key":"z","operator":"In","values":["1","2"]}],
      "matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]},
      "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":3,"preference":{}}]},
      "podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"t",
      "namespaces":["ns"],"namespaceSelector":{},"matchLabelKeys":["m"],
      "mismatchLabelKeys":["mm"]}]},
      "podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":4,
      "podAffinityTerm":{"topologyKey":"h","labelSelector":{"matchExpressions":[{"key":"e",
      "operator":"Exists"}]}}}]}},
    "topologySpreadConstraints":[{"maxSkew":2,"topologyKey":"zone","whenUnsatisfiable":
      "DoNotSchedule","minDomains":3,"nodeTaintsPolicy":"Honor"}]}})");
  const PodSpec& spec = object->As<Pod>()->spec;
  ASSERT_EQ(spec.tolerations.size(), 2u);
  EXPECT_EQ(spec.tolerations[0], (Toleration{"a", "Lt", "5", "NoExecute", "", 9}));
  EXPECT_EQ(spec.tolerations[1].expression, "taint.key == 'x'");
  const NodeAffinity& nodes = *spec.affinity->node_affinity;
  const NodeSelectorTerm want{{{"z", "In", {"1", "2"}}}, {{"metadata.name", "In", {"n"}}}};
  EXPECT_THAT(nodes.required->terms, ElementsAre(want));
  EXPECT_EQ(nodes.preferred[0].weight, 3);
  const PodAffinityTerm& near = spec.affinity->pod_affinity->required[0];
  EXPECT_EQ(near.topology_key, "t");
  EXPECT_THAT(near.namespaces, ElementsAre("ns"));
  ASSERT_TRUE(near.namespace_selector.has_value());
  EXPECT_TRUE(near.namespace_selector->empty());
  EXPECT_FALSE(near.label_selector.has_value());
  EXPECT_THAT(near.match_label_keys, ElementsAre("m"));
  EXPECT_THAT(near.mismatch_label_keys, ElementsAre("mm"));
  const WeightedPodAffinityTerm& apart = spec.affinity->pod_anti_affinity->preferred[0];
  EXPECT_EQ(apart.weight, 4);
  EXPECT_EQ(apart.term.label_selector->match_expressions[0].op, "Exists");
  const TopologySpreadConstraint& spread = spec.topology_spread_constraints[0];
  EXPECT_EQ(spread.max_skew, 2);
  EXPECT_EQ(spread.min_domains, 3);
  EXPECT_EQ(spread.node_taints_policy, "Honor");
  EXPECT_EQ(spread.node_affinity_policy, std::nullopt);
}

}  // namespace
}  // namespace plimsoll::api
