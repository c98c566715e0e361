#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/stage_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr std::string_view kNeedy =
    "{containers: [{name: c, restartPolicyRules: [{action: RestartAllContainers}]}]}";

TEST(NodeDeclaredFeaturesTest, RefusesNodesThatDoNotDeclareWhatIsNeeded) {
  Stage stage("NodeDeclaredFeatures");
  stage.AddNode("able", "{declaredFeatures: [RestartAllContainersOnContainerExits, Other]}");
  stage.AddNode("plain");
  EXPECT_THAT(
      stage.Judge(kNeedy),
      ElementsAre(
          Pair("able", ""),
          Pair("plain",
               "UnschedulableAndUnresolvable: node(s) didn't match Pod's required features")));
  EXPECT_EQ(stage.PreFilter("{containers: [{name: c}]}").verdict, Verdict::Skip());
}

TEST(NodeDeclaredFeaturesTest, TheJournalTellsOfNewFeatures) {
  Stage stage("NodeDeclaredFeatures");
  const NodeSlot slot = stage.AddNode("node");
  const Journal::Position before = stage.cluster().journal().end();
  stage.AddNode("node", "{declaredFeatures: [VolumeBindMountOptions]}");
  const auto entries = stage.cluster().journal().Since(before);
  ASSERT_TRUE(entries.has_value());
  ASSERT_EQ(entries->size(), 1U);
  EXPECT_EQ(entries->front().slot, slot);
  EXPECT_EQ(entries->front().changes, kFeatures);
}

}  // namespace
}  // namespace plimsoll::scheduler
