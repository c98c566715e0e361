#include "scheduler/plugins/pod_tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/limits.h"
#include "scheduler/plugins/topology_for_test.h"

namespace plimsoll::scheduler {
namespace {

class PodTallyTest : public testing::Test {
 protected:
  PodTallyTest() {
    topology_.AddNode("a1", "zone: a");
    topology_.AddNode("a2", "zone: a");
    topology_.AddNode("b1", "zone: b");
    topology_.AddNode("lone");
  }
  static CountedPods Web(bool with_terminating = true) {
    return {[](const PodClass& pod_class) { return pod_class.labels().Find("app") == "web"; },
            with_terminating};
  }
  NodeSlot Slot(std::string_view node) { return *topology_.cluster.FindNode(node); }
  std::int64_t In(PodTally& tally, std::string_view node) {
    tally.CatchUp();
    return tally.pods()[tally.column().code(Slot(node))];
  }

  TopologyCluster topology_;
  TopologyColumns columns_{topology_.cluster};
};

TEST_F(PodTallyTest, CountsPodsByValueAndByNode) {
  PodTally tally(topology_.cluster, columns_.Get("zone"), Web());
  EXPECT_EQ(In(tally, "a1"), 0);
  topology_.AddPod("p1", "app: web", "a1");
  topology_.AddPod("p2", "app: web", "a2");
  topology_.AddPod("p3", "app: web", "lone");
  topology_.AddPod("p4", "app: db", "b1");
  EXPECT_EQ(In(tally, "a1"), 2);
  EXPECT_EQ(In(tally, "b1"), 0);
  EXPECT_EQ(tally.pods()[kUnlabelled], 1);
  EXPECT_EQ(tally.labelled_pods(), 2);
  EXPECT_EQ(tally.PodsOn(Slot("a1")), 1);
  EXPECT_EQ(tally.PodsOn(Slot("lone")), 1);
  std::map<NodeSlot, std::int64_t> nodes;
  tally.ForEachNode([&](NodeSlot slot, std::int64_t pods) { nodes[slot] = pods; });
  EXPECT_THAT(nodes, testing::UnorderedElementsAre(testing::Pair(Slot("a1"), 1),
                                                   testing::Pair(Slot("a2"), 1),
                                                   testing::Pair(Slot("lone"), 1)));
}

TEST_F(PodTallyTest, NodesWithoutTheLabelCostNothingWhenTheyAreLeftOut) {
  CountedPods web = Web();
  web.only_labelled = true;
  PodTally by_zone(topology_.cluster, columns_.Get("zone"), web);
  PodTally by_unknown(topology_.cluster, columns_.Get("unknown"), web);
  topology_.AddPod("p1", "app: web", "a1");
  topology_.AddPod("p2", "app: web", "lone");
  EXPECT_EQ(In(by_zone, "a2"), 1);
  EXPECT_EQ(by_zone.labelled_pods(), 1);
  EXPECT_EQ(by_zone.PodsOn(Slot("lone")), 0);
  by_unknown.CatchUp();
  by_unknown.ForEachNode([](NodeSlot slot, std::int64_t) { ADD_FAILURE() << slot; });
  EXPECT_LT(by_unknown.bytes(), by_zone.bytes());
  // A node that gets the label counts, and a node that loses it does not.
  topology_.AddNode("lone", "zone: a");
  topology_.AddNode("a1");
  EXPECT_EQ(In(by_zone, "a2"), 1);
  EXPECT_EQ(by_zone.PodsOn(Slot("lone")), 1);
  EXPECT_EQ(by_zone.PodsOn(Slot("a1")), 0);
}

TEST_F(PodTallyTest, FollowsPodsThatLeaveAndChange) {
  PodTally tally(topology_.cluster, columns_.Get("zone"), Web());
  const PodId p1 = topology_.AddPod("p1", "app: web", "a1");
  topology_.AddPod("p2", "app: web", "a1");
  EXPECT_EQ(In(tally, "a1"), 2);
  topology_.AddPod("p2", "app: db", "a1");
  EXPECT_EQ(In(tally, "a1"), 1);
  topology_.cluster.RemovePod(topology_.cluster.pod(p1).pod->metadata);
  EXPECT_EQ(In(tally, "a1"), 0);
  tally.ForEachNode([](NodeSlot slot, std::int64_t) { ADD_FAILURE() << slot; });
}

TEST_F(PodTallyTest, MovesWithTheLabelsOfTheNode) {
  PodTally tally(topology_.cluster, columns_.Get("zone"), Web());
  topology_.AddPod("p1", "app: web", "a1");
  EXPECT_EQ(In(tally, "a2"), 1);
  topology_.AddNode("a1", "zone: b");
  EXPECT_EQ(In(tally, "a2"), 0);
  EXPECT_EQ(In(tally, "b1"), 1);
  topology_.cluster.RemoveNode("a1");
  EXPECT_EQ(In(tally, "b1"), 0);
  topology_.AddNode("a1", "zone: a");
  EXPECT_EQ(In(tally, "a2"), 1);
}

TEST_F(PodTallyTest, LeavesOutTerminatingPodsWhenTold) {
  PodTally all(topology_.cluster, columns_.Get("zone"), Web());
  PodTally staying(topology_.cluster, columns_.Get("zone"), Web(false));
  topology_.AddPod("p1", "app: web", "a1");
  EXPECT_EQ(In(staying, "a1"), 1);
  topology_.AddPod("p1", "app: web", "a1", {}, "default",
                   "deletionTimestamp: '2026-01-01T00:00:00Z'");
  EXPECT_EQ(In(staying, "a1"), 0);
  EXPECT_EQ(In(all, "a1"), 1);
}

TEST_F(PodTallyTest, CountsOnlyWhereItIsTold) {
  topology_.AddNode("a2", "zone: a, disk: ssd", "{taints: [{key: t, effect: NoSchedule}]}");
  topology_.AddNode("b1", "zone: b, disk: ssd");
  for (const char* node : {"a1", "a2", "b1"}) topology_.AddPod(node, "app: web", node);
  const ObjectPtr asks = TopologyCluster::Pod("asks", {}, {}, "nodeSelector: {disk: ssd}");
  const api::PodSpec& spec = asks->As<api::Pod>()->spec;

  CountedNodes labelled;
  labelled.labelled.push_back(columns_.Get("disk"));
  PodTally with_label(topology_.cluster, columns_.Get("zone"), Web(), std::move(labelled));
  EXPECT_EQ(In(with_label, "a1"), 1);
  EXPECT_EQ(with_label.nodes()[with_label.column().code(Slot("a1"))], 1U);
  EXPECT_EQ(with_label.TopologyOf(Slot("a1")), PodTally::kNotCounted);
  EXPECT_EQ(with_label.PodsOn(Slot("a1")), 1);

  CountedNodes accepted;
  accepted.program = topology_.cluster.index().Compile(spec, match::ProgramParts::Both);
  accepted.checks_taints = true;
  PodTally accepting(topology_.cluster, columns_.Get("zone"), Web(), std::move(accepted));
  EXPECT_EQ(In(accepting, "a1"), 0);
  EXPECT_EQ(In(accepting, "b1"), 1);
  topology_.AddNode("a2", "zone: a, disk: ssd");
  EXPECT_EQ(In(accepting, "a1"), 1);
  EXPECT_EQ(accepting.nodes()[accepting.column().code(Slot("a1"))], 1U);
}

TEST_F(PodTallyTest, StartsAnewWhenTheJournalForgot) {
  PodTally tally(topology_.cluster, columns_.Get("zone"), Web());
  topology_.AddPod("p1", "app: web", "a1");
  EXPECT_EQ(In(tally, "a1"), 1);
  topology_.AddPod("p2", "app: web", "a2");
  topology_.cluster.journal().Trim(1);
  EXPECT_EQ(In(tally, "a1"), 2);
}

TEST_F(PodTallyTest, AClassThatTookOverAnIdIsAskedAnew) {
  PodTally tally(topology_.cluster, columns_.Get("zone"), Web());
  // More classes than are kept idle, so that ids are reused.
  for (int i = 0; i < 3000; ++i) {
    const bool is_web = i % 3 == 0;
    const std::string labels =
        "app: " + std::string(is_web ? "web" : "db") + ", i: '" + std::to_string(i) + "'";
    const PodId id = topology_.AddPod("p", labels, "a1");
    if (i % 2 == 0) {
      EXPECT_EQ(In(tally, "a1"), is_web ? 1 : 0);
    }
    topology_.cluster.RemovePod(topology_.cluster.pod(id).pod->metadata);
    if (i % 5 == 0) {
      EXPECT_EQ(In(tally, "a1"), 0);
    }
  }
}

TEST_F(PodTallyTest, EqualQuestionsShareOneTally) {
  PodTallies tallies;
  int made = 0;
  const auto make = [&] {
    ++made;
    return std::make_shared<PodTally>(topology_.cluster, columns_.Get("zone"), Web());
  };
  const auto held = tallies.Get("held", make);
  EXPECT_EQ(tallies.Get("held", make), held);
  EXPECT_EQ(made, 1);
  std::weak_ptr<PodTally> idle = tallies.Get("idle", make);
  for (std::size_t i = 0; i < kIdleTalliesMax; ++i) tallies.Get(std::to_string(i), make);
  EXPECT_TRUE(idle.expired());
  EXPECT_EQ(tallies.Get("held", make), held);
}

}  // namespace
}  // namespace plimsoll::scheduler
