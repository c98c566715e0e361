#include "cli/lines/key_survey.h"

#include <gtest/gtest.h>

#include "controller/objects_for_test.h"

namespace plimsoll::cli {
namespace {

ObjectPtr NodeWith(const std::string& name, const std::string& value) {
  return controller::Decode("{apiVersion: v1, kind: Node, metadata: {name: " + name +
                            "}, spec: {taints: [{key: risk, value: \"" + value +
                            "\", effect: NoExecute}]}}");
}

ObjectPtr PodWith(const std::string& name, const std::string& node, const std::string& line) {
  return controller::Decode(
      "{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: " + name +
      "}, spec: {nodeName: " + node + ", tolerations: [{key: risk, " + line + "}]}}");
}

TEST(SurveyKeysTest, CountsNodesAndPodsByValue) {
  const std::vector<ObjectPtr> nodes = {NodeWith("n1", "10"), NodeWith("n2", "9"),
                                        NodeWith("n3", "9")};
  const std::vector<ObjectPtr> pods = {PodWith("a", "n1", "operator: Lt, value: \"20\""),
                                       PodWith("b", "n2", "operator: Lt, value: \"10\""),
                                       PodWith("c", "n3", "operator: Lt, value: \"20\""),
                                       PodWith("d", "n3", "operator: Gt, value: \"5\""),
                                       PodWith("e", "n2", "operator: Exists")};
  const auto keys = SurveyKeys(pods, nodes, {}, "");
  ASSERT_EQ(keys.size(), 1u);
  EXPECT_EQ(keys[0].key, "risk");
  EXPECT_EQ(keys[0].effect, "NoExecute");
  ASSERT_EQ(keys[0].values.size(), 2u);
  const ValueSurvey& nine = keys[0].values[0];
  EXPECT_EQ(nine.value, "9") << "values are sorted as numbers";
  EXPECT_EQ(nine.nodes, 2u);
  EXPECT_EQ(nine.pods, 4u);
  EXPECT_EQ(nine.allowed, 5u);
  EXPECT_EQ(nine.up.value, "10");
  EXPECT_EQ(nine.up.pods, 1u);
  EXPECT_EQ(nine.up.workloads, std::vector<std::string>{"shop/pod/b"});
  EXPECT_EQ(nine.down.value, "5");
  const ValueSurvey& ten = keys[0].values[1];
  EXPECT_EQ(ten.allowed, 4u);
  EXPECT_EQ(ten.up.value, "20");
  EXPECT_EQ(ten.down.pods, 0u);
}

TEST(SurveyKeysTest, ShowsOnlyKeysWithThresholdsUnlessOneIsNamed) {
  const std::vector<ObjectPtr> nodes = {NodeWith("n1", "10")};
  const std::vector<ObjectPtr> pods = {PodWith("a", "n1", "operator: Exists")};
  EXPECT_TRUE(SurveyKeys(pods, nodes, {}, "").empty());
  EXPECT_EQ(SurveyKeys(pods, nodes, {}, "risk").size(), 1u);
}

}  // namespace
}  // namespace plimsoll::cli
