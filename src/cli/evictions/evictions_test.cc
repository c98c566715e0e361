#include "cli/evictions/evictions.h"

#include <gtest/gtest.h>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kCluster = R"(
apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {taints: [{key: risk, value: "8", effect: NoExecute, timeAdded: "2026-03-01T11:59:50Z"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, uid: u}
spec: {nodeName: n1, containers: [{name: c, image: i}]}
---
apiVersion: plimsoll.io/v1alpha1
kind: EvictionPolicy
metadata: {name: spot}
spec: {paused: true}
)";

TEST(EvictionsTest, PrintsEvictionsAndPolicies) {
  Outcome outcome = RunForTest({"evictions", "-f", "-"}, kCluster);
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_TRUE(
      outcome.out.contains("NAMESPACE   POD   NODE   STATE   DUE   WHY\n"
                           "shop        web   n1     Due     now   "))
      << outcome.out;
  EXPECT_TRUE(outcome.out.contains("\nspot     Paused")) << outcome.out;
  outcome = RunForTest({"evictions", "-f", "-", "-o", "name"}, kCluster);
  EXPECT_EQ(outcome.out, "pod/web\n");
  outcome = RunForTest({"evictions", "-f", "-", "-o", "json"}, kCluster);
  EXPECT_TRUE(outcome.out.contains(R"("state": "Due")")) << outcome.out;
  outcome = RunForTest({"evictions", "-f", "-", "--watch"}, kCluster);
  EXPECT_EQ(outcome.code, kExitUsage);
}

}  // namespace
}  // namespace plimsoll::cli
