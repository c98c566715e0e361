#include "agent/node_agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/cluster_for_test.h"
#include "agent/metrics.h"

namespace plimsoll::agent {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kRunning = "status.containerStatuses.0.state.running.startedAt";

/// A pod on node-0; `annotations` and `spec` are members of their objects.
std::string APod(const std::string& name, const std::string& annotations = "",
                 const std::string& spec = "", const std::string& status = "") {
  return "{apiVersion: v1, kind: Pod, metadata: {name: " + name +
         ", namespace: default, annotations: {" + annotations +
         "}}, spec: {nodeName: node-0, restartPolicy: Always, terminationGracePeriodSeconds: 30, "
         "containers: [{name: c, image: 'web:1'}]" +
         (spec.empty() ? "" : ", " + spec) + "}, status: {" + status + "}}";
}

class NodeAgentTest : public testing::Test {
 protected:
  NodeAgentTest() { Begin(); }
  void Begin(std::size_t nodes = 1) {
    cluster_.Start(ClusterForTest::Options(nodes));
    cluster_.TakeWrites();
    cluster_.TakeEvents();
  }
  std::string Phase(const std::string& pod) { return cluster_.At("Pod/" + pod, "status.phase"); }
  std::string Container(const std::string& pod, const std::string& path) {
    return cluster_.At("Pod/" + pod, "status.containerStatuses.0." + path);
  }

  ClusterForTest cluster_;
};

TEST_F(NodeAgentTest, RegistersANodeThatIsReadyAndKeepsItsLease) {
  EXPECT_EQ(cluster_.Condition("Node/node-0", "Ready"), "True");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "Ready", "message"),
            "kubelet is posting ready status");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "DiskPressure"), "False");
  EXPECT_EQ(cluster_.At("Node/node-0", "status.addresses.0.address"), "172.16.0.1");
  EXPECT_EQ(cluster_.At("Lease/node-0", "spec.holderIdentity"), "node-0");
  EXPECT_EQ(cluster_.At("Lease/node-0", "spec.leaseDurationSeconds"), "40");
  EXPECT_EQ(cluster_.At("Lease/node-0", "metadata.ownerReferences.0.uid"),
            cluster_.At("Node/node-0", "metadata.uid"));
  cluster_.RunFor(seconds(60));
  const auto writes = cluster_.TakeWrites();
  EXPECT_EQ(writes.size(), 6u);  // every ten seconds, and nothing else
  EXPECT_THAT(writes, testing::Each("renew node-0"));
}

TEST_F(NodeAgentTest, ReportsItsStatusEveryFiveMinutes) {
  cluster_.RunFor(minutes(21));
  const auto writes = cluster_.TakeWrites();
  EXPECT_EQ(std::ranges::count(writes, "patch Node/node-0"), 4);
  EXPECT_EQ(cluster_.Condition("Node/node-0", "Ready"), "True");
}

TEST_F(NodeAgentTest, TakesOverANodeThatIsThere) {
  cluster_.Put(
      "{apiVersion: v1, kind: Node, metadata: {name: node-1, labels: {zone: a}},"
      "status: {addresses: [{type: InternalIP, address: 10.9.9.9}], conditions: ["
      "{type: Ready, status: Unknown, reason: NodeStatusUnknown}]}}");
  Begin(2);
  EXPECT_EQ(cluster_.Condition("Node/node-1", "Ready"), "True");
  EXPECT_EQ(cluster_.At("Node/node-1", "status.addresses.0.address"), "10.9.9.9");
  EXPECT_EQ(cluster_.At("Node/node-1", "status.capacity.cpu"), "4");
  EXPECT_EQ(cluster_.At("Node/node-1", "metadata.labels.zone"), "a");
  EXPECT_EQ(cluster_.At("Lease/node-1", "spec.holderIdentity"), "node-1");
}

TEST_F(NodeAgentTest, ADeletedNodeIsNotMadeAgain) {
  cluster_.Remove("Node/node-0");
  cluster_.RunFor(minutes(30));
  EXPECT_EQ(cluster_.Find("Node/node-0"), nullptr);
  EXPECT_THAT(cluster_.TakeWrites(), IsEmpty());
}

