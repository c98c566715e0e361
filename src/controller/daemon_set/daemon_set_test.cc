#include "controller/daemon_set/daemon_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "controller/workload/tree.h"
#include "controller/workload_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart(1h);

std::string Set(std::string_view strategy = "{type: RollingUpdate}",
                std::string_view spec = "containers: [{name: c, image: one}]") {
  return "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: ds, namespace: default, "
         "generation: 1}\nspec: {selector: {matchLabels: {app: ds}}, updateStrategy: " +
         std::string(strategy) +
         ", revisionHistoryLimit: 1, template: {metadata: {labels: {app: ds}}, spec: {" +
         std::string(spec) + "}}}\n";
}
const match::Rules kRules;

std::string Node(std::string_view name, std::string_view taints = {}) {
  return "apiVersion: v1\nkind: Node\nmetadata: {name: " + std::string(name) +
         "}\nspec: {taints: [" + std::string(taints) + "]}\n";
}

class DaemonSetTest : public testing::Test, protected WorkloadForTest<DaemonSetController> {
 protected:
  DaemonSetTest() : WorkloadForTest("DaemonSet", "ds", kStart, kRules) { server_.Sync(); }

  void AddNodes(int count) {
    for (int i = 0; i < count; ++i) server_.Put(Node("node" + std::to_string(i)));
  }
  std::set<std::string> Nodes() {
    std::set<std::string> nodes;
    for (const ObjectPtr& pod : server_.All("Pod")) {
      nodes.emplace(TargetNode(*pod->As<api::Pod>()));
    }
    return nodes;
  }
  std::int64_t Status(std::string_view field) {
    return IntAt(server_.Find("DaemonSet", "default", "ds")->tree(), {"status", field});
  }
  std::size_t pods() { return server_.All("Pod").size(); }

  std::string NodeFor(const api::Object& pod) const override {
    return std::string(TargetNode(*pod.As<api::Pod>()));
  }
};

TEST_F(DaemonSetTest, EveryNodeThatSuitsGetsAPod) {
  AddNodes(3);
  server_.Put(Node("closed", "{key: k, effect: NoSchedule}"));
  Put(Set());
  EXPECT_EQ(Nodes(), (std::set<std::string>{"node0", "node1", "node2"}));
  EXPECT_EQ(pods(), 3u);
  EXPECT_EQ(Status("desiredNumberScheduled"), 3);
  EXPECT_EQ(Status("currentNumberScheduled"), 3);
  EXPECT_EQ(Status("updatedNumberScheduled"), 3);
  EXPECT_EQ(Status("numberUnavailable"), 3);
  EXPECT_EQ(Status("observedGeneration"), 1);
  MakeReady();
  EXPECT_EQ(Status("numberReady"), 3);
  EXPECT_EQ(Status("numberAvailable"), 3);
  const auto revisions = server_.All("ControllerRevision");
  ASSERT_EQ(revisions.size(), 1u);
  const auto hash = revisions[0]->metadata().labels.Find("controller-revision-hash");
  EXPECT_EQ(revisions[0]->metadata().name, "ds-" + std::string(*hash));
  EXPECT_EQ(server_.All("Pod")[0]->metadata().labels.Find("controller-revision-hash"), hash);
}

TEST_F(DaemonSetTest, FollowsTheNodes) {
  AddNodes(1);
  Put(Set());
  MakeReady();
  Put(Node("later"));
  EXPECT_EQ(Nodes(), (std::set<std::string>{"node0", "later"}));
  MakeReady();
  // NoSchedule keeps the existing pod but prevents a new one.
  Put(Node("later", "{key: k, effect: NoSchedule}"));
  EXPECT_EQ(pods(), 2u);
  EXPECT_EQ(Status("numberMisscheduled"), 1);
  Put(Node("later", "{key: k, effect: NoExecute}"));
  EXPECT_EQ(pods(), 1u);
  Put(Node("later"));
  EXPECT_EQ(pods(), 2u);
  // The pod was never bound, and its node is deleted.
  server_.Delete("Node", {}, "later");
  server_.RunFor(1s);
  EXPECT_EQ(Nodes(), std::set<std::string>{"node0"});
}

TEST_F(DaemonSetTest, AHeartbeatCostsNothing) {
  AddNodes(1);
  Put(Set());
  MakeReady();
  const std::size_t writes = server_.writes();
  for (int i = 0; i < 10; ++i) {
    server_.Patch("Node", {}, "node0",
                  R"({"status":{"conditions":[{"type":"Ready","status":"True",)"
                  R"("reason":")" +
                      std::to_string(i) + R"("}]}})");
    EXPECT_EQ(core_.NextWake(), std::nullopt);
  }
  EXPECT_EQ(server_.writes(), writes);
}

