#include <gtest/gtest.h>

#include "agent/cluster_for_test.h"
#include "match/costly_evaluator_for_test.h"

namespace plimsoll::agent {
namespace {

using std::chrono::seconds;

TEST(NodeAgentExpressionsTest, APodWithCostlyExpressionsDoesNotHoldUpOthers) {
  const match::CostlyEvaluator evaluator(600'000);
  NodeAgentOptions options = ClusterForTest::Options();
  options.rules.evaluator = &evaluator;
  options.nodes[0].spec = R"({"taints":[{"key":"k","effect":"NoExecute"}]})";
  ClusterForTest cluster;
  cluster.Start(std::move(options));
  const auto put = [&](const std::string& name, const std::string& tolerations) {
    cluster.Put("{apiVersion: v1, kind: Pod, metadata: {name: " + name +
                ", namespace: default}, spec: {nodeName: node-0, restartPolicy: Always, containers:"
                " [{name: c, image: web}], tolerations: [" +
                tolerations + "]}}");
  };
  std::string many;
  for (int i = 0; i < 20; ++i) many += "{expression: e" + std::to_string(i) + "}, ";
  put("costly", many + "{expression: 'yes'}");
  put("refused", many);
  put("other", "{operator: Exists}");
  EXPECT_EQ(cluster.At("Pod/other", "status.phase"), "Running");
  EXPECT_EQ(cluster.At("Pod/costly", "status.phase"), "");
  EXPECT_EQ(cluster.At("Pod/refused", "status.phase"), "");
  cluster.RunFor(seconds(1));
  EXPECT_EQ(cluster.At("Pod/costly", "status.phase"), "Running");
  EXPECT_EQ(cluster.At("Pod/refused", "status.reason"), "TaintToleration");
}

}  // namespace
}  // namespace plimsoll::agent
