#include "cli/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Four nodes that refuse `checkout` for different reasons, and a pod on the last one.
constexpr std::string_view kCluster = R"(
apiVersion: v1
kind: Pod
metadata: {name: checkout, namespace: shop}
spec:
  schedulerName: default-scheduler
  nodeSelector: {disk: ssd}
  tolerations: [{key: risk, operator: Lt, value: "5"}]
  containers: [{name: c, image: i, resources: {requests: {cpu: "4"}}}]
---
apiVersion: v1
kind: Node
metadata: {name: line, labels: {disk: ssd}}
spec: {taints: [{key: risk, value: "5", effect: NoSchedule}]}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Node
metadata: {name: far, labels: {disk: ssd}}
spec: {taints: [{key: risk, value: "9", effect: NoSchedule}]}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Node
metadata: {name: slow, labels: {disk: hdd}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Node
metadata: {name: full, labels: {disk: ssd}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Pod
metadata: {name: small, namespace: shop, uid: small}
spec:
  nodeName: full
  schedulerName: default-scheduler
  priority: -1
  containers: [{name: c, image: i, ports: [{containerPort: 80, hostPort: 80, protocol: TCP}],
                resources: {requests: {cpu: 300m}}}]
)";

/// Runs `explain pod` on the cluster, extended by the objects of `more`.
Outcome Explain(std::vector<std::string> words, const std::string& more = {}) {
  words.insert(words.begin(), {"explain", "pod"});
  words.insert(words.end(), {"-f", "-"});
  return RunForTest(words, std::string(kCluster) + (more.empty() ? "" : "---\n" + more));
}

TEST(ExplainPodTest, ShowsTheFunnelAndWhatCameNearest) {
  const Outcome outcome = Explain({"checkout"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_EQ(outcome.out, R"(Pod shop/checkout: no node can take it
4 nodes → 2 after taints → 1 after node affinity → 0 after resources
0/4 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint {risk: 5}, 1 node(s) had untolerated taint {risk: 9}.

taints (TaintToleration):
  2 nodes: node(s) had untolerated taint {risk: 5, 9}
    nearest: line: taint risk=5:NoSchedule: toleration 0 (Lt 5): taint 5 is not less than 5

node affinity (NodeAffinity):
  1 node: node(s) didn't match Pod's node affinity/selector
    slow: node selector disk=ssd: the node has disk=hdd

resources (NodeResourcesFit):
  1 node: Insufficient cpu
    full: 300m cpu short: the pod wants 4, 3700m of 4 are free

preemption: would make room on full by evicting 1 pod: shop/small
)");
}

TEST(ExplainPodTest, TellsWhereAPodFits) {
  const Outcome outcome = Explain({"tiny"}, R"(
apiVersion: v1
kind: Pod
metadata: {name: tiny}
spec:
  schedulerName: default-scheduler
  containers: [{name: c, image: i, resources: {requests: {cpu: 100m}}}]
)");
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_THAT(outcome.out,
              HasSubstr("Pod default/tiny: can be placed\n4 nodes → 2 after taints\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n2 nodes fit:\n  slow: score "));
  EXPECT_THAT(outcome.out, Not(HasSubstr("preemption")));
}

struct NearMissCase {
  std::string name;
  std::string spec;  // spec of the pod
  std::string want;
};

class NearMissTest : public testing::TestWithParam<NearMissCase> {};

TEST_P(NearMissTest, NamesNodeAndValue) {
  const Outcome outcome = Explain({"p"}, R"(
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {schedulerName: default-scheduler, )" + GetParam().spec +
                                             "}\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr(GetParam().want));
}

constexpr std::string_view kAnyNode = "tolerations: [{operator: Exists}], ";

INSTANTIATE_TEST_SUITE_P(
    All, NearMissTest,
    testing::ValuesIn<NearMissCase>({
        {"NoToleration", "containers: [{name: c, image: i}]",
         "2 nodes: node(s) had untolerated taint {risk: 5, 9}\n"
         "    nearest: far: taint risk=9:NoSchedule: the pod has no tolerations\n"},
        {"NearerOfTwoTolerations",
         "tolerations: [{key: risk, operator: Gt, value: '20'}, {key: risk, operator: Lt, value: "
         "'2'}], containers: [{name: c, image: i}]",
         "nearest: line: taint risk=5:NoSchedule: toleration 1 (Lt 2): taint 5 is not less than "
         "2\n"},
        {"LeastMissing",
         std::string(kAnyNode) +
             "containers: [{name: c, image: i, resources: {requests: {cpu: '4100m'}}}]",
         "4 nodes: Insufficient cpu\n    nearest: far: 100m cpu short: the pod wants 4100m, 4 of 4 "
         "are free\n"},
        {"BytesInTheirUnits",
         std::string(kAnyNode) +
             "containers: [{name: c, image: i, resources: {requests: {memory: 9Gi}}}]",
         "nearest: far: 1Gi memory short: the pod wants 9Gi, 8Gi of 8Gi are free\n"},
        {"ResourceThatNoNodeHas",
         std::string(kAnyNode) +
             "containers: [{name: c, image: i, resources: {requests: {example.com/gpu: 2}, "
             "limits: {example.com/gpu: 2}}}]",
         "4 nodes: Insufficient example.com/gpu\n    nearest: far: 2 example.com/gpu short: the "
         "pod wants 2, 0 of 0 are free\n"},
        {"WhoHasThePort",
         "nodeSelector: {disk: ssd}, containers: [{name: c, image: i, ports: [{containerPort: 1, "
         "hostPort: 80, protocol: TCP}]}]",
         "1 node: node(s) didn't have free ports for the requested pod ports\n    full: port "
         "80/TCP is taken by shop/small\n"},
        {"NoNearerOne",
         std::string(kAnyNode) +
             "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
             "[{topologyKey: zone, labelSelector: {matchLabels: {a: b}}}]}}, containers: [{name: "
             "c, image: i}]",
         "4 nodes: node(s) didn't match pod affinity rules\n    such as far\n"},
        {"LeftOutByThePodItself",
         "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
         "{nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: "
         "[line]}]}]}}}, containers: [{name: c, image: i}]",
         "4 nodes → 1 after node affinity → 0 after taints\n"},
        {"MissingVolumeClaim",
         "containers: [{name: c, image: i}], volumes: [{name: v, persistentVolumeClaim: "
         "{claimName: data}}]",
         "4 nodes → 0 after volume restrictions\n0/4 nodes are available: persistentvolumeclaim "
         "\"data\" not "
         "found."},
        {"Gated", "schedulingGates: [{name: quota}], containers: [{name: c, image: i}]",
         "Nobody tries it yet: waiting for scheduling gates: [quota]. Once it may go:\n4 nodes"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ExplainPodTest, SaysWhetherABoundPodWouldBeTakenAgain) {
  const Outcome outcome = Explain({"small"});
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_THAT(outcome.out, HasSubstr("Pod shop/small: bound to full\n"
                                     "It would be accepted there again: score "));
  EXPECT_THAT(outcome.out, HasSubstr("Were it placed now: 4 nodes → 2 after taints\n"));
}

constexpr std::string_view kEvicted = R"(
apiVersion: v1
kind: Node
metadata: {name: sick}
spec: {taints: [{key: risk, value: "15", effect: NoExecute, timeAdded: "2199-01-01T00:00:00Z"}]}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Pod
metadata: {name: guest, uid: guest}
spec:
  nodeName: sick
  schedulerName: default-scheduler
  tolerations: [{key: risk, operator: Lt, value: "5", effect: NoExecute, tolerationSeconds: 30}]
  containers: [{name: c, image: i}]
)";

TEST(ExplainPodTest, TellsWhenABoundPodWillBeEvicted) {
  const Outcome outcome = Explain({"guest"}, std::string(kEvicted));
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.out,
              HasSubstr("It would not be accepted there again:\n"
                        "  taints: node(s) had untolerated taint {risk: 15}\n"
                        "It is to be evicted at 2199-01-01T00:00:30Z: taint risk=15:NoExecute: "
                        "toleration 0 (Lt 5): taint 15 is not less than 5\n"));
}

TEST(ExplainPodTest, ABoundPodOfAnotherSchedulerWaitsForNobody) {
  std::string bound(kEvicted);
  const std::string ours = "schedulerName: default-scheduler";
  bound.replace(bound.find(ours), ours.size(), "schedulerName: plimsoll");
  const Outcome outcome = Explain({"guest"}, bound);
  EXPECT_THAT(outcome.out, HasSubstr("It belongs to scheduler plimsoll; this is what "));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("waits for")));
}

TEST(ExplainPodTest, ShowsAllThatOneNodeSays) {
  const Outcome outcome = Explain({"checkout", "--node", "far"});
  EXPECT_THAT(outcome.out, testing::EndsWith(R"(
node far: refuses the pod
  taints: node(s) had untolerated taint {risk: 9}
    taint risk=9:NoSchedule: toleration 0 (Lt 5): taint 9 is not less than 5
)"));
  EXPECT_THAT(Explain({"checkout", "--all-nodes"}).out, HasSubstr("node slow: refuses the pod"));
}

TEST(ExplainPodTest, WritesJson) {
  const Outcome outcome = Explain({"checkout", "-o", "json", "--node", "full"});
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.out, HasSubstr(R"("title": "resources",
                "refused": 1,
                "left": 0)"));
  EXPECT_THAT(outcome.out, HasSubstr(R"("victims": [
                "shop/small"
            ])"));
  EXPECT_THAT(outcome.out, HasSubstr(R"("code": "Unschedulable")"));
}

TEST(ExplainPodTest, MakesThePodOfAWorkload) {
  const Outcome outcome =
      RunForTest({"explain", "pod", "batch", "-f", InTree("examples/demo/workloads.yaml"),
                  "--nodes", InTree("examples/tour/nodes.yaml")});
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.out, HasSubstr("Pod default/batch: no node can take it\n"
                                     "5 nodes → 0 after taints\n"));
}

struct FailingCall {
  std::string name;
  std::vector<std::string> words;
  int code;
  std::string want;
};

class ExplainPodErrorTest : public testing::TestWithParam<FailingCall> {};

TEST_P(ExplainPodErrorTest, SaysWhatToDo) {
  std::vector<std::string> words = {"explain", "pod"};
  words.insert(words.end(), GetParam().words.begin(), GetParam().words.end());
  const Outcome outcome = RunForTest(words, std::string(kCluster));
  EXPECT_EQ(outcome.code, GetParam().code);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(
    All, ExplainPodErrorTest,
    testing::ValuesIn<FailingCall>({
        {"NearName",
         {"chekout", "-f", "-"},
         kExitFindings,
         "no pod \"chekout\"; did you mean checkout?"},
        {"SameBeginning", {"check", "-f", "-"}, kExitFindings, "did you mean checkout?"},
        {"OtherNamespace",
         {"checkout", "-f", "-", "-n", "prod"},
         kExitFindings,
         "no pod \"checkout\" in namespace \"prod\"; there is one in namespace \"shop\": -n shop"},
        {"NearNode",
         {"checkout", "-f", "-", "--node", "lin"},
         kExitFindings,
         "no node \"lin\"; did you mean line?"},
        {"NothingNamed", {}, kExitUsage, "which pod?"},
        {"UnknownGate", {"-f", "-", "--feature-gates", "None=true"}, kExitUsage, "None"},
        {"NodesAlone", {"--nodes", "-"}, kExitUsage, "--nodes wants a pod from a file"},
        {"NoKubeconfig",
         {"web", "--kubeconfig", "/nonexistent/config"},
         kExitUsage,
         "no server to talk to: name its kubeconfig with --kubeconfig or $KUBECONFIG"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::cli
