#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/stage_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::string With(std::string_view name, std::int64_t mebibytes) {
  return "{images: [{names: [" + std::string(name) +
         "], sizeBytes: " + std::to_string(mebibytes * 1024 * 1024) + "}]}";
}

struct NameCase {
  std::string listed;
  std::string asked;
  bool want;
};

class ImageNameTest : public testing::TestWithParam<NameCase> {};

TEST_P(ImageNameTest, IsCompletedWithATag) {
  Stage stage("ImageLocality");
  stage.AddNode("node", With(GetParam().listed, 5000));
  EXPECT_EQ(stage.Score("{containers: [{name: c, image: '" + GetParam().asked + "'}]}")["node"],
            GetParam().want ? 100 : 0);
}

INSTANTIATE_TEST_SUITE_P(All, ImageNameTest,
                         testing::ValuesIn<NameCase>({
                             {"web:latest", "web", true},
                             {"web:v1", "web", false},
                             {"web:v1", "web:v1", true},
                             {"host:5000/web:latest", "host:5000/web", true},
                             {"web@sha256:abcd", "web@sha256:abcd", true},
                             {"other:latest", "web", false},
                         }));

TEST(ImageLocalityTest, AnImageThatFewNodesHaveCountsForLess) {
  Stage stage("ImageLocality");
  stage.AddNode("with", With("web:v1", 1046));
  stage.AddNode("without");
  // Half of 1046 MiB is 523 MiB: 500 of the 977 MiB between the lowest and the highest score.
  const std::string pod = "{containers: [{name: c, image: 'web:v1'}]}";
  EXPECT_THAT(stage.Score(pod), ElementsAre(Pair("with", 51), Pair("without", 0)));
  stage.AddNode("another", With("web:v1", 1046));
  EXPECT_THAT(stage.Score(pod),
              ElementsAre(Pair("another", 69), Pair("with", 69), Pair("without", 0)));
}

TEST(ImageLocalityTest, CountsInitContainersAndVolumesToo) {
  Stage stage("ImageLocality");
  stage.AddNode("node", With("web:v1", 1000));
  EXPECT_EQ(
      stage.Score("{containers: [{name: c, image: 'web:v1'}, {name: d, image: other}]}")["node"],
      49);
  EXPECT_EQ(stage.Score("{initContainers: [{name: i, image: 'web:v1'}],"
                        " containers: [{name: c, image: 'web:v1'}]}")["node"],
            100);
  EXPECT_EQ(stage.Score("{volumes: [{name: v, image: {reference: 'web:v1'}}],"
                        " containers: [{name: c, image: 'web:v1'}]}")["node"],
            100);
}

TEST(ImageLocalityTest, AStateKeepsUpWithTheImages) {
  Stage stage("ImageLocality");
  const NodeSlot slot = stage.AddNode("node");
  const ObjectPtr pod = PodFromYaml("p", "{containers: [{name: c, image: 'web:v1'}]}");
  const auto pod_class = stage.cluster().ClassOf(pod);
  const PreScoreOutcome outcome =
      stage.plugin().BeginScore(*pod_class, nullptr, stage.cluster().nodes());
  EXPECT_EQ(stage.plugin().node_scoped->SharedVersion(), 0U);
  EXPECT_EQ(stage.plugin().score->ScoreOf(outcome.state.get(), stage.cluster().view(slot)), 0);
  stage.AddNode("node", With("web:v1", 1000));
  EXPECT_NE(stage.plugin().node_scoped->SharedVersion(), 0U);
  EXPECT_EQ(stage.plugin().score->ScoreOf(outcome.state.get(), stage.cluster().view(slot)), 100);
}

}  // namespace
}  // namespace plimsoll::scheduler
