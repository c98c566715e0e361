#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/inter_pod_affinity.h"
#include "scheduler/plugins/topology_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::Pair;

const std::string kWeb = "{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}";

std::string Prefers(std::string_view kind, int weight) {
  return "affinity: {" + std::string(kind) +
         ": {preferredDuringSchedulingIgnoredDuringExecution: [{weight: " + std::to_string(weight) +
         ", podAffinityTerm: " + kWeb + "}]}}";
}

class AffinityScoreTest : public testing::Test {
 protected:
  AffinityScoreTest() {
    topology_.AddNode("a1", "zone: a");
    topology_.AddNode("a2", "zone: a");
    topology_.AddNode("b1", "zone: b");
    topology_.AddNode("lone");
  }
  TopologyAnswers Ask(PodId pod) {
    TopologyAnswers answers = scheduler::Ask(*plugin_, topology_.cluster, topology_.Test(pod));
    EXPECT_TRUE(answers.forms_agree);
    return answers;
  }

  TopologyCluster topology_;
  std::unique_ptr<Plugin> plugin_ = MakeInterPodAffinity(topology_.cluster, {});
};

TEST_F(AffinityScoreTest, PreferredPodsDraw) {
  topology_.AddPod("p1", "app: web", "a1");
  topology_.AddPod("p2", "app: web", "a2");
  topology_.AddPod("p3", "app: web", "b1");
  const TopologyAnswers answers = Ask(topology_.AddPod("new", {}, {}, Prefers("podAffinity", 10)));
  EXPECT_THAT(answers.raw,
              ElementsAre(Pair("a1", 20), Pair("a2", 20), Pair("b1", 10), Pair("lone", 0)));
  EXPECT_THAT(answers.normalized,
              ElementsAre(Pair("a1", 100), Pair("a2", 100), Pair("b1", 50), Pair("lone", 0)));
}

TEST_F(AffinityScoreTest, ShunnedPodsRepel) {
  topology_.AddPod("p1", "app: web", "a1");
  const TopologyAnswers answers =
      Ask(topology_.AddPod("new", {}, {}, Prefers("podAntiAffinity", 3)));
  EXPECT_THAT(answers.raw,
              ElementsAre(Pair("a1", -3), Pair("a2", -3), Pair("b1", 0), Pair("lone", 0)));
  EXPECT_THAT(answers.normalized,
              ElementsAre(Pair("a1", 0), Pair("a2", 0), Pair("b1", 100), Pair("lone", 100)));
}

TEST_F(AffinityScoreTest, PodsThereHaveTheirPreferencesToo) {
  topology_.AddPod("p1", {}, "a1", Prefers("podAffinity", 5));
  topology_.AddPod("p2", {}, "b1", Prefers("podAntiAffinity", 2));
  topology_.AddPod(
      "p3", {}, "b1",
      "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [" + kWeb + "]}}");
  const PodId web = topology_.AddPod("new", "app: web");
  EXPECT_THAT(Ask(web).raw,
              ElementsAre(Pair("a1", 5), Pair("a2", 5), Pair("b1", -1), Pair("lone", 0)));
  EXPECT_EQ(Ask(topology_.AddPod("other", "app: db")).pre_score.code, Code::Skip);

  PluginArgs args;
  args.inter_pod_affinity.hard_pod_affinity_weight = 50;
  plugin_ = MakeInterPodAffinity(topology_.cluster, args);
  EXPECT_EQ(Ask(web).raw.at("b1"), 48);
  args.inter_pod_affinity.ignore_preferred_terms_of_existing_pods = true;
  plugin_ = MakeInterPodAffinity(topology_.cluster, args);
  EXPECT_EQ(Ask(web).pre_score.code, Code::Skip);
  const PodId prefers = topology_.AddPod("prefers", "app: web", {}, Prefers("podAffinity", 1));
  EXPECT_EQ(Ask(prefers).raw.at("b1"), 48);
}

TEST_F(AffinityScoreTest, ScoresThatCancelOutAreStillScores) {
  topology_.AddPod("p1", {}, "a1", Prefers("podAffinity", 5));
  topology_.AddPod("p2", {}, "a1", Prefers("podAntiAffinity", 5));
  const TopologyAnswers answers = Ask(topology_.AddPod("new", "app: web"));
  EXPECT_TRUE(answers.pre_score.ok());
  EXPECT_THAT(answers.normalized,
              ElementsAre(Pair("a1", 0), Pair("a2", 0), Pair("b1", 0), Pair("lone", 0)));
}

TEST_F(AffinityScoreTest, SkipsWhenNothingIsFound) {
  const PodId pod = topology_.AddPod("new", {}, {}, Prefers("podAffinity", 1));
  EXPECT_EQ(Ask(pod).pre_score.code, Code::Skip);
  topology_.AddPod("p1", "app: web", "lone");
  EXPECT_EQ(Ask(pod).pre_score.code, Code::Skip);
  topology_.AddPod("p2", "app: web", "b1");
  EXPECT_TRUE(Ask(pod).pre_score.ok());
}

}  // namespace
}  // namespace plimsoll::scheduler