TEST_F(NodeAgentTest, TriesAgainToRegister) {
  ClusterForTest cluster;
  cluster.FailNext(3);
  cluster.Start(ClusterForTest::Options());
  EXPECT_EQ(cluster.Find("Node/node-0"), nullptr);
  cluster.RunFor(seconds(2));
  EXPECT_NE(cluster.Find("Node/node-0"), nullptr);
}

TEST_F(NodeAgentTest, AdoptsNodesThatAskForIt) {
  NodeAgentOptions options = ClusterForTest::Options();
  options.adopts = true;
  options.adopted_status = R"({"capacity":{"cpu":"7"},"allocatable":{"cpu":"7","pods":"9"}})";
  cluster_.Put(
      "{apiVersion: v1, kind: Pod, metadata: {name: early, namespace: default}, spec: "
      "{nodeName: mine, containers: [{name: c, image: i}]}}");
  cluster_.Start(options);
  cluster_.Put("{apiVersion: v1, kind: Node, metadata: {name: foreign}}");
  cluster_.Put(
      "{apiVersion: v1, kind: Node, metadata: {name: mine, annotations: "
      "{plimsoll.io/simulated: 'true'}}}");
  EXPECT_EQ(cluster_.Condition("Node/mine", "Ready"), "True");
  EXPECT_EQ(cluster_.At("Node/mine", "status.capacity.cpu"), "7");
  EXPECT_EQ(cluster_.Condition("Node/foreign", "Ready"), "");
  EXPECT_EQ(Phase("early"), "Running");
}

TEST_F(NodeAgentTest, ReadsAnnotationsOfTheDeprecatedPrefixAndReportsThemOnce) {
  cluster_.Put(APod("first", "plimsoll.dev/ready: 'false'"));
  EXPECT_EQ(Container("first", "ready"), "false");
  EXPECT_THAT(cluster_.TakeEvents(),
              Contains("Pod/first DeprecatedAnnotation: metadata.annotations[plimsoll.dev/ready]: "
                       "deprecated; use \"plimsoll.io/ready\" instead"));
  cluster_.Put(APod("second", "plimsoll.dev/ready: 'false'"));
  EXPECT_THAT(cluster_.TakeEvents(), Each(Not(HasSubstr("DeprecatedAnnotation"))));
}

TEST_F(NodeAgentTest, ABoundPodRunsAfterOneWrite) {
  cluster_.Put(APod("web"));
  EXPECT_EQ(Phase("web"), "Running");
  EXPECT_EQ(cluster_.Condition("Pod/web", "Ready"), "True");
  EXPECT_EQ(cluster_.Condition("Pod/web", "PodScheduled"), "True");
  EXPECT_EQ(Container("web", "ready"), "true");
  EXPECT_EQ(Container("web", "restartCount"), "0");
  EXPECT_EQ(cluster_.At("Pod/web", "status.podIP"), "10.64.0.1");
  EXPECT_EQ(cluster_.At("Pod/web", "status.hostIP"), "172.16.0.1");
  EXPECT_THAT(cluster_.TakeWrites(), ElementsAre("patch Pod/web"));
  EXPECT_THAT(
      cluster_.TakeEvents(),
      ElementsAre("Pod/web Pulled: Container image \"web:1\" already present on machine "
                  "and can be accessed by the pod",
                  "Pod/web Created: Container created", "Pod/web Started: Container started"));
  EXPECT_THAT(cluster_.MetricsText(), HasSubstr("kubelet_running_pods 1"));
}

TEST_F(NodeAgentTest, ASlowPodWaitsThenRunsThenIsReady) {
  cluster_.Put(APod("web", "plimsoll.io/start-delay: 5s, plimsoll.io/readiness-delay: 3s"));
  EXPECT_EQ(Phase("web"), "Pending");
  EXPECT_EQ(Container("web", "state.waiting.reason"), "ContainerCreating");
  cluster_.RunFor(seconds(5));
  EXPECT_EQ(Phase("web"), "Running");
  EXPECT_EQ(cluster_.Condition("Pod/web", "Ready"), "False");
  EXPECT_EQ(cluster_.Condition("Pod/web", "Ready", "message"),
            "containers with unready status: [c]");
  cluster_.RunFor(seconds(3));
  EXPECT_EQ(cluster_.Condition("Pod/web", "Ready"), "True");
  EXPECT_EQ(cluster_.Condition("Pod/web", "Ready", "reason"), "");
}