TEST_F(DaemonSetTest, RollsWithinMaxUnavailable) {
  AddNodes(5);
  Put(Set("{type: RollingUpdate, rollingUpdate: {maxUnavailable: 2}}"));
  MakeReady();
  SetImage("two");
  EXPECT_EQ(pods(), 5u);
  EXPECT_EQ(Status("updatedNumberScheduled"), 2);
  EXPECT_EQ(Status("numberAvailable"), 3);
  while (MakeReady() > 0) EXPECT_GE(Status("numberAvailable"), 3);
  EXPECT_EQ(Status("updatedNumberScheduled"), 5);
  EXPECT_EQ(Status("numberAvailable"), 5);
  // Rolling back makes the old revision the newest; then one more revision exceeds the limit.
  SetImage("one");
  while (MakeReady() > 0) {
  }
  auto revisions = server_.All("ControllerRevision");
  ASSERT_EQ(revisions.size(), 2u);
  EXPECT_EQ(std::max(RevisionNumber(*revisions[0]), RevisionNumber(*revisions[1])), 3);
  SetImage("three");
  while (MakeReady() > 0) {
  }
  revisions = server_.All("ControllerRevision");
  EXPECT_EQ(revisions.size(), 2u);
}

TEST_F(DaemonSetTest, RollsWithSurge) {
  AddNodes(3);
  Put(Set("{type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"));
  MakeReady();
  SetImage("two");
  EXPECT_EQ(pods(), 4u);
  EXPECT_EQ(Status("numberAvailable"), 3);
  std::size_t rounds = 0;
  while (MakeReady() > 0) {
    EXPECT_GE(Status("numberAvailable"), 2);
    EXPECT_LE(pods(), 4u);
    ++rounds;
  }
  EXPECT_EQ(rounds, 3u);
  EXPECT_EQ(pods(), 3u);
  EXPECT_EQ(Status("updatedNumberScheduled"), 3);
}

TEST_F(DaemonSetTest, OnDeleteWaitsForTheUser) {
  AddNodes(2);
  Put(Set("{type: OnDelete}"));
  MakeReady();
  SetImage("two");
  EXPECT_EQ(Status("updatedNumberScheduled"), 0);
  server_.Delete("Pod", "default", server_.All("Pod")[0]->metadata().name);
  server_.RunFor(1s);
  EXPECT_EQ(pods(), 2u);
  EXPECT_EQ(Status("updatedNumberScheduled"), 1);
}

TEST_F(DaemonSetTest, FailedPodsAreReplacedEverMoreSlowly) {
  AddNodes(1);
  Put(Set());
  server_.TakeEvents();
  std::vector<Instant> failures;
  while (server_.now() < kStart + 60s) {
    for (const ObjectPtr& pod : server_.All("Pod")) {
      if (TextAt(pod->tree(), {"status", "phase"}) == "Failed") continue;
      server_.Patch("Pod", "default", pod->metadata().name, R"({"status":{"phase":"Failed"}})");
    }
    server_.RunFor(100ms);
    for (const std::string& event : server_.TakeEvents()) {
      if (!event.starts_with("FailedDaemonPod: ")) continue;
      EXPECT_TRUE(event.starts_with("FailedDaemonPod: Found failed daemon pod default/ds-"));
      EXPECT_TRUE(event.ends_with(" on node node0, will try to kill it"));
      failures.push_back(server_.now());
    }
  }
  // Failed pods are replaced at once, then after 1, 2, 4, 8 and 16 seconds.
  EXPECT_EQ(failures.size(), 6u);
  EXPECT_EQ(pods(), 1u);
}

TEST_F(DaemonSetTest, OnlyOnePodStaysOnANode) {
  AddNodes(1);
  Put(Set());
  MakeReady();
  Put("apiVersion: v1\nkind: Pod\nmetadata: {name: twin, namespace: default, labels: {app: ds}}\n"
      "spec: {nodeName: node0, containers: []}\nstatus: {phase: Running}\n");
  EXPECT_EQ(pods(), 1u);
  EXPECT_EQ(server_.Find("Pod", "default", "twin"), nullptr);
}

TEST_F(DaemonSetTest, AnotherOneGoesOnWhereThisOneStopped) {
  for (std::size_t writes = 0; writes < 12; ++writes) {
    DaemonSetController first(kRules);
    ServerForTest before(first, kStart);
    before.Sync();
    for (int i = 0; i < 5; ++i) before.Put(Node("node" + std::to_string(i)));
    before.Put(Set());
    before.SettleWrites(writes);
    DaemonSetController second(kRules);
    ServerForTest after(second, kStart);
    after.TakeOver(before);
    after.Sync();
    after.RunFor(10s);
    EXPECT_EQ(after.All("Pod").size(), 5u) << writes;
    EXPECT_EQ(after.All("ControllerRevision").size(), 1u) << writes;
  }
}

TEST_F(DaemonSetTest, ManyNodesAreCheap) {
  AddNodes(1000);
  Put(Set());
  server_.RunFor(10s);
  EXPECT_EQ(pods(), 1000u);
  EXPECT_LE(server_.writes(), 1000u + 30u);
}

}  // namespace
}  // namespace plimsoll::controller
