#include "scheduler/volume/assumed_bindings.h"

#include <gtest/gtest.h>

#include "scheduler/volume/bench_for_test.h"

namespace plimsoll::scheduler {
namespace {

TEST(AssumedBindingsTest, WhatIsAssumedHoldsUntilTheServerSpeaks) {
  AssumedBindings assumed;
  const ObjectPtr volume = AVolume("v", "1Gi", {}, "resourceVersion: '1'");
  const ObjectPtr same = AVolume("v", "1Gi", {}, "resourceVersion: '1'");
  const ObjectPtr newer = AVolume("v", "1Gi", {}, "resourceVersion: '2'");
  const ObjectPtr claim = AClaim("c", "{}");
  EXPECT_FALSE(assumed.ClaimRef(volume).has_value());
  assumed.AssumeVolume(volume, claim);
  EXPECT_EQ(assumed.ClaimRef(volume)->uid, "uid-default-c");
  EXPECT_EQ(assumed.ClaimRef(same)->name, "c");
  EXPECT_FALSE(assumed.ClaimRef(newer).has_value());
  assumed.ForgetVolume(volume->metadata());
  EXPECT_FALSE(assumed.ClaimRef(volume).has_value());
  EXPECT_EQ(assumed.size(), 0u);
}

TEST(AssumedBindingsTest, LikewiseTheNodeOfAClaim) {
  AssumedBindings assumed;
  const ObjectPtr claim = AClaim("c", "{}", "annotations: {volume.kubernetes.io/selected-node: a}");
  EXPECT_EQ(assumed.SelectedNode(claim), "a");
  assumed.AssumeClaim(claim, "b");
  EXPECT_EQ(assumed.SelectedNode(claim), "b");
  // A different object without a resourceVersion is a different version.
  EXPECT_EQ(assumed.SelectedNode(AClaim("c", "{}")), std::nullopt);
  assumed.ForgetClaim(claim->metadata());
  EXPECT_EQ(assumed.SelectedNode(claim), "a");
}

}  // namespace
}  // namespace plimsoll::scheduler