TEST_F(NodeAgentTest, DeletionGrantsTheGraceAndThenRemovesThePod) {
  cluster_.Put(APod("web", "plimsoll.io/stop-time: 60s"));
  cluster_.TakeWrites();
  cluster_.TakeEvents();
  cluster_.Delete("Pod/web", 30);
  EXPECT_THAT(cluster_.TakeEvents(), ElementsAre("Pod/web Killing: Stopping container c"));
  cluster_.RunFor(seconds(29));
  EXPECT_EQ(Phase("web"), "Running");
  cluster_.RunFor(seconds(1));
  EXPECT_EQ(Phase("web"), "(gone)");
  auto writes = cluster_.TakeWrites();
  std::erase_if(writes, [](const std::string& one) { return one.ends_with("node-0"); });
  EXPECT_THAT(writes, ElementsAre("delete Pod/web"));
}

TEST_F(NodeAgentTest, LessGraceCountsAndMoreDoesNot) {
  cluster_.Put(APod("web", "plimsoll.io/stop-time: 60s"));
  cluster_.Delete("Pod/web", 30);
  cluster_.RunFor(seconds(5));
  cluster_.Delete("Pod/web", 60);
  cluster_.Delete("Pod/web", 2);
  cluster_.RunFor(seconds(2));
  EXPECT_EQ(Phase("web"), "(gone)");
}

TEST_F(NodeAgentTest, WhoeverHoldsAPodReadsHowItEnded) {
  cluster_.Put(APod("work", "", "restartPolicy: Never"));
  cluster_.Patch("Pod/work", R"({"metadata":{"finalizers":["batch.kubernetes.io/job-tracking"]}})");
  cluster_.Delete("Pod/work", 30);
  EXPECT_EQ(Phase("work"), "Failed");
  EXPECT_EQ(Container("work", "state.terminated.exitCode"), "143");
  EXPECT_EQ(cluster_.Condition("Pod/work", "Ready", "reason"), "PodFailed");
  auto writes = cluster_.TakeWrites();
  EXPECT_EQ(std::ranges::count(writes, "delete Pod/work"), 1);
}

TEST_F(NodeAgentTest, AForcedDeletionFreesEverything) {
  cluster_.Put(APod("web", "", "hostNetwork: false"));
  cluster_.Remove("Pod/web");
  cluster_.RunFor(minutes(1));
  EXPECT_THAT(cluster_.MetricsText(), HasSubstr("kubelet_running_pods 0"));
}

TEST_F(NodeAgentTest, FailedWritesAreTriedAgain) {
  cluster_.FailNext(2);
  cluster_.Put(APod("web"));
  EXPECT_EQ(Phase("web"), "");
  cluster_.RunFor(seconds(1));
  EXPECT_EQ(Phase("web"), "Running");
  cluster_.FailNext(1);
  cluster_.Delete("Pod/web", 0);
  cluster_.RunFor(seconds(2));
  EXPECT_EQ(Phase("web"), "(gone)");
}

TEST_F(NodeAgentTest, RefusesAPodWhoseTaintIsNotTolerated) {
  cluster_.Patch("Node/node-0",
                 R"({"spec":{"taints":[{"key":"risk","value":"7","effect":"NoExecute"}]}})");
  cluster_.TakeEvents();
  cluster_.Put(APod("web", "", "tolerations: [{key: risk, operator: Lt, value: '5'}]"));
  const std::string body =
      "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate";
  EXPECT_EQ(Phase("web"), "Failed");
  EXPECT_EQ(cluster_.At("Pod/web", "status.reason"), "TaintToleration");
  EXPECT_EQ(cluster_.At("Pod/web", "status.message"), "Pod was rejected: " + body);
  EXPECT_THAT(cluster_.TakeEvents(), ElementsAre("Pod/web TaintToleration: " + body));
  EXPECT_THAT(cluster_.MetricsText(),
              HasSubstr("kubelet_admission_rejections_total{reason=\"TaintToleration\"} 1"));
  cluster_.Delete("Pod/web", 30);
  EXPECT_EQ(Phase("web"), "(gone)");
}

