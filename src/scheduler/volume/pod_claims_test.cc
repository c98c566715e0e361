#include "scheduler/volume/pod_claims.h"

#include <gtest/gtest.h>

#include "scheduler/volume/bench_for_test.h"

namespace plimsoll::scheduler {
namespace {

TEST(PodClaimsTest, AnEphemeralVolumesClaimIsNamedAfterThePod) {
  const ObjectPtr object = PodFromYaml(
      "p",
      "{volumes: [{name: v, ephemeral: {}}, {name: w, persistentVolumeClaim: {claimName: c}}]}");
  const api::Pod& pod = *object->As<api::Pod>();
  EXPECT_EQ(ClaimName(pod, pod.spec.volumes[0]), "p-v");
  EXPECT_EQ(ClaimName(pod, pod.spec.volumes[1]), "c");
  EXPECT_TRUE(UsesClaim(pod, AClaim("p-v", "{}")->metadata(), true));
  EXPECT_FALSE(UsesClaim(pod, AClaim("p-v", "{}")->metadata(), false));
  EXPECT_TRUE(UsesClaim(pod, AClaim("c", "{}")->metadata(), false));
  const ObjectPtr elsewhere = Named("PersistentVolumeClaim", "other", "c", "spec: {}");
  EXPECT_FALSE(UsesClaim(pod, elsewhere->metadata(), true));
}

TEST(PodClaimsTest, OnlyAControllingPodOwnsAClaim) {
  const ObjectPtr object = PodFromYaml("p", "{}");
  const api::Pod& pod = *object->As<api::Pod>();
  const auto owned = [](std::string_view uid, std::string_view controller) {
    return AClaim("c", "{}",
                  "ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: " +
                      std::string(uid) + ", controller: " + std::string(controller) + "}]");
  };
  const auto fault = [&](const ObjectPtr& claim) {
    return OwnershipFault(pod, *claim->As<api::PersistentVolumeClaim>());
  };
  EXPECT_EQ(fault(owned("uid-default-p", "true")), "");
  const std::string text = "PVC default/c was not created for pod default/p (pod is not owner)";
  EXPECT_EQ(fault(owned("uid-default-p", "false")), text);
  EXPECT_EQ(fault(owned("another", "true")), text);
  EXPECT_EQ(fault(AClaim("c", "{}")), text);
}

}  // namespace
}  // namespace plimsoll::scheduler
