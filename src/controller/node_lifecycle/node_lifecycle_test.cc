#include "controller/node_lifecycle/node_lifecycle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "api/core/pod_condition.h"
#include "api/core/taint.h"
#include "controller/server_for_test.h"

namespace plimsoll::controller {
namespace {

using Texts = std::vector<std::string>;
using namespace std::chrono_literals;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();

class NodeLifecycleTest : public testing::Test {
 protected:
  NodeLifecycleTest() { Sync(); }

  void Sync() { server_.Sync(); }
  void Put(const std::string& yaml) {
    server_.Put(yaml);
    server_.Settle();
  }
  /// Creates a node whose kubelet has just posted its status.
  void PutNode(std::string_view name, std::string_view zone = "a",
               std::string_view ready = "True") {
    const std::string now = FormatTime(server_.now());
    Put("apiVersion: v1\nkind: Node\nmetadata: {name: " + std::string(name) +
        ", labels: {topology.kubernetes.io/zone: " + std::string(zone) +
        "}}\nstatus: {conditions: [{type: Ready, status: '" + std::string(ready) +
        "', lastHeartbeatTime: '" + now + "'}]}\n");
  }
  /// Posts a new status as the kubelet would.
  void PostStatus(std::string_view name, std::string_view ready) {
    server_.Patch("Node", {}, name,
                  R"({"status":{"conditions":[{"type":"Ready","status":")" + std::string(ready) +
                      R"(","lastHeartbeatTime":")" + FormatTime(server_.now()) + R"("}]}})");
    server_.Settle();
  }
  void Renew(std::string_view name) {
    Put("apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: " + std::string(name) +
        ", namespace: kube-node-lease}\nspec: {renewTime: '" + FormatMicroTime(server_.now()) +
        "'}\n");
  }
  void PutPod(std::string_view name, std::string_view node) {
    Put("apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
        ", namespace: default}\nspec: {nodeName: " + std::string(node) +
        "}\nstatus: {conditions: [{type: Ready, status: 'True'}]}\n");
  }
  std::set<std::string> TaintsOf(std::string_view name) {
    std::set<std::string> taints;
    for (const api::Taint& taint : server_.Find("Node", {}, name)->As<api::Node>()->spec.taints) {
      taints.insert(ToText(taint).substr(std::string_view("node.kubernetes.io/").size()));
    }
    return taints;
  }
  std::string ReadyOf(std::string_view kind, std::string_view namespace_, std::string_view name) {
    const auto ready = api::FindCondition(*server_.Find(kind, namespace_, name), "Ready");
    return ready ? std::string(ready->status) + " " + std::string(ready->reason) : "";
  }
  std::size_t NoExecuteCount() {
    std::size_t count = 0;
    for (const ObjectPtr& node : server_.All("Node")) {
      count += HasNoExecuteTaint(*node);
    }
    return count;
  }
  /// Advances the clock; these nodes renew their leases every ten seconds.
  void RunRenewing(Duration time, const std::vector<std::string>& names) {
    for (const Instant end = server_.now() + time; server_.now() < end;) {
      for (const std::string& name : names) Renew(name);
      server_.RunFor(std::min<Duration>(10s, end - server_.now()));
    }
  }

  MetricsRegistry metrics_;
  NodeLifecycle core_{metrics_};
  ServerForTest<NodeLifecycle> server_{core_, kNoon};
};

const std::set<std::string> kNone;
const std::set<std::string> kUnreachable = {"unreachable:NoExecute", "unreachable:NoSchedule"};
const std::set<std::string> kNotReady = {"not-ready:NoExecute", "not-ready:NoSchedule"};

TEST_F(NodeLifecycleTest, ASilentNodeIsUnreachableAndComesBack) {
  PutNode("n1");
  PutNode("n2");
  PutPod("p", "n1");
  EXPECT_EQ(server_.TakeEvents(),
            (Texts{"RegisteredNode: Node n1 event: Registered Node n1 in Controller",
                   "RegisteredNode: Node n2 event: Registered Node n2 in Controller"}));
  RunRenewing(10min, {"n1", "n2"});
  EXPECT_EQ(server_.TakeEvents(), Texts());
  EXPECT_EQ(TaintsOf("n1"), kNone);

  RunRenewing(40s, {"n2"});  // the last heartbeat of n1 is ten seconds older
  EXPECT_EQ(ReadyOf("Node", {}, "n1"), "True ");
  RunRenewing(10s, {"n2"});
  EXPECT_EQ(ReadyOf("Node", {}, "n1"), "Unknown NodeStatusUnknown");
  EXPECT_EQ(TaintsOf("n1"), kUnreachable);
  EXPECT_EQ(TaintsOf("n2"), kNone);
  EXPECT_EQ(ReadyOf("Pod", "default", "p"), "False ");
  EXPECT_EQ(server_.TakeEvents(), (Texts{"NodeNotReady: Node n1 status is now: NodeNotReady",
                                         "NodeNotReady: Node is not ready"}));

  RunRenewing(10min, {"n2"});
  EXPECT_EQ(server_.TakeEvents(), Texts());
  Renew("n1");
  RunRenewing(10s, {"n1", "n2"});
  EXPECT_EQ(TaintsOf("n1"), kUnreachable);  // alive, but not yet reported as ready
  PostStatus("n1", "True");
  RunRenewing(10s, {"n1", "n2"});
  EXPECT_EQ(TaintsOf("n1"), kNone);
}

