#include "api/core/node_features.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "api/core/image_volume.h"
#include "api/object.h"
#include "codec/yaml.h"

namespace plimsoll::api {
namespace {

std::shared_ptr<const Object> PodWith(const std::string& spec) {
  auto parsed =
      codec::ParseYaml("{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: " + spec + "}");
  EXPECT_TRUE(parsed.has_value()) << spec;
  return DecodeObject(std::shared_ptr<codec::Document>(std::move(parsed->front())))->object;
}

struct RequiredCase {
  std::string spec;
  NodeFeatures want;
};

class RequiredFeaturesTest : public testing::TestWithParam<RequiredCase> {};

TEST_P(RequiredFeaturesTest, AreReadFromTheSpecification) {
  EXPECT_EQ(RequiredFeatures(PodWith(GetParam().spec)->As<Pod>()->spec), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, RequiredFeaturesTest,
    testing::ValuesIn<RequiredCase>({
        {"{containers: [{name: c}]}", 0},
        {"{containers: [{name: c, restartPolicyRules: [{action: Restart}]}]}", 0},
        {"{containers: [{name: c, restartPolicyRules: [{action: Restart},"
         " {action: RestartAllContainers}]}]}",
         kRestartAllContainersOnContainerExits},
        {"{containers: [], initContainers: [{name: c, restartPolicyRules:"
         " [{action: RestartAllContainers}]}]}",
         kRestartAllContainersOnContainerExits},
        {"{containers: [], hostNetwork: true, hostUsers: false}",
         kUserNamespacesHostNetworkSupport},
        {"{containers: [], hostNetwork: true, hostUsers: true}", 0},
        {"{containers: [], hostNetwork: true}", 0},
        {"{containers: [], hostUsers: false}", 0},
        {"{containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}]}]}", 0},
        {"{containers: [{name: c, volumeMounts: [{name: v, mountPath: /v,"
         " bindMountOptions: [noexec]}]}]}",
         kVolumeBindMountOptions},
        {"{containers: [], ephemeralContainers: [{name: c, volumeMounts: [{name: v,"
         " mountPath: /v, bindMountOptions: [noexec]}]}]}",
         kVolumeBindMountOptions},
    }));

TEST(ReadFeaturesTest, LeavesOutWhatNobodyKnows) {
  const std::array<std::string_view, 3> names = {"VolumeBindMountOptions", "Telepathy",
                                                 "RestartAllContainersOnContainerExits"};
  EXPECT_EQ(ReadFeatures(names), kVolumeBindMountOptions | kRestartAllContainersOnContainerExits);
  EXPECT_EQ(ReadFeatures({}), 0);
}

TEST(ImageOfTest, IsEmptyForVolumesOfOtherKinds) {
  const auto pod = PodWith(
      "{containers: [], volumes: [{name: a, emptyDir: {}}, {name: b, image: {reference: "
      "r/m:v1}}]}");
  EXPECT_EQ(ImageOf(pod->As<Pod>()->spec.volumes[0]), "");
  EXPECT_EQ(ImageOf(pod->As<Pod>()->spec.volumes[1]), "r/m:v1");
}

}  // namespace
}  // namespace plimsoll::api
