#include "agent/pod_admission.h"

#include <gtest/gtest.h>

#include "agent/limits.h"
#include "agent/parts_for_test.h"
#include "match/costly_evaluator_for_test.h"

namespace plimsoll::agent {
namespace {

using Kind = PodAdmission::Decision::Kind;

class PodAdmissionTest : public PartsForTest, public testing::Test {
 protected:
  /// Adds a pod that runs on the node.
  PodRecord& Running(const std::string& uid) {
    PodRecord& pod = Living(APod("", "", uid));
    pod.requests = RequestsOf(pod.life.pod()->As<api::Pod>()->spec, admission_.resources());
    neighbours_.occupancy.Add(pod.requests, {});
    pod.is_counted = true;
    return pod;
  }
  PodAdmission::Decision Decide(PodRecord& pod) {
    return admission_.Decide(pod, *node_.object->As<api::Node>());
  }
  PodAdmission admission_{match::Rules{}};
};

TEST_F(PodAdmissionTest, AdmitsAPodThatFits) {
  EXPECT_EQ(admission_.Check(Living(APod())).kind, Kind::Admit);
}

TEST_F(PodAdmissionTest, ReadsTheNodeBeforeItRejects) {
  Running("a");
  Running("b");
  PodRecord& pod = Living(APod("", "", "c"));
  EXPECT_EQ(admission_.Check(pod).kind, Kind::ReadNode);
  const PodAdmission::Decision decision = Decide(pod);
  EXPECT_EQ(decision.kind, Kind::Reject);
  EXPECT_EQ(decision.refusal.value().reason, "OutOfpods");
}

TEST_F(PodAdmissionTest, ACriticalPodPreemptsUntilEnoughPodsAreEnding) {
  Running("a");
  Running("b");
  PodRecord& pod = Living(APod("", R"("priority":2000000000,)", "c"));
  const PodAdmission::Decision decision = Decide(pod);
  EXPECT_EQ(decision.kind, Kind::Preempt);
  ASSERT_EQ(decision.victims.size(), 1U);
  decision.victims[0]->is_preempted = true;
  const PodAdmission::Decision later = Decide(pod);
  EXPECT_EQ(later.kind, Kind::Preempt);
  EXPECT_TRUE(later.victims.empty());
}

TEST_F(PodAdmissionTest, DefersACheckThatExceedsTheCostLimit) {
  const match::CostlyEvaluator evaluator(kAdmissionCostMax / 2 + 1);
  match::Rules rules;
  rules.evaluator = &evaluator;
  PodAdmission admission(rules);
  node_.object = api::DecodeJson(
      R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"spec":{"taints":[)"
      R"({"key":"k","effect":"NoExecute"}]},"status":{"allocatable":{"cpu":"4","pods":"2"}}})");
  PodRecord& pod = Living(APod("", R"("tolerations":[{"expression":"a"},{"expression":"b"},)"
                                   R"({"expression":"c"},{"expression":"yes"}],)"));
  EXPECT_EQ(admission.Check(pod).kind, Kind::Defer);
  // Each check continues with the results of the previous ones.
  Kind kind = Kind::Defer;
  for (int i = 0; i < 4 && kind == Kind::Defer; ++i) kind = admission.Check(pod).kind;
  EXPECT_EQ(kind, Kind::Admit);
}

}  // namespace
}  // namespace plimsoll::agent
