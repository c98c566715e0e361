#include "cli/lines/lines.h"

#include <gtest/gtest.h>

#include "cli/lines/lines_output.h"
#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kCluster = R"(
apiVersion: v1
kind: Node
metadata: {name: spot-1}
spec: {taints: [{key: failure-probability, value: "4", effect: NoExecute}]}
---
apiVersion: v1
kind: Node
metadata: {name: spot-2}
spec: {taints: [{key: failure-probability, value: "2", effect: NoExecute}, {key: kernel, value: 5.15.3, effect: NoSchedule}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: shop}
spec:
  nodeName: spot-1
  containers: [{name: c, image: i}]
  tolerations: [{key: failure-probability, operator: Lt, value: "5", tolerationSeconds: 30, effect: NoExecute}]
---
apiVersion: v1
kind: Pod
metadata: {name: db-0, namespace: data}
spec:
  nodeName: spot-2
  containers: [{name: c, image: i}]
  tolerations:
  - {key: failure-probability, operator: Lt, value: "50"}
  - {key: kernel, operator: SemverGt, value: 5.15.0}
)";

TEST(LinesTest, PrintsLinesAndValues) {
  const Outcome outcome = RunForTest({"lines", "-f", "-"}, kCluster);
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_EQ(
      outcome.out,
      "NAMESPACE   WORKLOAD    KEY                   LINE              VALUES   MARGIN    "
      "PODS   NEAR   BEYOND\n"
      "data        pod/db-0    kernel                SemverGt 5.15.0   5.15.3   3 patch   "
      "1      1      0\n"
      "shop        pod/web-1   failure-probability   Lt 5              4        1         "
      "1      1      0\n"
      "data        pod/db-0    failure-probability   Lt 50             2        48        "
      "1      0      0\n"
      "\n"
      "failure-probability:NoExecute\n"
      "VALUE   NODES   PODS   ALLOWED   IF IT RISES\n"
      "2       1       1      2/2       to 50 moves 1 pod: data/pod/db-0\n"
      "4       1       1      2/2       to 5 moves 1 pod: shop/pod/web-1\n"
      "\n"
      "kernel:NoSchedule\n"
      "VALUE    NODES   PODS   ALLOWED   IF IT FALLS                              IF IT RISES\n"
      "5.15.3   1       1      1/2       to 5.15.0 refuses 1 pod: data/pod/db-0   <none>\n");
}

TEST(LinesTest, SelectsKeyAndNamespace) {
  const Outcome outcome =
      RunForTest({"lines", "failure-probability", "-n", "shop", "-f", "-", "-o", "wide"}, kCluster);
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_TRUE(outcome.out.contains("pod/web-1")) << outcome.out;
  EXPECT_TRUE(outcome.out.contains("30")) << outcome.out;
  EXPECT_FALSE(outcome.out.contains("db-0")) << outcome.out;
  EXPECT_FALSE(outcome.out.contains("kernel")) << outcome.out;
}

TEST(LinesTest, PrintsNamesOfNearPods) {
  const Outcome outcome = RunForTest({"lines", "-f", "-", "-o", "name"}, kCluster);
  EXPECT_EQ(outcome.out, "pod/db-0\npod/web-1\n");
}

TEST(LinesTest, PrintsTrees) {
  const Outcome outcome =
      RunForTest({"lines", "failure-probability", "-n", "shop", "-f", "-", "-o", "json"}, kCluster);
  for (const char* const text :
       {R"("workload": "pod/web-1")", R"("margin": "1")", R"("tolerationSeconds": 30)",
        R"("nearPods": [)", R"("podsAllowed": 1)", R"("ifItRises": {)"}) {
    EXPECT_TRUE(outcome.out.contains(text)) << text << outcome.out;
  }
}

TEST(LinesTest, RefusesUnknownKeys) {
  const Outcome outcome = RunForTest({"lines", "failure-probabilty", "-f", "-"}, kCluster);
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_TRUE(outcome.err.contains("did you mean failure-probability?")) << outcome.err;
}

TEST(LinesTest, SaysThatThereAreNone) {
  const Outcome outcome =
      RunForTest({"lines", "-f", "-"}, "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n");
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "No thresholds found\n");
}

}  // namespace
}  // namespace plimsoll::cli
