#include "cli/explain/workload_explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two nodes for one pod of 3 cpus each, and one that no pod tolerates.
constexpr std::string_view kNodes = R"(
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {kubernetes.io/hostname: n1, zone: a}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Node
metadata: {name: n2, labels: {kubernetes.io/hostname: n2, zone: b}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Node
metadata: {name: risky, labels: {kubernetes.io/hostname: risky, zone: a}}
spec: {taints: [{key: risk, value: "9", effect: NoSchedule}]}
status: {allocatable: {cpu: "64", memory: 8Gi, pods: "10"}}
)";

constexpr std::string_view kSpec = R"(
    spec:
      schedulerName: default-scheduler
      containers: [{name: c, image: i, resources: {requests: {cpu: "3"}}}]
)";

std::string Workload(const std::string& kind, const std::string& head,
                     const std::string& group = "apps/v1") {
  return "---\napiVersion: " + group + "\nkind: " + kind +
         "\nmetadata: {name: web, namespace: shop, uid: w}\nspec:\n" + head +
         "  template:\n    metadata: {labels: {app: web}}" + std::string(kSpec);
}

constexpr std::string_view kSelector = "  selector: {matchLabels: {app: web}}\n";

/// A pod of the owner; `spec` goes before the containers.
std::string PodOf(const std::string& name, const std::string& owner, const std::string& spec,
                  const std::string& phase = "Pending") {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: shop, uid: u-" +
         name + ", labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, controller: true, " +
         owner + "}]}\nspec: {schedulerName: default-scheduler, " + spec +
         "containers: [{name: c, image: i, resources: {requests: {cpu: \"3\"}}}]}\n"
         "status: {phase: " +
         phase + "}\n";
}

Outcome Explain(std::vector<std::string> words, const std::string& objects) {
  words.insert(words.begin(), "explain");
  words.insert(words.end(), {"-f", "-"});
  return RunForTest(words, std::string(kNodes) + objects);
}

const std::string kReplicaSet = Workload("ReplicaSet", "  replicas: 3\n" + std::string(kSelector));
constexpr std::string_view kByReplicaSet = "kind: ReplicaSet, name: web, uid: w";

TEST(ExplainWorkloadTest, AWorkloadWithoutPodsUsesItsTemplate) {
  const Outcome outcome = Explain({"replicaset", "web"}, kReplicaSet);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.out, testing::StartsWith("ReplicaSet shop/web: 0 of 3 pods have a node\n"
                                               "\n"
                                               "a new pod:\n"
                                               "  3 nodes → 2 after taints\n"));
  EXPECT_THAT(outcome.out,
              testing::EndsWith(
                  "\n2 of 3 missing pods would fit now, placed one after the other: 1 on n1, 1 on "
                  "n2\nthen: 0/3 nodes are available: 1 node(s) had untolerated taint {risk: 9}, "
                  "2 Insufficient cpu.\n"));
}

TEST(ExplainWorkloadTest, GroupsThePodsByOutcome) {
  const std::string by(kByReplicaSet);
  const Outcome outcome =
      Explain({"rs/web"}, kReplicaSet + PodOf("web-1", by, "nodeName: n1, ", "Running") +
                              PodOf("web-2", by, "nodeName: n2, ") + PodOf("web-3", by, "") +
                              PodOf("web-4", by, "", "Failed") +
                              PodOf("stranger", "kind: ReplicaSet, name: web, uid: x", ""));
  EXPECT_EQ(outcome.code, kExitFindings) << outcome.err;
  EXPECT_THAT(outcome.out,
              testing::StartsWith("ReplicaSet shop/web: 2 of 3 pods have a node, 1 failed\n"
                                  "running: 1 on n1\n"
                                  "bound, not running: 1 on n2\n"
                                  "\n"
                                  "waiting (1): web-3 of web\n"
                                  "  3 nodes → 2 after taints → 0 after resources\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n0 of 1 missing pod would fit now"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("stranger")));
}