TEST_F(NodeAgentTest, LooksAgainAtTheServersNodeBeforeItRefuses) {
  cluster_.Patch("Node/node-0",
                 R"({"spec":{"taints":[{"key":"risk","value":"7","effect":"NoExecute"}]}})");
  cluster_.PatchWithoutEvent("Node/node-0", R"({"spec":{"taints":null}})");
  cluster_.Put(APod("web"));
  EXPECT_EQ(Phase("web"), "Running");
}

TEST_F(NodeAgentTest, FullNodesRefuseUntilAPodEnds) {
  const std::string half = "containers: [{name: c, image: i, resources: {requests: {cpu: '3'}}}]";
  const auto pod = [&](const std::string& name, const std::string& annotations = "") {
    return "{apiVersion: v1, kind: Pod, metadata: {name: " + name +
           ", namespace: default, annotations: {" + annotations +
           "}}, spec: {nodeName: node-0, restartPolicy: Never, " + half + "}}";
  };
  cluster_.Put(pod("a", "plimsoll.io/run-time: 5s"));
  cluster_.Put(pod("b"));
  EXPECT_EQ(cluster_.At("Pod/b", "status.reason"), "OutOfcpu");
  cluster_.RunFor(seconds(5));
  EXPECT_EQ(Phase("a"), "Succeeded");
  cluster_.Put(pod("c"));
  EXPECT_EQ(Phase("c"), "Running");
}