TEST_F(NodeLifecycleTest, TheGraceIsFiftySeconds) {
  PutNode("n1");
  PutNode("n2");
  RunRenewing(50s, {"n2"});
  EXPECT_EQ(ReadyOf("Node", {}, "n1"), "True ");
  RunRenewing(5s, {"n2"});
  EXPECT_EQ(ReadyOf("Node", {}, "n1"), "Unknown NodeStatusUnknown");
}

TEST_F(NodeLifecycleTest, StatusIsASignOfLifeToo) {
  PutNode("n1");
  PutNode("n2");
  for (int i = 0; i < 20; ++i) {
    PostStatus("n1", "True");
    RunRenewing(40s, {"n2"});
  }
  EXPECT_EQ(TaintsOf("n1"), kNone);
}

TEST_F(NodeLifecycleTest, ANodeThatNeverSpokeHasAMinute) {
  PutNode("n2");
  Put("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n");
  RunRenewing(60s, {"n2"});
  EXPECT_EQ(ReadyOf("Node", {}, "n1"), "");
  EXPECT_EQ(TaintsOf("n1"), kNone);
  RunRenewing(5s, {"n2"});
  EXPECT_EQ(ReadyOf("Node", {}, "n1"), "Unknown NodeStatusNeverUpdated");
  EXPECT_EQ(TaintsOf("n1"), kUnreachable);
  EXPECT_EQ(server_.TakeEvents().size(), 2u);  // registered only: it never was ready
}

TEST_F(NodeLifecycleTest, WhatTheKubeletSaysIsFollowed) {
  PutNode("n1");
  PutNode("n2");
  PostStatus("n1", "False");
  EXPECT_EQ(TaintsOf("n1"), std::set<std::string>{"not-ready:NoSchedule"});  // without delay
  RunRenewing(5s, {"n1", "n2"});
  EXPECT_EQ(TaintsOf("n1"), kNotReady);
  RunRenewing(60s, {"n2"});  // heartbeat stops: the taint is replaced without queueing
  EXPECT_EQ(TaintsOf("n1"), kUnreachable);
  PostStatus("n1", "False");
  RunRenewing(5s, {"n1", "n2"});
  EXPECT_EQ(TaintsOf("n1"), kNotReady);
  PostStatus("n1", "True");
  RunRenewing(5s, {"n1", "n2"});
  EXPECT_EQ(TaintsOf("n1"), kNone);
}

TEST_F(NodeLifecycleTest, NodesOfAZoneAreTaintedOneByOne) {
  std::vector<std::string> healthy;
  for (int i = 0; i < 8; ++i) {
    healthy.push_back("up" + std::to_string(i));
    PutNode(healthy.back());
  }
  for (int i = 0; i < 4; ++i) PutNode("down" + std::to_string(i));
  RunRenewing(55s, healthy);
  EXPECT_EQ(NoExecuteCount(), 1u);
  RunRenewing(10s, healthy);
  EXPECT_EQ(NoExecuteCount(), 2u);
  RunRenewing(20s, healthy);
  EXPECT_EQ(NoExecuteCount(), 4u);
  EXPECT_NE(metrics_.Text().find("node_collector_evictions_total"), std::string::npos);
}

TEST_F(NodeLifecycleTest, AZoneThatIsMostlyDownIsLeftAlone) {
  std::vector<std::string> healthy = {"up0", "up1"};
  for (const std::string& name : healthy) PutNode(name);
  for (int i = 0; i < 8; ++i) PutNode("down" + std::to_string(i));
  RunRenewing(10min, healthy);
  EXPECT_EQ(NoExecuteCount(), 0u);
  EXPECT_EQ(TaintsOf("down0"), std::set<std::string>{"unreachable:NoSchedule"});
}

TEST_F(NodeLifecycleTest, AZoneThatIsWhollyDownIsNotIfAnotherIsUp) {
  PutNode("up", "a");
  for (int i = 0; i < 4; ++i) PutNode("down" + std::to_string(i), "b");
  RunRenewing(2min, {"up"});
  EXPECT_EQ(NoExecuteCount(), 4u);
}