TEST(ExplainWorkloadTest, ADeploymentHasThePodsOfItsReplicaSets) {
  const std::string set =
      "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web-abc, namespace: shop, uid: "
      "rs, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: w, "
      "controller: true}]}\nspec:\n  replicas: 1\n" +
      std::string(kSelector) + "  template:\n    metadata: {labels: {app: web}}" +
      std::string(kSpec);
  const Outcome outcome = Explain(
      {"deploy", "web"}, Workload("Deployment", "  replicas: 1\n" + std::string(kSelector)) + set +
                             PodOf("web-abc-1", "kind: ReplicaSet, name: web-abc, uid: rs",
                                   "nodeName: n1, ", "Running"));
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_EQ(outcome.out,
            "Deployment shop/web: 1 of 1 pod have a node\n"
            "running: 1 on n1\n"
            "\n"
            "room for 1 more pod\n"
            "then: 0/3 nodes are available: 1 node(s) had untolerated taint {risk: 9}, 2 "
            "Insufficient cpu.\n");
}

TEST(ExplainWorkloadTest, ReplicasReplacesTheNumber) {
  const Outcome outcome = Explain({"rs", "web", "--replicas", "1"}, kReplicaSet);
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_THAT(outcome.out, HasSubstr("1 of 1 missing pod would fit now"));
  EXPECT_EQ(Explain({"rs", "web", "--replicas", "10001"}, kReplicaSet).code, kExitUsage);
}

TEST(ExplainWorkloadTest, PlacesTheClaimsOfAStatefulSet) {
  const std::string claims =
      "  volumeClaimTemplates:\n  - metadata: {name: data}\n    spec: {storageClassName: late, "
      "accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n";
  const std::string late =
      "---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: late}\n"
      "provisioner: example.com/disk\nvolumeBindingMode: WaitForFirstConsumer\n";
  const std::string set = Workload(
      "StatefulSet", "  replicas: 2\n  serviceName: web\n" + std::string(kSelector) + claims);
  const Outcome placed = Explain({"sts", "web"}, set + late);
  EXPECT_EQ(placed.code, kExitOk) << placed.out << placed.err;
  EXPECT_THAT(placed.out, HasSubstr("2 of 2 missing pods would fit now"));
  const Outcome refused = Explain({"sts", "web"}, set);
  EXPECT_EQ(refused.code, kExitFindings);
  EXPECT_THAT(refused.out, HasSubstr("then: 0/3 nodes are available: "));
}

TEST(ExplainWorkloadTest, EachReplicaTakesItsDevices) {
  const std::string devices = R"(---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec: {driver: gpu.example.com, pool: {name: risky, generation: 1, resourceSliceCount: 1},
       nodeName: n1, devices: [{name: d0}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one, namespace: shop}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web, namespace: shop, uid: w}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      schedulerName: default-scheduler
      resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]
      containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
)";
  const Outcome outcome = Explain({"rs", "web"}, devices);
  EXPECT_EQ(outcome.code, kExitFindings) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("1 of 2 missing pods would fit now, placed one after the other: 1 on n1\n"
                        "then: 0/3 nodes are available: "));
  EXPECT_THAT(outcome.out, HasSubstr("cannot allocate all claims"));
}

TEST(ExplainWorkloadTest, AJobCountsWhatIsLeft) {
  const std::string head = "  parallelism: 3\n  completions: 5\n";
  const std::string by = "kind: Job, name: web, uid: w";
  std::string job = Workload("Job", head, "batch/v1");
  job.insert(job.find("      schedulerName"), "      restartPolicy: Never\n");
  const std::string done = PodOf("web-a", by, "nodeName: n1, ", "Succeeded") +
                           PodOf("web-b", by, "nodeName: n1, ", "Succeeded") +
                           PodOf("web-c", by, "nodeName: n1, ", "Succeeded");
  EXPECT_THAT(Explain({"job", "web"}, job).out, HasSubstr("0 of 3 pods have a node\n"));
  EXPECT_THAT(Explain({"job", "web"}, job + done).out,
              HasSubstr("0 of 2 pods have a node, 3 succeeded\n"));
  job.insert(job.find("  parallelism"), "  suspend: true\n");
  const Outcome suspended = Explain({"job", "web"}, job);
  EXPECT_THAT(suspended.out, HasSubstr("Job shop/web: suspended; it wants no pods\n"));
  EXPECT_EQ(suspended.code, kExitOk);
}

