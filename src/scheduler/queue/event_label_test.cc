#include "scheduler/queue/event_label.h"

#include <gtest/gtest.h>

namespace plimsoll::scheduler {
namespace {

TEST(EventLabelTest, IsUpstreams) {
  EXPECT_EQ(EventLabel(EventResource::AssignedPod, kDelete), "AssignedPodDelete");
  EXPECT_EQ(EventLabel(EventResource::TargetPod, kAdd), "UnschedulablePodAdd");
  EXPECT_EQ(EventLabel(EventResource::TargetPod, kUpdatePodGatesEliminated),
            "UnschedulablePodUpdatePodSchedulingGatesEliminated");
  EXPECT_EQ(EventLabel(EventResource::Node, kUpdateNodeTaint), "NodeUpdateNodeTaint");
  EXPECT_EQ(EventLabel(EventResource::Node, kUpdateNodeDeclaredFeature),
            "NodeUpdateNodeDeclaredFeature");
  EXPECT_EQ(EventLabel(EventResource::CSINode, kUpdateOther), "storage.k8s.io/CSINodeUpdate");
}

TEST(EventLabelTest, LiesInOnePlace) {
  EXPECT_EQ(EventLabel(EventResource::Node, kAdd).data(),
            MakeEvent(EventResource::Node, kAdd, nullptr, nullptr).label.data());
}

}  // namespace
}  // namespace plimsoll::scheduler
