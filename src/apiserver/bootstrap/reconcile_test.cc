#include "apiserver/bootstrap/reconcile.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

using Step = Reconciled::Step;

constexpr std::string_view kWanted =
    R"({"metadata":{"name":"r","labels":{"a":"1"},"annotations":{"b":"2"}},)"
    R"("rules":[{"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]}]})";

TEST(ReconcileRoleTest, AddsWhatIsMissingAndTakesNothing) {
  const Reconciled got =
      ReconcileRole(R"({"metadata":{"name":"r","labels":{"a":"own"}},)"
                    R"("rules":[{"verbs":["get"],"apiGroups":["*"],"resources":["*"]}]})",
                    kWanted);
  EXPECT_EQ(got.step, Step::Update);
  EXPECT_EQ(got.json, R"({"metadata":{"name":"r","labels":{"a":"own"},"annotations":{"b":"2"}},)"
                      R"("rules":[{"verbs":["get"],"apiGroups":["*"],"resources":["*"]},)"
                      R"({"verbs":["list"],"apiGroups":[""],"resources":["pods"]}]})");
  EXPECT_EQ(ReconcileRole(got.json, kWanted).step, Step::Nothing);
}

TEST(ReconcileRoleTest, LeavesAProtectedOneAlone) {
  EXPECT_EQ(ReconcileRole(R"({"metadata":{"annotations":)"
                          R"({"rbac.authorization.kubernetes.io/autoupdate":"false"}}})",
                          kWanted)
                .step,
            Step::Nothing);
}

TEST(ReconcileRoleTest, AnAggregationIsPutRight) {
  constexpr std::string_view kAggregate =
      R"({"metadata":{"name":"r"},"aggregationRule":{"clusterRoleSelectors":)"
      R"([{"matchLabels":{"x":"1"}}]},"rules":[{"verbs":["get"]}]})";
  EXPECT_EQ(ReconcileRole(R"({"metadata":{"name":"r"},"rules":null})", kAggregate).json,
            R"({"metadata":{"name":"r"},"rules":null,"aggregationRule":{"clusterRoleSelectors":)"
            R"([{"matchLabels":{"x":"1"}}]}})");
  EXPECT_EQ(ReconcileRole(kAggregate, R"({"metadata":{"name":"r"}})").json,
            R"({"metadata":{"name":"r"},"rules":[{"verbs":["get"]}]})");
}

TEST(ReconcileRoleTest, WhatIsNoObjectIsLeftAlone) {
  EXPECT_EQ(ReconcileRole("[1", kWanted).step, Step::Nothing);
}

constexpr std::string_view kBinding =
    R"({"roleRef":{"apiGroup":"g","kind":"ClusterRole","name":"r"},)"
    R"("subjects":[{"kind":"Group","name":"x"}]})";

TEST(ReconcileBindingTest, AddsSubjects) {
  const Reconciled got =
      ReconcileBinding(R"({"roleRef":{"apiGroup":"g","kind":"ClusterRole","name":"r"},)"
                       R"("subjects":[{"kind":"User","name":"own"}]})",
                       kBinding);
  EXPECT_EQ(got.step, Step::Update);
  EXPECT_EQ(got.json, R"({"roleRef":{"apiGroup":"g","kind":"ClusterRole","name":"r"},)"
                      R"("subjects":[{"kind":"User","name":"own"},{"kind":"Group","name":"x"}]})");
  EXPECT_EQ(ReconcileBinding(got.json, kBinding).step, Step::Nothing);
}

TEST(ReconcileBindingTest, ABindingToAnotherRoleIsMadeAnew) {
  const Reconciled got = ReconcileBinding(
      R"({"roleRef":{"apiGroup":"g","kind":"ClusterRole","name":"other"}})", kBinding);
  EXPECT_EQ(got.step, Step::Recreate);
  EXPECT_EQ(got.json, kBinding);
}

}  // namespace
}  // namespace plimsoll::apiserver
