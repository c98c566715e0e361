#include "scheduler/failure/refusal_cache.h"

#include <gtest/gtest.h>

#include "scheduler/dra/devices.h"
#include "scheduler/dra/devices_for_test.h"
#include "scheduler/scheduler_parts_for_test.h"

namespace plimsoll::scheduler {
namespace {

class RefusalCacheTest : public SchedulerParts, public testing::Test {
 protected:
  /// Stores a refusal of the first pod. Returns true if it is served to the second.
  bool IsShared(PodId first, PodId second) {
    const RefusalCache::Shared diagnosis = RefusedBy("Scripted");
    refusals_.Store(first, 0, diagnosis);
    return refusals_.Find(second, 0) == diagnosis;
  }
};

TEST_F(RefusalCacheTest, ARefusalHoldsForThePodsOfTheClass) {
  const PodId a = AddPod("a");
  EXPECT_TRUE(IsShared(a, AddPod("b")));
  EXPECT_EQ(refusals_.Find(AddPod("c", "{priority: 3}"), 0), nullptr);
  EXPECT_EQ(refusals_.Find(a, 1), nullptr) << "another profile";
}

TEST_F(RefusalCacheTest, ARefusalEndsWhenTheClusterChanges) {
  const PodId a = AddPod("a");
  EXPECT_TRUE(IsShared(a, a));
  AddNode("n");
  EXPECT_EQ(refusals_.Find(a, 0), nullptr);
  EXPECT_TRUE(IsShared(a, a));
  refusals_.Invalidate();
  EXPECT_EQ(refusals_.Find(a, 0), nullptr);
}

TEST_F(RefusalCacheTest, APodWithANominationIsTriedItself) {
  const NodeSlot node = AddNode("n");
  const PodId plain = AddPod("a");
  const PodId nominated = AddPod("b");
  cluster_.NominatePod(nominated, node);
  EXPECT_FALSE(IsShared(plain, nominated));
  const PodId named = AddPod("c", "{}", "{nominatedNodeName: gone}");
  EXPECT_FALSE(IsShared(plain, named)) << "PostFilter may have to clear it";
  EXPECT_TRUE(IsShared(plain, AddPod("d")));
}

TEST_F(RefusalCacheTest, APodThatMayHaveALeftoverClaimIsTriedItself) {
  const std::string spec = "{containers: [{name: c, resources: {requests: {e.c/gpu: 1}}}]}";
  const PodId a = AddPod("a", spec);
  const PodId b = AddPod("b", spec);
  EXPECT_TRUE(IsShared(a, b)) << "no DeviceClass provides the resource";
  cluster_.devices().Observe({nullptr, ClassFromYaml("gpu", "{extendedResourceName: e.c/gpu}")});
  EXPECT_FALSE(IsShared(a, b));
}

TEST_F(RefusalCacheTest, KeepsTheLastDiagnosisOfEachPod) {
  const PodId a = AddPod("a");
  EXPECT_EQ(refusals_.Last(a), nullptr);
  const RefusalCache::Shared diagnosis = RefusedBy("Scripted");
  refusals_.SetLast(a, diagnosis);
  EXPECT_EQ(refusals_.Last(a), diagnosis.get());
  refusals_.ClearLast(a);
  EXPECT_EQ(refusals_.Last(a), nullptr);
  refusals_.ClearLast(99);
}

}  // namespace
}  // namespace plimsoll::scheduler
