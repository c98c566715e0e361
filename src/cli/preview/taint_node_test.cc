#include "cli/preview/taint_node.h"

#include <gtest/gtest.h>

#include "cli/preview/change_nodes.h"
#include "cli/preview/impact_output.h"
#include "cli/preview/preview_cluster.h"
#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

/// Two spot nodes, one of which has no room, and a Deployment with a budget.
constexpr const char* kCluster = R"(
apiVersion: v1
kind: Node
metadata: {name: spot-1, labels: {pool: spot}}
spec: {taints: [{key: risk, value: "2", effect: NoExecute}]}
status: {allocatable: {cpu: "4", pods: "10"}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Node
metadata: {name: safe-1}
status: {allocatable: {cpu: "1", pods: "10"}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web-5d9c, namespace: shop, uid: rs}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {selector: {matchLabels: {app: web}}, minAvailable: 2}
status: {disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2}
---
apiVersion: v1
kind: Pod
metadata:
  name: web-1
  namespace: shop
  labels: {app: web, pod-template-hash: 5d9c}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-5d9c, uid: rs, controller: true}]
spec:
  nodeName: spot-1
  containers: [{name: c, image: i, resources: {requests: {cpu: 600m}}}]
  tolerations: [{key: risk, operator: Lt, value: "5"}]
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata:
  name: web-2
  namespace: shop
  labels: {app: web, pod-template-hash: 5d9c}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-5d9c, uid: rs, controller: true}]
spec:
  nodeName: spot-1
  containers: [{name: c, image: i, resources: {requests: {cpu: 600m}}}]
  tolerations: [{key: risk, operator: Lt, value: "5", tolerationSeconds: 30, effect: NoExecute}]
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: batch, namespace: shop}
spec:
  nodeName: spot-1
  containers: [{name: c, image: i}]
  tolerations: [{key: risk, operator: Lt, value: "50"}]
status: {phase: Running}
)";

Outcome Preview(std::vector<std::string> words) {
  words.insert(words.end(), {"--preview", "--cluster", "-"});
  return RunForTest(words, kCluster);
}

TEST(TaintNodeTest, ShowsWhoGoesAndWhereTo) {
  const Outcome outcome = Preview({"taint", "node", "spot-1", "risk=8:NoExecute"});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  for (const char* const text :
       {"Taint risk=8:NoExecute on 1 node: spot-1\n", "2 pods go:\n",
        "now      1      shop/deployment/web", "in 30s   1      shop/deployment/web",
        "taint 8 is not less than 5", "1 pod stays:\n",
        "tolerates risk=8:NoExecute by risk Lt 50 (margin 42)",
        "shop/web   2       1         violated by 1", "Room for 1 of 2 replacements: safe-1 (1)\n",
        "1 replacement of shop/deployment/web stays pending: 0/2 nodes are available",
        "The last eviction is expected in 30s\n", "Nothing was changed.\n"}) {
    EXPECT_TRUE(outcome.out.contains(text)) << text << "\n" << outcome.out;
  }
}

TEST(TaintNodeTest, ShowsEveryPodWide) {
  const Outcome outcome =
      Preview({"taint", "node", "-l", "pool=spot", "risk=8:NoExecute", "-o", "wide"});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_TRUE(outcome.out.contains("shop/web-2   spot-1")) << outcome.out;
}

TEST(TaintNodeTest, PrintsTrees) {
  const Outcome outcome = Preview({"taint", "node", "spot-1", "risk=8:NoExecute", "-o", "json"});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  for (const char* const text :
       {R"("afterSeconds": 30)", R"("excess": 1)", R"("safe-1": 1)", R"("expectedEnd")"}) {
    EXPECT_TRUE(outcome.out.contains(text)) << text << "\n" << outcome.out;
  }
}

TEST(TaintNodeTest, PreviewsARemovalAndATaintThatEvictsNobody) {
  Outcome outcome = Preview({"taint", "node", "spot-1", "risk-"});
  EXPECT_TRUE(outcome.out.contains("No pod goes because of it.\n")) << outcome.out;
  EXPECT_TRUE(outcome.out.contains("the node has no NoExecute taint")) << outcome.out;
  outcome = Preview({"taint", "node", "spot-1", "risk=2:NoExecute"});
  EXPECT_TRUE(outcome.out.contains("1 node already as requested")) << outcome.out;
}

TEST(TaintNodeTest, PreviewsATaintThatEnds) {
  const Outcome outcome = Preview({"taint", "node", "spot-1", "risk=8:NoExecute", "--for", "2h"});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_TRUE(outcome.out.contains("For 2h, taint risk=8:NoExecute on 1 node: spot-1\n"))
      << outcome.out;
}

TEST(TaintNodeTest, PreviewsCordon) {
  const Outcome outcome = Preview({"cordon", "spot-1"});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_TRUE(outcome.out.contains("Cordon 1 node: spot-1")) << outcome.out;
  EXPECT_TRUE(outcome.out.contains("No pod goes")) << outcome.out;
}

struct FaultCase {
  std::string name;
  std::vector<std::string> words;
  std::string message;
};

class TaintNodeFaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(TaintNodeFaultTest, IsRefused) {
  const Outcome outcome = RunForTest(GetParam().words, kCluster);
  EXPECT_NE(outcome.code, kExitOk);
  EXPECT_TRUE(outcome.err.contains(GetParam().message)) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    All, TaintNodeFaultTest,
    testing::ValuesIn<FaultCase>({
        {"NoTaint", {"taint", "node", "spot-1", "--preview", "--cluster", "-"}, "which taint?"},
        {"NoNode",
         {"taint", "node", "risk=8:NoExecute", "--preview", "--cluster", "-"},
         "which nodes?"},
        {"UnknownNode",
         {"taint", "node", "spot-2", "risk=8:NoExecute", "--preview", "--cluster", "-"},
         "did you mean spot-1?"},
        {"NodeAfterTaint",
         {"taint", "node", "risk=8:NoExecute", "spot-1", "--preview", "--cluster", "-"},
         "Nodes come before taints"},
        {"FilesCannotBeChanged",
         {"taint", "node", "spot-1", "risk=8:NoExecute", "--cluster", "-"},
         "add --preview"},
        {"NothingToConfirm",
         {"taint", "node", "spot-1", "risk=8:NoExecute", "--preview", "--yes"},
         "nothing to confirm"},
        {"NoPlaceForAQuestion",
         {"taint", "node", "spot-1", "risk=8:NoExecute", "-o", "json"},
         "add --preview or --yes"},
        {"ReasonWithoutTime",
         {"taint", "node", "spot-1", "risk=8:NoExecute", "--reason", "x", "--preview"},
         "add --for"},
        {"RemovalForSomeTime",
         {"taint", "node", "spot-1", "risk-", "--for", "2h", "--preview"},
         "want one taint to set"},
        {"TooLong",
         {"taint", "node", "spot-1", "risk=8:NoExecute", "--for", "1000h", "--preview", "--cluster",
          "-"},
         "must be between 1s and 720h"},
        {"NamesAndSelector",
         {"taint", "node", "spot-1", "risk=8:NoExecute", "-l", "a=b", "--preview"},
         "exclude each other"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::cli
