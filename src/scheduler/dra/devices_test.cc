#include "scheduler/dra/devices.h"

#include <gtest/gtest.h>

#include "scheduler/dra/devices_for_test.h"

namespace plimsoll::scheduler {
namespace {

using Answer = dra::Allocator::Answer;

class DevicesTest : public testing::Test {
 protected:
  DevicesTest() {
    for (const std::string_view name : {"n1", "n2"}) AddNode(name);
    Put(cluster_, ClassFromYaml());
    Put(cluster_, SliceFromYaml("n1", "[{name: a}]"));
  }

  void AddNode(std::string_view name) { cluster_.UpsertNode(*NodeFromYaml(name)->As<api::Node>()); }
  Devices& devices() { return cluster_.devices(); }
  Answer Ask(const ObjectPtr& claim, std::string_view node) {
    devices().FollowNodes(cluster_);
    const dra::ClaimSet set = devices().allocator().Compile({claim});
    return devices().allocator().CheckNode(set, *cluster_.FindNode(node));
  }
  /// Returns the allocation that the claim would get on n1.
  dra::Allocation Allocate(const ObjectPtr& claim) {
    devices().FollowNodes(cluster_);
    auto outcome = devices().allocator().Allocate(devices().allocator().Compile({claim}),
                                                  *cluster_.FindNode("n1"), devices().random());
    EXPECT_EQ(outcome.answer, Answer::Possible);
    return std::move(outcome.allocations.at(0));
  }

