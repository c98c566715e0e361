#include "scheduler/preemption/nominator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/scheduler_parts_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class NominatorTest : public SchedulerParts, public testing::Test {
 protected:
  /// Replaces the pod's nominatedNodeName, as an informer event would.
  bool Update(PodId pod, std::string_view name, std::string_view nominated) {
    const std::string before(cluster_.pod(pod).pod->status.nominated_node_name);
    std::string status = "{}";
    if (!nominated.empty()) status = "{nominatedNodeName: " + std::string(nominated) + "}";
    cluster_.UpsertPod(PodFromYaml(name, "{}", {}, status));
    return nominator_.OnPodUpdated(pod, before);
  }

  Nominator nominator_{cluster_, inflight_};
};

TEST_F(NominatorTest, FollowsTheObject) {
  const NodeSlot a = AddNode("a");
  const NodeSlot b = AddNode("b");
  const PodId pod = AddPod("web");
  EXPECT_FALSE(Update(pod, "web", "a")) << "no other pod gains by it";
  EXPECT_THAT(cluster_.row(a).nominated, ElementsAre(pod));
  EXPECT_FALSE(Update(pod, "web", "a"));
  EXPECT_TRUE(Update(pod, "web", "b"));
  EXPECT_THAT(cluster_.row(a).nominated, IsEmpty());
  EXPECT_THAT(cluster_.row(b).nominated, ElementsAre(pod));
  EXPECT_TRUE(Update(pod, "web", ""));
  EXPECT_THAT(cluster_.row(b).nominated, IsEmpty());
}

TEST_F(NominatorTest, AnUnchangedObjectKeepsTheSchedulersOwnNomination) {
  const NodeSlot a = AddNode("a");
  const PodId pod = AddPod("web");
  cluster_.NominatePod(pod, a);
  EXPECT_FALSE(Update(pod, "web", ""));
  EXPECT_THAT(cluster_.row(a).nominated, ElementsAre(pod));
}

TEST_F(NominatorTest, RemembersNominationsToNodesThatComeLater) {
  const PodId first = AddPod("first");
  const PodId second = AddPod("second");
  Update(first, "first", "late");
  Update(second, "second", "late");
  nominator_.Forget(second);
  const NodeSlot other = AddNode("other");
  nominator_.OnNodeAdded(other);
  EXPECT_THAT(cluster_.row(other).nominated, IsEmpty());
  const NodeSlot late = AddNode("late");
  nominator_.OnNodeAdded(late);
  EXPECT_THAT(cluster_.row(late).nominated, ElementsAre(first));
}

TEST_F(NominatorTest, AppliesTheOutcomeOfPostFilter) {
  const NodeSlot a = AddNode("a");
  const PodId pod = AddPod("web");
  const PodId lower = AddPod("lower", "{}", "{nominatedNodeName: a}");
  cluster_.NominatePod(lower, a);
  PostFilterOutcome outcome;
  EXPECT_EQ(nominator_.Apply(pod, outcome, turn()), std::nullopt);
  outcome.nomination = PostFilterOutcome::Nomination::Set;
  outcome.node = a;
  outcome.out_nominated = {lower};
  EXPECT_EQ(nominator_.Apply(pod, outcome, turn()), "a");
  EXPECT_THAT(cluster_.row(a).nominated, ElementsAre(pod));
  const auto patches = Take<api::UpdatePodStatus>();
  ASSERT_THAT(patches, SizeIs(1));
  EXPECT_EQ(patches[0].pod.name(), "lower");
  EXPECT_EQ(patches[0].nominated_node, "");
  outcome = {};
  outcome.nomination = PostFilterOutcome::Nomination::Clear;
  EXPECT_EQ(nominator_.Apply(pod, outcome, turn()), "");
  EXPECT_THAT(cluster_.row(a).nominated, IsEmpty());
}

}  // namespace
}  // namespace plimsoll::scheduler