TEST_F(NodeAgentTest, OthersGoForACriticalPod) {
  const auto pod = [&](const std::string& name, const std::string& cpu, std::int64_t priority) {
    return "{apiVersion: v1, kind: Pod, metadata: {name: " + name +
           ", namespace: default}, spec: {nodeName: node-0, restartPolicy: Never, priority: " +
           std::to_string(priority) +
           ", terminationGracePeriodSeconds: 5, containers: [{name: c, " +
           "image: i, resources: {requests: {cpu: '" + cpu + "'}}}]}}";
  };
  cluster_.Put(pod("large", "2", 0));
  cluster_.Put(pod("small", "1", 0));
  cluster_.TakeEvents();
  cluster_.Put(pod("critical", "2", 2'000'000'000));
  EXPECT_THAT(cluster_.TakeEvents(),
              Contains("Pod/small Preempting: Preempted in order to admit critical pod"));
  cluster_.RunFor(seconds(5));
  EXPECT_EQ(Phase("small"), "Failed");
  EXPECT_EQ(cluster_.At("Pod/small", "status.reason"), "Preempting");
  EXPECT_EQ(cluster_.At("Pod/small", "status.message"), "Preempted in order to admit critical pod");
  EXPECT_EQ(cluster_.Condition("Pod/small", "DisruptionTarget", "reason"), "TerminationByKubelet");
  EXPECT_EQ(Phase("large"), "Running");
  EXPECT_EQ(Phase("critical"), "Running");
  EXPECT_THAT(cluster_.MetricsText(),
              HasSubstr("kubelet_preemptions{preemption_signal=\"cpu\"} 1"));

  cluster_.Put(pod("critical-too", "4", 2'000'000'000));
  EXPECT_EQ(cluster_.At("Pod/critical-too", "status.reason"), "UnexpectedAdmissionError");
  EXPECT_THAT(cluster_.At("Pod/critical-too", "status.message"),
              HasSubstr("no set of running pods found to reclaim resources: [(res: cpu, q: "));
}

TEST_F(NodeAgentTest, AnAgentThatComesLaterGoesOn) {
  cluster_.Put(APod("web"));
  cluster_.Put(APod("work", "plimsoll.io/run-time: 60s", "restartPolicy: Never"));
  cluster_.RunFor(seconds(20));
  const std::string since(cluster_.At("Pod/web", kRunning));
  const std::string id = Container("web", "containerID");
  Begin();
  cluster_.RunFor(seconds(39));
  auto writes = cluster_.TakeWrites();
  EXPECT_THAT(writes, Not(Contains("patch Pod/web")));
  EXPECT_EQ(cluster_.At("Pod/web", kRunning), since);
  EXPECT_EQ(Container("web", "containerID"), id);
  EXPECT_EQ(Phase("work"), "Running");
  cluster_.RunFor(seconds(1));
  EXPECT_EQ(Phase("work"), "Succeeded");
  EXPECT_THAT(cluster_.TakeEvents(), Not(Contains(HasSubstr("Started"))));
  cluster_.Put(APod("more"));
  EXPECT_EQ(cluster_.At("Pod/more", "status.podIP"), "10.64.0.3");
}

TEST_F(NodeAgentTest, ALaterAgentGrantsWhatIsLeftOfTheGrace) {
  cluster_.Put(APod("web", "plimsoll.io/stop-time: 60s"));
  cluster_.Delete("Pod/web", 30);
  cluster_.RunFor(seconds(20));
  Begin();
  cluster_.RunFor(seconds(10));
  EXPECT_EQ(Phase("web"), "(gone)");
}

TEST_F(NodeAgentTest, PodsThatAreDoneAreLeftAlone) {
  cluster_.Put(APod("old", "", "", "phase: Succeeded"));
  EXPECT_THAT(cluster_.TakeWrites(), IsEmpty());
  cluster_.Delete("Pod/old", 30);
  EXPECT_EQ(Phase("old"), "(gone)");
}

TEST_F(NodeAgentTest, TheServerEndsWhatHasNoGraceUnlessItFails) {
  cluster_.Put(APod("web"));
  cluster_.TakeWrites();
  cluster_.Delete("Pod/web", 0);
  cluster_.RunFor(milliseconds(900));
  EXPECT_THAT(cluster_.TakeWrites(), IsEmpty()) << "it deletes the pod right after the mark";
  cluster_.RunFor(milliseconds(100));
  EXPECT_EQ(Phase("web"), "(gone)");
}

TEST_F(NodeAgentTest, ASilentNodeDoesNothingAndHealsWhenItIsBack) {
  cluster_.Put(APod("web"));
  cluster_.Patch("Node/node-0",
                 R"({"metadata":{"annotations":{"plimsoll.io/heartbeats":"false"}}})");
  cluster_.TakeWrites();
  cluster_.RunFor(minutes(6));
  cluster_.Delete("Pod/web", 30);
  cluster_.Put(APod("new"));
  cluster_.RunFor(minutes(6));
  EXPECT_THAT(cluster_.TakeWrites(), IsEmpty());
  EXPECT_EQ(Phase("new"), "");
  // Meanwhile the node controller has marked the node as lost.
  cluster_.Patch("Node/node-0",
                 R"({"status":{"conditions":[{"type":"Ready","status":"Unknown"}]}})");
  cluster_.Patch("Node/node-0", R"({"metadata":{"annotations":{"plimsoll.io/heartbeats":null}}})");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "Ready"), "True");
  EXPECT_EQ(Phase("web"), "(gone)");
  EXPECT_EQ(Phase("new"), "Running");
  EXPECT_THAT(cluster_.TakeWrites(), Contains("renew node-0"));
}

TEST_F(NodeAgentTest, MakesRightWhatOthersSayOfItsPodsAndNode) {
  cluster_.Put(APod("web"));
  cluster_.RunFor(seconds(20));
  cluster_.Patch("Pod/web", R"({"status":{"conditions":[{"type":"Ready","status":"False"}]}})");
  EXPECT_EQ(cluster_.Condition("Pod/web", "Ready"), "True");
  cluster_.Patch("Node/node-0",
                 R"({"status":{"conditions":[{"type":"Ready","status":"Unknown"}]}})");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "Ready"), "True");
}

