#include "cli/explain/node_explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kCluster = R"(
apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {taints: [{key: risk, value: "3", effect: NoSchedule, timeAdded: "2026-01-01T00:00:00Z"}]}
status: {allocatable: {cpu: "4", memory: 8Gi, example.com/gpu: "2", pods: "10"}}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Pod
metadata: {name: here, namespace: shop, uid: here}
spec:
  nodeName: n1
  schedulerName: default-scheduler
  tolerations: [{key: risk, operator: Lt, value: "20"}]
  containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
status: {phase: Running}
---
apiVersion: v1
kind: Pod
metadata: {name: there, namespace: shop, uid: there}
spec:
  nodeName: n2
  schedulerName: default-scheduler
  tolerations: [{key: risk, operator: Lt, value: "5"}]
  containers: [{name: c, image: i, resources: {requests: {cpu: "3"}}}]
status: {phase: Running}
---
apiVersion: v1
kind: Pod
metadata: {name: large, namespace: shop, uid: large}
spec:
  schedulerName: default-scheduler
  tolerations: [{key: risk, operator: Exists}]
  containers: [{name: c, image: i, resources: {requests: {cpu: "4"}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: plain, namespace: shop, uid: plain}
spec: {schedulerName: default-scheduler, containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Pod
metadata: {name: ended, namespace: shop, uid: ended}
spec: {nodeName: n1, containers: [{name: c, image: i}]}
status: {phase: Failed}
)";

Outcome Explain(std::vector<std::string> words, const std::string& more = {}) {
  words.insert(words.begin(), {"explain"});
  words.insert(words.end(), {"-f", "-"});
  return RunForTest(words, std::string(kCluster) + more);
}

TEST(ExplainNodeTest, ShowsTaintsPodsAndWhoCouldCome) {
  const Outcome outcome = Explain({"no/n1"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_EQ(outcome.out, R"(Node n1: 1 pod, 1 taint
cpu: 3 of 4 free
memory: 8Gi of 8Gi free
example.com/gpu: 2 of 2 free

taint risk=3:NoSchedule since 2026-01-01T00:00:00Z: tolerated by 3 pods, not by 1
  1 pod by risk Lt 5, margin 2: shop/there
  1 pod by risk Lt 20, margin 17: shop/here
  1 pod by risk Exists: shop/large

pods on it: 1 of at most 10
  shop/here Running

waiting pods: 0 pods could run here, 2 could not
  1 pod: resources: Insufficient cpu
    shop/large
  1 pod: taints: node(s) had untolerated taint {risk: 3}
    shop/plain

pods on other nodes: 1 pod could run here, 0 could not
  could run here: shop/there
)");
}

TEST(ExplainNodeTest, JudgingAPodLeavesItWhereItIs) {
  // n2 has room for 1 cpu only while `there` counts on it, although it was judged for n1 before.
  const std::string two = R"(---
apiVersion: v1
kind: Pod
metadata: {name: xlarge, namespace: shop, uid: xlarge}
spec:
  nodeName: n1
  schedulerName: default-scheduler
  containers: [{name: c, image: i, resources: {requests: {cpu: "2"}}}]
)";
  EXPECT_THAT(Explain({"node", "n2"}, two).out,
              HasSubstr("1 pod: resources: Insufficient cpu\n    shop/xlarge"));
}

TEST(ExplainNodeTest, ShowsEvictions) {
  const std::string evicted = R"(---
apiVersion: v1
kind: Node
metadata: {name: sick}
spec: {unschedulable: true, taints: [{key: risk, value: "15", effect: NoExecute, timeAdded: "2199-01-01T00:00:00Z"}]}
status: {allocatable: {cpu: "4", pods: "10"}}
---
apiVersion: v1
kind: Pod
metadata: {name: guest, namespace: shop, uid: guest}
spec: {nodeName: sick, containers: [{name: c, image: i}]}
)";
  const Outcome outcome = Explain({"node", "sick"}, evicted);
  EXPECT_THAT(outcome.out, HasSubstr("Node sick: 1 pod, 1 taint, unschedulable\n"));
  EXPECT_THAT(outcome.out, HasSubstr("shop/guest, is to be evicted at once: "));
}

TEST(ExplainNodeTest, WritesNamesAndColours) {
  EXPECT_EQ(Explain({"node", "n1", "-o", "name"}).out, "pod/here\n");
  EXPECT_THAT(Explain({"node", "n1", "--color=always"}).out,
              testing::AllOf(HasSubstr("\x1b[31mnot by 1\x1b[0m"),
                             HasSubstr("\x1b[32m1 pod could run here\x1b[0m, 0 could not")));
}

TEST(ExplainNodeTest, WritesJson) {
  const Outcome outcome = Explain({"node", "n1", "-o", "json"});
  EXPECT_EQ(outcome.code, kExitOk);
  for (const std::string_view piece :
       {R"("node": "n1")", R"("margin": "2")", R"("tolerating": 3)", R"("refusing": 1)",
        R"("free": "3")", R"("plugin": "NodeResourcesFit")", R"("podsMax": 10)"}) {
    EXPECT_THAT(outcome.out, HasSubstr(piece));
  }
}

TEST(ExplainNodeTest, ValuesCannotControlTheTerminal) {
  const std::string hostile = R"(---
apiVersion: v1
kind: Node
metadata: {name: evil}
spec: {taints: [{key: risk, value: "\e[31m\nNode n1: fine", effect: PreferNoSchedule}]}
)";
  const Outcome outcome = Explain({"node", "evil"}, hostile);
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\nNode n1: fine")));
}

TEST(ExplainNodeTest, UnknownNodesGetASuggestion) {
  const Outcome outcome = Explain({"node", "n3"});
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.err, HasSubstr("no node \"n3\"; did you mean n1?"));
}

}  // namespace
}  // namespace plimsoll::cli
