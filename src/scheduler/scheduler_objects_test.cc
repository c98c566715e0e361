// Default profile: events that requeue a pending pod, and invariants under random histories.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "scheduler/default_profile_for_test.h"
#include "scheduler/scheduler_for_test.h"

namespace plimsoll::scheduler {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class DefaultProfileTest : public SchedulerHarness, public testing::Test {
 protected:
  DefaultProfileTest()
      : SchedulerHarness([](ClusterState& cluster) { return MakeDefaultProfile(cluster, {}); }) {}

  static ObjectPtr Tainted(std::string_view name, std::string_view value,
                           std::string_view more = {}) {
    return NodeFromYaml(name, "{allocatable: {cpu: '4', memory: 8Gi, pods: '10'}}",
                        "{taints: [{key: risk, value: '" + std::string(value) +
                            "', effect: NoSchedule}]" + std::string(more) + "}");
  }
  static ObjectPtr Tolerant(std::string_view name, std::string_view op, std::string_view value) {
    return Pod(name, "tolerations: [{key: risk, operator: " + std::string(op) + ", value: '" +
                         std::string(value) + "', effect: NoSchedule}]");
  }
  bool Counted(std::string_view line) const { return registry_->Text().contains(line); }
};

TEST_F(DefaultProfileTest, ATaintThatCrossesTheLineLetsThePodIn) {
  Deliver(Tainted("a", "900"));
  Deliver(Tolerant("web", "Lt", "500"));
  Sync();
  RunDue();
  EXPECT_THAT(TakeEvents(), ElementsAre("FailedScheduling: 0/1 nodes are available: 1 node(s) had "
                                        "untolerated taint {risk: 900}. preemption: 0/1 nodes are "
                                        "available: 1 Preemption is not helpful for scheduling."));
  const Diagnosis* const why = scheduler_->LastDiagnosis(Tolerant("web", "Lt", "500")->metadata());
  ASSERT_NE(why, nullptr);
  ASSERT_EQ(why->taints.size(), 1U);
  EXPECT_EQ(why->taints[0].nodes, 1U);
  EXPECT_EQ(why->taints[0].text,
            "taint risk=900:NoSchedule: toleration 0 (Lt 500): taint 900 is not less than 500");
  EXPECT_TRUE(Counted("scheduler_numeric_taint_mismatches_total 1"));
  EXPECT_TRUE(Counted("scheduler_toleration_parse_failures_total 0"));
  Deliver(Tainted("a", "600"));
  RunDue();
  EXPECT_THAT(TakeEvents(), IsEmpty());  // still not tolerated: not even tried
  Deliver(Tainted("a", "400"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
}

TEST_F(DefaultProfileTest, AParseFailureIsNoMismatch) {
  Deliver(Tainted("a", "high"));
  Deliver(Tolerant("web", "Lt", "500"));
  Sync();
  RunDue();
  EXPECT_TRUE(Counted("scheduler_numeric_taint_mismatches_total 0"));
  EXPECT_TRUE(Counted("scheduler_toleration_parse_failures_total 1"));
}

TEST_F(DefaultProfileTest, WhatCannotBeReadIsLoggedOnce) {
  Deliver(Tainted("a", "high"));
  Deliver(Tolerant("web", "Lt", "500"));
  Deliver(Pod("shop",
              "priority: 7, tolerations: [{key: risk, operator: Lt, value: '500', effect: "
              "NoSchedule}]"));
  Sync();
  RunDue();
  EXPECT_THAT(Take<WriteLog>(),
              ElementsAre(testing::AllOf(
                  testing::Field(&WriteLog::message, "failed to parse taint value as int64"),
                  testing::Field(&WriteLog::fields, ElementsAre(testing::Pair("toleration", "500"),
                                                                testing::Pair("taint", "high"))))));
}

TEST_F(DefaultProfileTest, ATolerationThatIsAddedLetsThePodIn) {
  Deliver(Tainted("a", "900"));
  Deliver(Pod("web"));
  Sync();
  RunDue();
  out_.clear();
  Deliver(Pod("web", {}, "labels: {of: no-use}"));
  RunDue();
  EXPECT_THAT(out_, IsEmpty());
  Deliver(Tolerant("web", "Gt", "899"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
}

TEST_F(DefaultProfileTest, AnUncordonedNodeLetsThePodIn) {
  Deliver(Tainted("a", "1", ", unschedulable: true"));
  Deliver(Tolerant("web", "Lt", "500"));
  Sync();
  RunDue();
  EXPECT_THAT(TakeEvents(), ElementsAre("FailedScheduling: 0/1 nodes are available: 1 node(s) were "
                                        "unschedulable. preemption: 0/1 nodes are available: 1 "
                                        "Preemption is not helpful for scheduling."));
  Deliver(Tainted("a", "1"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
}

TEST_F(DefaultProfileTest, AGateIsWaitedFor) {
  Deliver(Tainted("a", "1"));
  Deliver(Pod("web", "schedulingGates: [{name: g}], tolerations: [{operator: Exists}]"));
  Sync();
  RunDue();
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.gated = 1}));
  EXPECT_THAT(out_, IsEmpty());
  Deliver(Pod("web", "tolerations: [{operator: Exists}]"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
}

TEST_F(DefaultProfileTest, HeartbeatsAskNobody) {
  Deliver(Tainted("a", "900"));
  Deliver(Pod("web"));
  Sync();
  RunDue();
  out_.clear();
  Deliver(
      NodeFromYaml("a",
                   "{allocatable: {cpu: '4', memory: 8Gi, pods: '10'}, conditions: [{type: Ready, "
                   "status: 'True'}]}",
                   "{taints: [{key: risk, value: '900', effect: NoSchedule}]}"));
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.unschedulable = 1}));
}

/// A server that answers bindings at once or late, correctly or not at all.
class RandomRun : public DefaultProfileTest, public testing::WithParamInterface<int> {
 protected:
  static constexpr int kNodes = 4;
  static constexpr int kPodsPerNode = 3;

  struct Served {
    int priority = 0;
    std::string node;  // empty: pending
  };

  /// Returns the pod in the server's version.
  ObjectPtr AsServed(const std::string& name) {
    const Served& served = server_[name];
    return Pod(
        name, "priority: " + std::to_string(served.priority) + ", nodeName: '" + served.node + "'");
  }
  static ObjectPtr ANode(int i) {
    return NodeFromYaml("n" + std::to_string(i), "{allocatable: {cpu: '4', memory: 8Gi, pods: '" +
                                                     std::to_string(kPodsPerNode) + "'}}");
  }

  /// Applies a binding at the server and returns the response.
  Status Serve(const BindPod& bind) {
    const std::string name(bind.pod.name());
    if (random_.Chance(0.1)) return Fail(Reason::Timeout, "lost on the way");
    if (!server_.contains(name)) return Fail(Reason::NotFound, "no such pod");
    if (!server_[name].node.empty()) return Fail(Reason::Conflict, "bound already");
    if (random_.Chance(0.1)) return Fail(Reason::Forbidden, "not now");
    server_[name].node = bind.node;
    news_.push_back(name);
    std::map<std::string, int> counts;
    for (const auto& [pod, served] : server_) ++counts[served.node];
    EXPECT_LE(counts[bind.node], kPodsPerNode) << "over capacity";
    if (random_.Chance(0.1)) return Fail(Reason::Timeout, "the answer was lost");
    return {};
  }

  void Step(int step) {
    switch (random_.Below(8)) {
      case 0:
      case 1: {
        const std::string name = "p" + std::to_string(step);
        server_[name].priority = static_cast<int>(random_.Below(3));
        Deliver(AsServed(name));
        break;
      }
      case 2:
        if (!server_.empty()) {
          auto victim = server_.begin();
          std::advance(victim, static_cast<int>(random_.Below(server_.size())));
          Remove(victim->first);
        }
        break;
      case 3:
        Advance(std::chrono::milliseconds(random_.Below(3000)));
        break;
      case 4:
        if (!news_.empty()) {
          DeliverHeldEvents();
        }
        break;
      default:
        RunDue();
        break;
    }
    CarryOut();
    if (!requests_.empty() && random_.Chance(0.5)) Answer();
  }

  /// Victims leave at once or not at all. Bindings wait for their response.
  void CarryOut() {
    while (!out_.empty()) {
      for (BindPod& bind : Take<BindPod>()) requests_.push_back(std::move(bind));
      for (const UpdatePodStatus& patch : Take<UpdatePodStatus>()) Finish(patch.id);
      for (const EvictPod& evict : Take<EvictPod>()) {
        const bool is_refused = random_.Chance(0.1);
        if (!is_refused) Remove(std::string(evict.pod.name()));
        Finish(evict.id, is_refused ? Fail(Reason::Forbidden, "not now") : Status());
      }
      Take<RecordEvent>();
    }
  }
  void Remove(const std::string& name) {
    if (!server_.contains(name)) return;
    DeliverDeleted(AsServed(name));
    std::erase(news_, name);
    server_.erase(name);
  }
  void DeliverHeldEvents() {
    Deliver(AsServed(news_.front()));
    news_.erase(news_.begin());
  }
  void Answer() {
    const BindPod bind = std::move(requests_.front());
    requests_.erase(requests_.begin());
    Finish(bind.id, Serve(bind));
  }

  Random random_{static_cast<std::uint64_t>(GetParam())};
  std::map<std::string, Served> server_;
  std::vector<std::string> news_;  // bound pods that the informer has not delivered yet
  std::vector<BindPod> requests_;
};

TEST_P(RandomRun, EveryPodEndsWhereTheServerHasIt) {
  for (int i = 0; i < kNodes; ++i) Deliver(ANode(i));
  Sync();
  for (int step = 0; step < 400; ++step) Step(step);
  // All requests are answered and all informer events are delivered.
  for (int i = 0; i < 100; ++i) {
    Advance(10s);
    CarryOut();
    while (!requests_.empty()) Answer();
    while (!news_.empty()) DeliverHeldEvents();
    CarryOut();
  }
  EXPECT_EQ(scheduler_->assumed(), 0U);
  std::size_t waiting = 0;
  for (const auto& [name, served] : server_) waiting += served.node.empty() ? 1 : 0;
  EXPECT_EQ(scheduler_->pending().total(), waiting);
  std::size_t placed = 0;
  const ClusterState& cluster = scheduler_->cluster();
  cluster.nodes().ForEach([&](std::size_t slot) {
    for (const PodId id : cluster.row(static_cast<NodeSlot>(slot)).pods) {
      ++placed;
      EXPECT_EQ(server_[std::string(cluster.pod(id).pod->metadata.name)].node,
                cluster.node_name(static_cast<NodeSlot>(slot)));
    }
  });
  EXPECT_EQ(placed + waiting, server_.size());
  // Pods are pending only because the nodes are full.
  EXPECT_TRUE(waiting == 0 || placed == std::size_t{kNodes * kPodsPerNode}) << placed;
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRun, testing::Range(1, 21));

}  // namespace
}  // namespace plimsoll::scheduler