TEST_F(NodeAgentTest, AlsoWhenThatComesRightAfterItsOwnWrite) {
  cluster_.Put(APod("web"));
  cluster_.PatchWithoutEvent("Pod/web", R"({"status":{"conditions":[]}})");
  cluster_.Patch("Pod/web", R"({"status":{"conditions":[{"type":"Ready","status":"False"}]}})");
  cluster_.Patch("Node/node-0",
                 R"({"status":{"conditions":[{"type":"Ready","status":"Unknown"}]}})");
  cluster_.RunFor(seconds(11));
  EXPECT_EQ(cluster_.Condition("Pod/web", "Ready"), "True");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "Ready"), "True");
}

TEST_F(NodeAgentTest, ConditionsFollowTheAnnotations) {
  cluster_.RunFor(seconds(20));
  cluster_.Patch("Node/node-0", R"({"metadata":{"annotations":{
      "plimsoll.io/condition.Ready":"False:FanStopped:it is hot",
      "plimsoll.io/condition.MemoryPressure":"True",
      "plimsoll.io/condition.NetworkUnavailable":"True"}}})");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "Ready"), "False");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "Ready", "reason"), "FanStopped");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "Ready", "message"), "it is hot");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "MemoryPressure", "reason"),
            "KubeletHasInsufficientMemory");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "NetworkUnavailable"), "True");
  EXPECT_THAT(cluster_.TakeEvents(),
              ElementsAre("Node/node-0 NodeHasInsufficientMemory: Node node-0 status is now: "
                          "NodeHasInsufficientMemory",
                          "Node/node-0 NodeNotReady: Node node-0 status is now: NodeNotReady"));
  cluster_.Put(APod("web"));
  EXPECT_EQ(cluster_.At("Pod/web", "status.reason"), "Evicted");
  cluster_.Patch("Node/node-0", R"({"metadata":{"annotations":null}})");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "Ready"), "True");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "NetworkUnavailable"), "");
}

TEST_F(NodeAgentTest, TellsOfImagesWithinAMinute) {
  cluster_.Put(APod("web"));
  cluster_.RunFor(minutes(1));
  EXPECT_EQ(cluster_.At("Node/node-0", "status.images.0.names.0"), "web:1");
}

TEST_F(NodeAgentTest, AFailedReportRemovesItsConditionsAtTheNextTry) {
  cluster_.Patch("Node/node-0",
                 R"({"metadata":{"annotations":{"plimsoll.io/condition.Rusty":"True"}}})");
  EXPECT_EQ(cluster_.Condition("Node/node-0", "Rusty"), "True");
  cluster_.FailNext(1);
  cluster_.Patch("Node/node-0", R"({"metadata":{"annotations":null}})");
  cluster_.RunFor(seconds(5));
  EXPECT_EQ(cluster_.Condition("Node/node-0", "Rusty"), "");
}

TEST_F(NodeAgentTest, ALostLeaseIsMadeAgain) {
  cluster_.Remove("Lease/node-0");
  cluster_.RunFor(seconds(10));
  EXPECT_NE(cluster_.Find("Lease/node-0"), nullptr);
}

TEST_F(NodeAgentTest, NormalEventsAreBoundedAndWarningsAreNot) {
  NodeAgentOptions options = ClusterForTest::Options();
  options.events_per_second = 0;
  cluster_.Start(options);
  cluster_.Put(APod("web"));
  EXPECT_THAT(cluster_.TakeEvents(), IsEmpty());
  cluster_.Put(APod("lost", "", "nodeSelector: {zone: a}"));
  EXPECT_THAT(cluster_.TakeEvents(), ElementsAre(HasSubstr("Pod/lost NodeAffinity: ")));
}

TEST_F(NodeAgentTest, HeartbeatsOfManyNodesAreSpread) {
  Begin(200);
  cluster_.RunFor(seconds(10));
  cluster_.TakeWrites();
  for (int step = 0; step < 10; ++step) {
    cluster_.RunFor(seconds(1));
    const auto writes = cluster_.TakeWrites();
    EXPECT_EQ(std::ranges::count_if(
                  writes, [](const std::string& one) { return one.starts_with("renew"); }),
              20);
  }
}

}  // namespace
}  // namespace plimsoll::agent
