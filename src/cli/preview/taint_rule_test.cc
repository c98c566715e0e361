#include "cli/preview/taint_rule.h"

#include <gtest/gtest.h>

#include "cli/preview/preview_commands.h"
#include "controller/objects_for_test.h"

namespace plimsoll::cli {
namespace {

using controller::Decode;

ObjectPtr Rule(const std::string& nodes, const std::string& value) {
  return Decode(
      "{apiVersion: plimsoll.io/v1alpha1, kind: NodeTaintRule, metadata: {name: r}, "
      "spec: {nodes: {" +
      nodes + "}, taint: {key: risk, effect: None}, value: {" + value + "}}}");
}

PreviewCluster Cluster() {
  PreviewCluster cluster;
  cluster.objects = {
      Decode("{apiVersion: v1, kind: Node, metadata: {name: a, labels: {pool: spot}, annotations: "
             "{example.com/risk: \"9\"}}}"),
      Decode("{apiVersion: v1, kind: Node, metadata: {name: b, labels: {pool: spot}}}"),
      Decode("{apiVersion: v1, kind: Node, metadata: {name: c}}")};
  return cluster;
}

std::string TaintAfter(const NodesChange& change, const ObjectPtr& node) {
  const auto changed = change.change(node);
  EXPECT_TRUE(changed.has_value());
  const auto& taints = (*changed)->As<api::Node>()->spec.taints;
  return taints.empty() ? "" : api::ToText(taints.front());
}

TEST(ChangeOfRuleTest, TakesTheValueFromTheRule) {
  const PreviewCluster cluster = Cluster();
  auto change =
      ChangeOfRule(*Rule("matchLabels: {pool: spot}", "constant: \"8\""), cluster, {}, false);
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(change->taint_keys, std::vector<std::string>{"risk"});
  EXPECT_EQ(TaintAfter(*change, cluster.objects[0]), "risk=8:NoExecute");
  change = ChangeOfRule(*Rule("", "annotation: example.com/risk"), cluster, {}, false);
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->names.size(), 3u);
  EXPECT_EQ(TaintAfter(*change, cluster.objects[0]), "risk=9:NoExecute");
  EXPECT_EQ(TaintAfter(*change, cluster.objects[1]), "") << "it has no value";
}

TEST(ChangeOfRuleTest, AssumesAValue) {
  const PreviewCluster cluster = Cluster();
  const ObjectPtr rule = Rule("names: [c]", "expression: \"5\"");
  const auto fault = ChangeOfRule(*rule, cluster, {}, false);
  ASSERT_FALSE(fault.has_value());
  EXPECT_EQ(fault.error().field, "spec.value");
  const auto change = ChangeOfRule(*rule, cluster, "7", false);
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->names, std::vector<std::string>{"c"});
  EXPECT_EQ(TaintAfter(*change, cluster.objects[2]), "risk=7:NoExecute");
}

TEST(ChangeOfRuleTest, RefusesExpressionsOfNodes) {
  const auto fault = ChangeOfRule(*Rule("cel: \"true\"", "constant: \"8\""), Cluster(), {}, false);
  ASSERT_FALSE(fault.has_value());
  EXPECT_EQ(fault.error().field, "spec.nodes.cel");
}

TEST(WithTaintedFileTest, AddsTheCommand) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(WithTaintedFile({"taint", "-f", "r.yaml"}), (Words{"taint", "rule", "-f", "r.yaml"}));
  EXPECT_EQ(WithTaintedFile({"taint", "node", "n"}), (Words{"taint", "node", "n"}));
  EXPECT_EQ(WithTaintedFile({"taint"}), (Words{"taint"}));
}

}  // namespace
}  // namespace plimsoll::cli
