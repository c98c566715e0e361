#include "scheduler/dra/extended_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json.h"
#include "scheduler/dra/devices_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ExtendedResourcesTest : public testing::Test {
 protected:
  ExtendedResourcesTest() {
    Put(cluster_, ClassFromYaml("gpu", "{extendedResourceName: e.c/gpu}"));
  }

  std::vector<ExtendedRequest> Find(std::string_view spec) {
    pod_ = PodFromYaml("p", spec);
    return FindExtendedRequests(cluster_, *pod_->As<api::Pod>());
  }

  ClusterState cluster_{match::Rules{}};
  ObjectPtr pod_;
};

constexpr std::string_view kSpec =
    "{initContainers: [{name: i, resources: {requests: {e.c/gpu: 1}}}], containers: [{name: a, "
    "resources: {requests: {cpu: 1, deviceclass.resource.kubernetes.io/gpu: 2, e.c/gpu: 3, "
    "e.c/other: 4}}}, {name: b, resources: {requests: {e.c/gpu: 0}}}]}";

TEST_F(ExtendedResourcesTest, FindsWhatClassesStandFor) {
  std::vector<std::string> texts;
  for (const ExtendedRequest& one : Find(kSpec)) {
    texts.push_back(std::string(one.container) + " " + std::string(one.resource) + " " +
                    std::string(one.device_class) + " " + one.name + " " +
                    std::to_string(one.count));
  }
  EXPECT_THAT(texts,
              ElementsAre("i e.c/gpu gpu container-0-request-0 1",
                          "a deviceclass.resource.kubernetes.io/gpu gpu container-1-request-0 2",
                          "a e.c/gpu gpu container-1-request-1 3"));
  EXPECT_THAT(Find("{containers: [{name: a, resources: {requests: {cpu: 1}}}]}"), IsEmpty());
}

TEST_F(ExtendedResourcesTest, ANodeThatNamesTheResourceHasItByItself) {
  const ResourceId id = cluster_.resource_id("e.c/gpu");
  const auto has = [&](std::string_view status) {
    const ObjectPtr node = NodeFromYaml("n1", status);
    return NodeProvides(cluster_.AllocatableOf(*node->As<api::Node>()), id);
  };
  EXPECT_FALSE(has("{allocatable: {cpu: 1}}"));
  EXPECT_TRUE(has("{allocatable: {e.c/gpu: 2}}"));
  EXPECT_TRUE(has("{allocatable: {e.c/gpu: 0}}"));
}

TEST_F(ExtendedResourcesTest, MakesAClaim) {
  const std::vector<ExtendedRequest> requests =
      Find("{containers: [{name: a, resources: {requests: {e.c/gpu: 3}}}]}");
  EXPECT_EQ(
      codec::WriteJson(MakeExtendedClaim(pod_->metadata(), "c", {}, requests)->tree()),
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c",)"
      R"("generateName":"p-extended-resources-","namespace":"default",)"
      R"("annotations":{"resource.kubernetes.io/extended-resource-claim":"true"},)"
      R"("finalizers":["resource.kubernetes.io/delete-protection"],)"
      R"("ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"uid-default-p",)"
      R"("controller":true,"blockOwnerDeletion":true}]},"spec":{"devices":{"requests":[)"
      R"({"name":"container-0-request-0","exactly":{"deviceClassName":"gpu",)"
      R"("allocationMode":"ExactCount","count":3}}]}}})");
  EXPECT_EQ(ExtendedStatusPatch(pod_->metadata(), "c", requests),
            R"({"metadata":{"uid":"uid-default-p"},"status":{"extendedResourceClaimStatus":)"
            R"({"requestMappings":[{"containerName":"a","resourceName":"e.c/gpu",)"
            R"("requestName":"container-0-request-0"}],"resourceClaimName":"c"}}})");
}

TEST_F(ExtendedResourcesTest, FindsTheClaimOfAnEarlierAttempt) {
  Find("{containers: []}");
  EXPECT_EQ(FindExtendedClaim(cluster_.devices(), pod_->metadata()), nullptr);
  const ObjectPtr claim = MakeExtendedClaim(pod_->metadata(), "c", "u", {});
  Put(cluster_, claim);
  EXPECT_EQ(FindExtendedClaim(cluster_.devices(), pod_->metadata()), claim);
  EXPECT_EQ(FindExtendedClaim(cluster_.devices(), PodFromYaml("q", "{}")->metadata()), nullptr);
}

TEST_F(ExtendedResourcesTest, NamesAreAsAServerMakesThem) {
  Random random(1);
  Find("{containers: []}");
  const std::string name = ExtendedClaimName(pod_->metadata(), random);
  EXPECT_THAT(name, testing::MatchesRegex("p-extended-resources-[a-z0-9]{5}"));
  EXPECT_NE(ExtendedClaimName(pod_->metadata(), random), name);
  const ObjectPtr longer = PodFromYaml(std::string(60, 'x'), "{}");
  EXPECT_EQ(ExtendedClaimName(longer->metadata(), random).size(), 63U);
}

}  // namespace
}  // namespace plimsoll::scheduler
