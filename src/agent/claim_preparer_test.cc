#include "agent/claim_preparer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/parts_for_test.h"

namespace plimsoll::agent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ClaimPreparerTest : public PartsForTest, public testing::Test {
 protected:
  static ObjectPtr Claim(const std::string& reserved_for) {
    return api::DecodeJson(
        R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"gpu",)"
        R"("namespace":"default","uid":"u-gpu"},"spec":{},"status":{"reservedFor":[)" +
        reserved_for + "]}}");
  }
  PodRecord& Held() {
    PodRecord& pod =
        Living(APod("", R"("resourceClaims":[{"name":"gpu","resourceClaimName":"gpu"}],)"));
    pod.life.Hold();
    return pod;
  }
  void WakeAfterDelay() {
    now_ += std::chrono::seconds(1);
    claims_.Wake(Now());
  }

  DeviceDriver devices_{next_action_};
  ClaimPreparer claims_{devices_, events_};
};

TEST_F(ClaimPreparerTest, APodWithoutClaimsIsPrepared) {
  EXPECT_TRUE(claims_.Prepare(Living(APod()), now_));
  EXPECT_EQ(claims_.NextWake(), std::nullopt);
}

TEST_F(ClaimPreparerTest, APodWaitsUntilItsClaimIsReservedForIt) {
  PodRecord& pod = Held();
  EXPECT_FALSE(claims_.Prepare(pod, now_));
  const ObjectPtr claim = Claim(R"({"resource":"pods","name":"web","uid":"u-web"})");
  EXPECT_THAT(claims_.PodsWaitingFor(claim->metadata()), ElementsAre(pod.number()));
  devices_.Observe(ObjectChanged{nullptr, claim}, Now());
  EXPECT_TRUE(claims_.Prepare(pod, now_));
  EXPECT_THAT(claims_.PodsWaitingFor(claim->metadata()), IsEmpty());
  WakeAfterDelay();
  EXPECT_TRUE(actions_.empty());
}

TEST_F(ClaimPreparerTest, ALongWaitIsReportedOnceForEachReason) {
  PodRecord& pod = Held();
  claims_.Prepare(pod, now_);
  WakeAfterDelay();
  EXPECT_EQ(Take<RecordEvent>().size(), 1U);
  claims_.Prepare(pod, now_);
  WakeAfterDelay();
  EXPECT_THAT(Take<RecordEvent>(), IsEmpty());
  devices_.Observe(ObjectChanged{nullptr, Claim("")}, Now());
  claims_.Prepare(pod, now_);
  WakeAfterDelay();
  const auto events = Take<RecordEvent>();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_THAT(events[0].message, testing::HasSubstr("is not allowed to use ResourceClaim gpu"));
}

TEST_F(ClaimPreparerTest, AForgottenPodIsNotReported) {
  PodRecord& pod = Held();
  claims_.Prepare(pod, now_);
  claims_.Forget(pod);
  EXPECT_EQ(claims_.NextWake(), std::nullopt);
  EXPECT_THAT(claims_.PodsWaitingFor(Claim("")->metadata()), IsEmpty());
}

}  // namespace
}  // namespace plimsoll::agent
