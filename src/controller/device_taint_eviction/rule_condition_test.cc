#include "controller/device_taint_eviction/rule_condition.h"

#include <gtest/gtest.h>

#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

std::string TextOf(const RuleCondition& condition) {
  return (condition.is_in_progress ? "True " : "False ") + condition.reason + ": " +
         condition.message;
}

TEST(RuleConditionTest, SaysHowFarTheEvictionIs) {
  EXPECT_EQ(TextOf(EvictionCondition({}, 0)), "False NotStarted: ");
  EXPECT_EQ(TextOf(EvictionCondition({1, 1}, 0)),
            "True PodsPendingEviction: 1 pod needs to be evicted in 1 namespace.");
  EXPECT_EQ(TextOf(EvictionCondition({3, 2}, 1)),
            "True PodsPendingEviction: 3 pods need to be evicted in 2 different namespaces. 1 pod "
            "evicted since starting the controller.");
  EXPECT_EQ(TextOf(EvictionCondition({}, 4)),
            "False Completed: 4 pods evicted since starting the controller.");
  EXPECT_EQ(TextOf(OtherEffectCondition(0)),
            "False OtherEffect: Eviction only happens for the NoExecute effect.");
}

TEST(RuleConditionTest, SaysWhatWouldHappen) {
  EXPECT_EQ(TextOf(PreviewCondition({1, 1, {1, 1}}, 0)),
            "False NoEffect: 1 published device selected. 1 allocated device selected. 1 pod would "
            "be evicted in 1 namespace if the effect was NoExecute. This information will not be "
            "updated again. Recreate the DeviceTaintRule to trigger an update.");
  EXPECT_EQ(TextOf(PreviewCondition({3, 0, {}}, 2)),
            "False NoEffect: 3 published devices selected. 0 allocated devices selected. 0 pods "
            "would be evicted in 0 different namespaces if the effect was NoExecute. This "
            "information will not be updated again. Recreate the DeviceTaintRule to trigger an "
            "update. 2 pods evicted since starting the controller.");
}

TEST(RuleConditionTest, IsWrittenAndRead) {
  const ObjectPtr rule = Decode(
      "{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: r, uid: u}, spec: "
      "{taint: {key: k, effect: None}}}");
  EXPECT_FALSE(ConditionOf(*rule));
  RuleCondition condition = EvictionCondition({3, 1}, 0);
  condition.observed_generation = 7;
  condition.changed_at = ParseTime("2026-03-01T12:00:00Z").value();
  const std::string patch = ConditionPatch(*rule, condition);
  EXPECT_EQ(patch,
            R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","metadata":{"name":"r",)"
            R"("uid":"u"},"status":{"conditions":[{"type":"EvictionInProgress","status":"True",)"
            R"("observedGeneration":7,"lastTransitionTime":"2026-03-01T12:00:00Z",)"
            R"("reason":"PodsPendingEviction",)"
            R"("message":"3 pods need to be evicted in 1 namespace."}]}})");
  const auto read = ConditionOf(*Decode(patch));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->SaysTheSameAs(condition));
  EXPECT_EQ(read->changed_at, condition.changed_at);
}

TEST(RuleConditionTest, IsWrittenInTheVersionOfTheRule) {
  const ObjectPtr rule = Decode(
      "{apiVersion: resource.k8s.io/v1alpha3, kind: DeviceTaintRule, metadata: {name: r, uid: u}, "
      "spec: {taint: {key: k, effect: None}}}");
  const std::string patch = ConditionPatch(*rule, OtherEffectCondition(0));
  EXPECT_TRUE(patch.starts_with(R"({"apiVersion":"resource.k8s.io/v1alpha3",)")) << patch;
}

}  // namespace
}  // namespace plimsoll::controller
