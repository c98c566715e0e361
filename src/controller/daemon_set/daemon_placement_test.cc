#include "controller/daemon_set/daemon_placement.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "codec/json.h"
#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

ObjectPtr Set(std::string_view spec) {
  return Decode(
      "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: d}\nspec: {template: "
      "{spec: {" +
      std::string(spec) + "}}}\n");
}
ObjectPtr Node(std::string_view taints, std::string_view labels = "{}") {
  return Decode("apiVersion: v1\nkind: Node\nmetadata: {name: node1, labels: " +
                std::string(labels) + "}\nspec: {taints: [" + std::string(taints) + "]}\n");
}

TEST(DaemonPlacementTest, AnswersPerNode) {
  struct Case {
    std::string name;
    std::string spec;
    std::string taints;
    DaemonAnswer want;
    bool has_gates = true;
  };
  const std::string risk = "{key: risk, value: '4', effect: NoExecute}";
  const std::string below = "tolerations: [{key: risk, operator: Lt, value: '5'}]";
  const std::vector<Case> cases = {
      {"plain", "containers: []", "", {true, true}},
      {"the same node by name", "nodeName: node1", "", {true, true}},
      {"another node by name", "nodeName: node2", "", {false, false}},
      {"selected", "nodeSelector: {zone: a}", "", {true, true}},
      {"not selected", "nodeSelector: {zone: b}", "", {false, false}},
      {"NoSchedule", "", "{key: k, effect: NoSchedule}", {false, true}},
      {"NoExecute", "", "{key: k, effect: NoExecute}", {false, false}},
      {"PreferNoSchedule", "", "{key: k, effect: PreferNoSchedule}", {true, true}},
      {"bears what drives others away",
       "",
       "{key: node.kubernetes.io/not-ready, effect: NoExecute}, "
       "{key: node.kubernetes.io/unschedulable, effect: NoSchedule}",
       {true, true}},
      {"not every not-ready",
       "",
       "{key: node.kubernetes.io/not-ready, effect: NoSchedule}",
       {false, true}},
      {"no network without the host's",
       "",
       "{key: node.kubernetes.io/network-unavailable, effect: NoSchedule}",
       {false, true}},
      {"no network",
       "hostNetwork: true",
       "{key: node.kubernetes.io/network-unavailable, effect: NoSchedule}",
       {true, true}},
      {"within the threshold", below, risk, {true, true}},
      {"an operator whose gate is off matches nothing", below, risk, {false, false}, false},
  };
  for (const Case& test : cases) {
    match::Rules rules;
    rules.comparison = test.has_gates;
    const DaemonPlacement placement(Set(test.spec), rules);
    const ObjectPtr node = Node(test.taints, "{zone: a}");
    EXPECT_EQ(placement.Answer(*node->As<api::Node>()), test.want) << test.name;
  }
}

TEST(DaemonPlacementTest, APodIsBoundToItsNode) {
  const match::Rules rules;
  const DaemonPlacement placement(
      Set("tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, "
          "tolerationSeconds: 5}, {key: own}], affinity: {podAffinity: {}, nodeAffinity: "
          "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
          "[{matchExpressions: [{key: a, operator: Exists}]}]}}}"),
      rules);
  const std::string json = placement.SpecJson("node1");
  EXPECT_TRUE(json.contains(
      R"("affinity":{"podAffinity":{},"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution")"
      R"(:{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In",)"
      R"("values":["node1"]}]}]}}})"))
      << json;
  // The controller's tolerations win over the template's.
  EXPECT_TRUE(json.contains(
      R"("tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":)"
      R"("NoExecute"},{"key":"own"},{"key":"node.kubernetes.io/unreachable")"))
      << json;
  const ObjectPtr pod =
      Decode(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":)" + json + "}");
  EXPECT_EQ(TargetNode(*pod->As<api::Pod>()), "node1");
}

}  // namespace
}  // namespace plimsoll::controller
