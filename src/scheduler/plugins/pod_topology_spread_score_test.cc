#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/pod_topology_spread.h"
#include "scheduler/plugins/topology_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr std::string_view kSoft =
    "topologySpreadConstraints: [{topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, maxSkew: "
    "1, labelSelector: {matchLabels: {app: web}}}]";

class SpreadScoreTest : public testing::Test {
 protected:
  SpreadScoreTest() {
    AddNode("a1", "topology.kubernetes.io/zone: a, zone: a");
    AddNode("a2", "topology.kubernetes.io/zone: a, zone: a");
    AddNode("b1", "topology.kubernetes.io/zone: b, zone: b");
    AddNode("lone", "x: yyy");
  }
  void AddNode(const std::string& name, const std::string& labels) {
    topology_.AddNode(name, labels + ", kubernetes.io/hostname: " + name);
  }
  void AddPods(const std::string& node, int count) {
    for (int i = 0; i < count; ++i) {
      topology_.AddPod(node + "-" + std::to_string(i), "app: web", node);
    }
  }
  TopologyAnswers Ask(PodId pod, const std::optional<Bitmap>& feasible = std::nullopt) {
    TopologyAnswers answers =
        scheduler::Ask(*plugin_, topology_.cluster, topology_.Test(pod), feasible);
    EXPECT_TRUE(answers.forms_agree);
    return answers;
  }

  TopologyCluster topology_;
  std::unique_ptr<Plugin> plugin_ = MakePodTopologySpread(topology_.cluster, {});
};

TEST_F(SpreadScoreTest, FewerPodsInTheZoneAreBetter) {
  AddPods("a1", 3);
  AddPods("a2", 1);
  AddPods("b1", 2);
  const TopologyAnswers answers = Ask(topology_.AddPod("new", "app: web", {}, kSoft));
  // ln(2 zones + 2) = 1.386: 4 pods score 6, and 2 pods score 3.
  EXPECT_THAT(answers.raw,
              ElementsAre(Pair("a1", 6), Pair("a2", 6), Pair("b1", 3), Pair("lone", 0)));
  EXPECT_THAT(answers.normalized,
              ElementsAre(Pair("a1", 50), Pair("a2", 50), Pair("b1", 100), Pair("lone", 0)));
}

TEST_F(SpreadScoreTest, NoPodsAtAllAreBestEverywhere) {
  const TopologyAnswers answers = Ask(topology_.AddPod("new", "app: web", {}, kSoft));
  EXPECT_THAT(answers.normalized,
              ElementsAre(Pair("a1", 100), Pair("a2", 100), Pair("b1", 100), Pair("lone", 0)));
}

TEST_F(SpreadScoreTest, OnlyFeasibleNodesMakeDomains) {
  AddPods("a1", 2);
  AddPods("b1", 9);
  Bitmap feasible(topology_.cluster.slot_limit());
  feasible.Set(*topology_.cluster.FindNode("a1"));
  feasible.Set(*topology_.cluster.FindNode("a2"));
  const TopologyAnswers answers = Ask(topology_.AddPod("new", "app: web", {}, kSoft), feasible);
  // ln(1 zone + 2) = 1.099.
  EXPECT_THAT(answers.raw, ElementsAre(Pair("a1", 2), Pair("a2", 2)));
}

TEST_F(SpreadScoreTest, MaxSkewIsAddedAndHostnameCountsThePodsOfTheNode) {
  AddPods("a1", 2);
  AddPods("b1", 1);
  const TopologyAnswers answers = Ask(topology_.AddPod(
      "new", "app: web", {},
      "topologySpreadConstraints: [{topologyKey: kubernetes.io/hostname, maxSkew: 4, "
      "whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}]"));
  // ln(4 nodes + 2) = 1.792.
  EXPECT_THAT(answers.raw,
              ElementsAre(Pair("a1", 7), Pair("a2", 3), Pair("b1", 5), Pair("lone", 3)));
  EXPECT_THAT(answers.normalized,
              ElementsAre(Pair("a1", 42), Pair("a2", 100), Pair("b1", 71), Pair("lone", 100)));
}

TEST_F(SpreadScoreTest, PodsOfAServiceAreSpreadByDefault) {
  AddPods("a1", 4);
  AddPods("lone", 2);
  const PodId pod = topology_.AddPod("new", "app: web");
  EXPECT_EQ(Ask(pod).pre_score.code, Code::Skip);
  topology_.cluster.services.Put(Named("Service", "default", "s", "spec: {selector: {app: web}}"));
  // By node: ln(6), skew 3. By zone: ln(5), because nodes without zone form a zone of their own;
  // skew 5. The node without zone is not ignored.
  EXPECT_THAT(Ask(pod).raw,
              ElementsAre(Pair("a1", 20), Pair("a2", 12), Pair("b1", 6), Pair("lone", 6)));
}

TEST_F(SpreadScoreTest, AZoneWithoutNameIsThatOfNodesWithoutZone) {
  AddNode("empty", "topology.kubernetes.io/zone: ''");
  AddPods("lone", 3);
  topology_.cluster.services.Put(Named("Service", "default", "s", "spec: {selector: {app: web}}"));
  const TopologyAnswers answers = Ask(topology_.AddPod("new", "app: web"));
  // 3 pods times ln(3 zones + 2), and skews of 3 and 5. `lone` has no zone to score.
  EXPECT_EQ(answers.raw.at("empty"), 11);
  EXPECT_EQ(answers.raw.at("b1"), 6);
  EXPECT_EQ(answers.raw.at("lone"), 8);
}

}  // namespace
}  // namespace plimsoll::scheduler