TEST(ExplainWorkloadTest, ADaemonSetSaysWhyNodesHaveNoPod) {
  const std::string set = Workload("DaemonSet", std::string(kSelector));
  const std::string by = "kind: DaemonSet, name: web, uid: w";
  const Outcome outcome =
      Explain({"ds", "web"}, set + PodOf("web-1", by, "nodeName: n1, ", "Running") +
                                 "---\napiVersion: v1\nkind: Node\nmetadata: {name: tiny}\n"
                                 "status: {allocatable: {cpu: \"1\", pods: \"10\"}}\n");
  EXPECT_EQ(outcome.code, kExitFindings) << outcome.err;
  EXPECT_EQ(outcome.out,
            "DaemonSet shop/web: 1 of 3 nodes have a pod\n"
            "running: 1 on n1\n"
            "\n"
            "1 of 2 missing pods would fit now, placed one after the other: 1 on n2\n"
            "\n"
            "nodes without a pod:\n"
            "  1 node: taint risk=9:NoSchedule: no toleration for key risk\n"
            "    risky\n"
            "  1 node: resources: Insufficient cpu\n"
            "    tiny\n");
  EXPECT_EQ(Explain({"ds", "web", "--replicas", "3"}, set).code, kExitUsage);
}

TEST(ExplainWorkloadTest, WritesNamesAndColours) {
  EXPECT_EQ(Explain({"replicaset", "web", "-o", "name"}, kReplicaSet).out, "node/n1\nnode/n2\n");
  EXPECT_THAT(
      Explain({"replicaset", "web", "--color=always"}, kReplicaSet).out,
      testing::AllOf(HasSubstr("\x1b[31m0 of 3 pods have a node\x1b[0m"),
                     HasSubstr("\x1b[31m2 of 3 missing pods would fit now\x1b[0m, placed")));
}

TEST(ExplainWorkloadTest, WritesJson) {
  const Outcome outcome = Explain({"rs", "web", "-o", "json"},
                                  kReplicaSet + PodOf("web-1", std::string(kByReplicaSet), ""));
  EXPECT_EQ(outcome.code, kExitFindings);
  for (const std::string_view piece :
       {R"("kind": "ReplicaSet")", R"("desired": 3)", R"("missing": 3)", R"("placed": 2)",
        R"("funnel")", R"("web-1")", R"("refusal": "0/3 nodes are available)"}) {
    EXPECT_THAT(outcome.out, HasSubstr(piece));
  }
}

TEST(ExplainWorkloadTest, NamesCannotControlTheTerminal) {
  std::string pod = PodOf("web-1", std::string(kByReplicaSet), "nodeName: \"n\\e[2J\\n9\", ");
  const Outcome outcome = Explain({"rs", "web"}, kReplicaSet + pod);
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("\x1b")));
}

TEST(ExplainWorkloadTest, UnknownNamesGetASuggestion) {
  const Outcome near = Explain({"rs", "wen"}, kReplicaSet);
  EXPECT_EQ(near.code, kExitFindings);
  EXPECT_THAT(near.err, HasSubstr("no replicaset \"wen\"; did you mean web?"));
  const Outcome elsewhere = Explain({"rs", "web", "-n", "prod"}, kReplicaSet);
  EXPECT_THAT(elsewhere.err, HasSubstr("there is one in namespace \"shop\": -n shop"));
  EXPECT_EQ(Explain({"deploy"}, kReplicaSet).err, "error: -f: the files hold no deployment\n");
  EXPECT_EQ(RunForTest({"explain", "deployment"}).code, kExitUsage);
}

}  // namespace
}  // namespace plimsoll::cli