TEST_F(NodeLifecycleTest, WhenAllAreDownNothingIsTaintedUntilOneIsBack) {
  for (int i = 0; i < 3; ++i) PutNode("a" + std::to_string(i), "a");
  PutNode("b0", "b");
  RunRenewing(100s, {"a0", "b0"});  // taints a1 and a2
  EXPECT_EQ(NoExecuteCount(), 2u);
  server_.RunFor(10min);
  EXPECT_EQ(NoExecuteCount(), 0u);
  for (const ObjectPtr& node : server_.All("Node")) {
    EXPECT_EQ(ReadyOf("Node", {}, node->metadata().name), "Unknown NodeStatusUnknown");
  }
  PostStatus("b0", "True");
  RunRenewing(10s, {"b0"});
  EXPECT_EQ(NoExecuteCount(), 0u);
  RunRenewing(1min, {"b0"});
  EXPECT_EQ(NoExecuteCount(), 3u);
  EXPECT_EQ(TaintsOf("b0"), kNone);
}

TEST_F(NodeLifecycleTest, ExcludedNodesDoNotCountForTheirZone) {
  PutNode("up");
  for (int i = 0; i < 4; ++i) {
    Put("apiVersion: v1\nkind: Node\nmetadata: {name: down" + std::to_string(i) +
        ", labels: {topology.kubernetes.io/zone: a, node.kubernetes.io/exclude-disruption: ''}}\n"
        "status: {conditions: [{type: Ready, status: 'True'}]}\n");
  }
  RunRenewing(2min, {"up"});
  EXPECT_EQ(NoExecuteCount(), 4u);
}

TEST_F(NodeLifecycleTest, ConditionsAndCordonsBecomeTaints) {
  Put("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nspec: {unschedulable: true}\nstatus: "
      "{conditions: [{type: Ready, status: 'True'}, {type: MemoryPressure, status: 'True'}]}\n");
  EXPECT_EQ(TaintsOf("n1"),
            (std::set<std::string>{"memory-pressure:NoSchedule", "unschedulable:NoSchedule"}));
  server_.Patch("Node", {}, "n1", R"({"spec":{"unschedulable":null}})");
  server_.Settle();
  EXPECT_EQ(TaintsOf("n1"), std::set<std::string>{"memory-pressure:NoSchedule"});
}

TEST_F(NodeLifecycleTest, FailedWritesAreTriedAgain) {
  PutNode("n1");
  PutNode("n2");
  PutPod("p", "n1");
  RunRenewing(50s, {"n2"});
  server_.TakeEvents();
  server_.FailNext(5);
  RunRenewing(20s, {"n2"});
  EXPECT_EQ(TaintsOf("n1"), kUnreachable);
  EXPECT_EQ(ReadyOf("Pod", "default", "p"), "False ");
  EXPECT_EQ(server_.TakeEvents(), (Texts{"NodeNotReady: Node n1 status is now: NodeNotReady",
                                         "NodeNotReady: Node is not ready"}));
}

TEST_F(NodeLifecycleTest, APodThatComesToASilentNodeIsNotReady) {
  PutNode("n1");
  PutNode("n2");
  RunRenewing(1min, {"n2"});
  PutPod("p", "n1");
  PutPod("q", "n2");
  EXPECT_EQ(ReadyOf("Pod", "default", "p"), "False ");
  EXPECT_EQ(ReadyOf("Pod", "default", "q"), "True ");
}

TEST_F(NodeLifecycleTest, ADeletedNodeIsForgotten) {
  PutNode("n1");
  PutNode("n2");
  Renew("n1");
  PutPod("p", "n1");
  server_.Delete("Node", {}, "n1");
  server_.Settle();
  EXPECT_EQ(server_.TakeEvents().back(),
            "RemovingNode: Node n1 event: Removing Node n1 from Controller");
  RunRenewing(5min, {"n2"});
  EXPECT_EQ(server_.TakeEvents(), Texts());
  server_.Delete("Lease", "kube-node-lease", "n1");
  PutNode("n1");
  EXPECT_EQ(TaintsOf("n1"), kNone);
}

TEST_F(NodeLifecycleTest, AnotherControllerGoesOn) {
  PutNode("n1");
  PutNode("n2");
  PutPod("p", "n1");
  RunRenewing(1min, {"n2"});
  const std::string before(server_.Find("Node", {}, "n1")->metadata().resource_version);
  PutPod("q", "n1");

  MetricsRegistry metrics;
  NodeLifecycle second(metrics);
  ServerForTest<NodeLifecycle> taken_over(second, kNoon);
  taken_over.TakeOver(server_);
  EXPECT_EQ(second.NextWake(), std::nullopt);
  taken_over.Sync();
  taken_over.RunFor(30s);
  // The taint is unchanged, including its timeAdded.
  EXPECT_EQ(taken_over.Find("Node", {}, "n1")->metadata().resource_version, before);
}

}  // namespace
}  // namespace plimsoll::controller
