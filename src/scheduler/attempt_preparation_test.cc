#include "scheduler/attempt_preparation.h"

#include <gtest/gtest.h>

#include "scheduler/default_profile_for_test.h"
#include "scheduler/limits.h"
#include "scheduler/scheduler_parts_for_test.h"

namespace plimsoll::scheduler {
namespace {

class AttemptPreparationTest : public SchedulerParts, public testing::Test {
 protected:
  static constexpr std::string_view kSpread =
      "{topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
      "DoNotSchedule, labelSelector: {}}]}";

  bool Prepare(PodId pod) { return preparation_.Prepare(framework_, UnderTest(cluster_, pod)); }

  Framework framework_{cluster_, MakeDefaultProfile(cluster_, {}), FrameworkOptions{}};
  AttemptPreparation preparation_{cluster_, queue_, stopwatch_, 1'000};
};

TEST_F(AttemptPreparationTest, APlainPodNeedsNone) {
  const PodId pod = AddPod("web");
  preparation_.StartWake();
  const Duration before = elapsed_;
  EXPECT_TRUE(Prepare(pod));
  EXPECT_EQ(elapsed_, before) << "the clock is not read";
  EXPECT_FALSE(preparation_.is_wake_spent());
}

TEST_F(AttemptPreparationTest, CountsPodsForSpreading) {
  AddNode("a");
  const PodId pod = AddPod("web", kSpread);
  preparation_.StartWake();
  EXPECT_TRUE(Prepare(pod));
  EXPECT_FALSE(preparation_.is_wake_spent());
}

TEST_F(AttemptPreparationTest, ALongWakeEndsUnlessOthersWait) {
  AddNode("a");
  const PodId pod = AddPod("web", kSpread);
  preparation_.StartWake();
  elapsed_ += kPrepareDurationMax;
  queue_.Add(cluster_.UpsertPod(PodFromYaml("other", "{}")), 0, "Add", now_);
  Prepare(pod);
  EXPECT_FALSE(preparation_.is_wake_spent());
  EXPECT_TRUE(queue_.Pop());
  Prepare(pod);
  EXPECT_TRUE(preparation_.is_wake_spent());
  preparation_.StartWake();
  EXPECT_FALSE(preparation_.is_wake_spent());
  preparation_.EndWake();
  EXPECT_TRUE(preparation_.is_wake_spent());
}

}  // namespace
}  // namespace plimsoll::scheduler