  ClusterState cluster_{match::Rules{}};
  const ObjectPtr claim_ = ClaimFromYaml("c");
  const ObjectPtr other_ = ClaimFromYaml("other");
};

TEST_F(DevicesTest, DevicesAreWhereTheirSlicesSay) {
  EXPECT_EQ(Ask(claim_, "n1"), Answer::Possible);
  EXPECT_EQ(Ask(claim_, "n2"), Answer::Impossible);
}

TEST_F(DevicesTest, NodesThatComeAndGoAreFollowed) {
  Put(cluster_, SliceFromYaml("n3", "[{name: a}]"));
  AddNode("n3");
  EXPECT_EQ(Ask(claim_, "n3"), Answer::Possible);
  cluster_.RemoveNode("n3");
  AddNode("n4");
  EXPECT_EQ(Ask(claim_, "n4"), Answer::Impossible) << "it may have the place of the other";
}

TEST_F(DevicesTest, WhatIsPendingIsTaken) {
  Put(cluster_, claim_);
  devices().AddPending(claim_->metadata().uid, Allocate(claim_));
  EXPECT_TRUE(devices().IsPending(claim_->metadata().uid));
  EXPECT_EQ(Ask(other_, "n1"), Answer::Impossible);
  devices().DropPending(claim_->metadata().uid);
  EXPECT_EQ(devices().pending(), 0U);
  EXPECT_EQ(Ask(other_, "n1"), Answer::Possible);
}

TEST_F(DevicesTest, WhatIsPendingStaysSoUntilTheClaimShowsIt) {
  Put(cluster_, claim_);
  devices().AddPending(claim_->metadata().uid, Allocate(claim_));
  const ObjectPtr finalized = ClaimFromYaml("c", {}, {}, "finalizers: [f]");
  Put(cluster_, finalized, claim_);
  EXPECT_TRUE(devices().IsPending(claim_->metadata().uid));
  const ObjectPtr allocated = ClaimFromYaml("c", StatusYaml(AllocationYaml("n1", "a")));
  Put(cluster_, allocated, finalized);
  EXPECT_FALSE(devices().IsPending(claim_->metadata().uid));
  EXPECT_EQ(Ask(other_, "n1"), Answer::Impossible);
  Put(cluster_, finalized, allocated);
  EXPECT_EQ(Ask(other_, "n1"), Answer::Possible);
}

TEST_F(DevicesTest, AClaimThatIsYetToBeMadeShowsUnderItsName) {
  devices().AddPending("to-come", Allocate(claim_));
  devices().ExpectClaim("to-come", "default", "made");
  EXPECT_EQ(Ask(other_, "n1"), Answer::Impossible);
  Put(cluster_, ClaimFromYaml("made"));
  EXPECT_TRUE(devices().IsPending("to-come"));
  const ObjectPtr made = ClaimFromYaml("made", StatusYaml(AllocationYaml("n1", "a")));
  Put(cluster_, made, ClaimFromYaml("made"));
  EXPECT_EQ(devices().pending(), 0U);
  EXPECT_EQ(Ask(other_, "n1"), Answer::Impossible);
  devices().Observe({.old_object = made, .new_object = nullptr});
  EXPECT_EQ(Ask(other_, "n1"), Answer::Possible);
}

TEST_F(DevicesTest, ClassesStandForResources) {
  const auto named = [](std::string_view name, std::string_view day) {
    return Named("DeviceClass", "", name, "spec: {extendedResourceName: example.com/gpu}",
                 "creationTimestamp: '2026-01-0" + std::string(day) + "T00:00:00Z'",
                 "resource.k8s.io/v1");
  };
  EXPECT_EQ(devices().ClassOf("example.com/gpu"), "");
  EXPECT_EQ(devices().ClassOf("deviceclass.resource.kubernetes.io/gpu"), "gpu");
  EXPECT_EQ(devices().ClassOf("deviceclass.resource.kubernetes.io/none"), "");
  const std::uint64_t version = devices().classes_version();
  Put(cluster_, named("old", "1"));
  EXPECT_NE(devices().classes_version(), version);
  EXPECT_EQ(devices().ClassOf("example.com/gpu"), "old");
  Put(cluster_, named("new", "2"));
  Put(cluster_, named("zoo", "2"));
  EXPECT_EQ(devices().ClassOf("example.com/gpu"), "new") << "of equals the first by name";
  devices().Observe({.old_object = named("new", "2"), .new_object = nullptr});
  EXPECT_EQ(devices().ClassOf("example.com/gpu"), "zoo");
}

TEST_F(DevicesTest, KnowsWhichNodesHaveTaintedDevices) {
  Put(cluster_, SliceFromYaml("n2", "[{name: a}, " + TaintedYaml("b", "1") + "]"));
  EXPECT_FALSE(devices().HasTaints("n1"));
  EXPECT_TRUE(devices().HasTaints("n2"));
}

TEST_F(DevicesTest, AClaimThatIsGoneHasNothing) {
  const ObjectPtr allocated = ClaimFromYaml("c", StatusYaml(AllocationYaml("n1", "a")));
  Put(cluster_, allocated);
  EXPECT_EQ(Ask(other_, "n1"), Answer::Impossible);
  devices().Observe({.old_object = allocated, .new_object = nullptr});
  EXPECT_EQ(Ask(other_, "n1"), Answer::Possible);
  EXPECT_EQ(devices().claims().size(), 0U);
}

TEST_F(DevicesTest, TellsWhatWaitingPodsMayHearOf) {
  const auto tell = [&](const ObjectPtr& before, const ObjectPtr& after) {
    return devices().Observe({.old_object = before, .new_object = after});
  };
  const auto slice = tell(nullptr, SliceFromYaml("n2", "[{name: a}]"));
  ASSERT_TRUE(slice);
  EXPECT_EQ(slice->resource, EventResource::ResourceSlice);
  EXPECT_EQ(slice->action, EventActions{kAdd});
  const ObjectPtr rule = RuleFromYaml("r", "{pool: n2}", "{key: k, value: v, effect: NoSchedule}");
  const auto tainted = tell(nullptr, rule);
  ASSERT_TRUE(tainted);
  EXPECT_EQ(tainted->resource, EventResource::ResourceSlice);
  EXPECT_EQ(tainted->action, EventActions{kUpdateOther});
  EXPECT_FALSE(
      tell(nullptr, RuleFromYaml("none", "{pool: x}", "{key: k, value: v, effect: NoSchedule}")))
      << "it taints nothing";
  const auto freed = tell(rule, nullptr);
  ASSERT_TRUE(freed);
  EXPECT_EQ(freed->action, EventActions{kUpdateOther});
  const auto claim = tell(nullptr, claim_);
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->resource, EventResource::ResourceClaim);
  EXPECT_EQ(tell(claim_, nullptr)->action, EventActions{kDelete});
  EXPECT_EQ(tell(nullptr, ClassFromYaml("more"))->resource, EventResource::DeviceClass);
  EXPECT_FALSE(Devices::Concerns(*NodeFromYaml("n")));
  EXPECT_TRUE(Devices::Concerns(*rule));
}

}  // namespace
}  // namespace plimsoll::scheduler
