#include "scheduler/failure/failure_handler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/scheduler_parts_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class FailureHandlerTest : public SchedulerParts, public testing::Test {};

TEST_F(FailureHandlerTest, ReportsARefusalAndRequeuesThePod) {
  const PodId pod = AddPod("web");
  failures_.Refuse(pod, RefusedBy("Scripted"), "n", Duration::zero(), turn());
  const auto events = Take<api::RecordEvent>();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].reason, "FailedScheduling");
  EXPECT_EQ(events[0].message, "0/1 nodes are available: 1 no room.");
  EXPECT_EQ(events[0].component, "default-scheduler");
  const auto patches = Take<api::UpdatePodStatus>();
  ASSERT_THAT(patches, SizeIs(1));
  ASSERT_TRUE(patches[0].condition);
  EXPECT_EQ(patches[0].condition->reason, "Unschedulable");
  EXPECT_EQ(patches[0].nominated_node, "n");
  EXPECT_EQ(queue_.unschedulable(), 1U);
  EXPECT_NE(refusals_.Last(pod), nullptr);
}

TEST_F(FailureHandlerTest, ANominationThatIsStoredAlreadyIsNotPatched) {
  const PodId pod = AddPod("web", "{}", "{nominatedNodeName: a}");
  failures_.Refuse(pod, RefusedBy("Scripted"), "a", Duration::zero(), turn());
  EXPECT_FALSE(Take<api::UpdatePodStatus>().at(0).nominated_node);
}

TEST_F(FailureHandlerTest, AnErrorIsTriedAgainAfterBackoff) {
  const PodId pod = AddPod("web");
  failures_.Fail(pod, Duration::zero(), "broken", turn());
  EXPECT_EQ(Take<api::UpdatePodStatus>().at(0).condition->reason, "SchedulerError");
  EXPECT_EQ(queue_.backoff(), 1U);
}

TEST_F(FailureHandlerTest, TheReportWaitsForTheWrites) {
  const PodId pod = AddPod("web");
  failures_.RefuseAfterWrites(pod, RefusedBy("Scripted"), {api::DeleteObject{}}, {},
                              Duration::zero(), turn());
  EXPECT_THAT(Take<api::RecordEvent>(), IsEmpty());
  const auto writes = Take<api::WriteInOrder>();
  ASSERT_THAT(writes, SizeIs(1));
  EXPECT_FALSE(failures_.OnWritesFinished(pod, writes[0].id + 1, {}, turn()));
  EXPECT_TRUE(failures_.OnWritesFinished(pod, writes[0].id, Fail(Reason::Conflict, "no"), turn()));
  EXPECT_THAT(Take<api::RecordEvent>().at(0).message, HasSubstr("no"));
  EXPECT_FALSE(failures_.OnWritesFinished(pod, writes[0].id, {}, turn()));
}

TEST_F(FailureHandlerTest, ACancelledReportIsNotSent) {
  for (const bool is_forgotten : {false, true}) {
    const PodId pod = AddPod(is_forgotten ? "a" : "b");
    failures_.RefuseAfterWrites(pod, RefusedBy("Scripted"), {api::DeleteObject{}}, {},
                                Duration::zero(), turn());
    if (is_forgotten) {
      failures_.Forget(pod);
    } else {
      failures_.CancelReport(pod);
    }
    EXPECT_EQ(refusals_.Last(pod) == nullptr, is_forgotten);
    const api::ActionId write = Take<api::WriteInOrder>().at(0).id;
    EXPECT_FALSE(failures_.OnWritesFinished(pod, write, {}, turn()));
    EXPECT_THAT(out_, IsEmpty());
  }
}

TEST_F(FailureHandlerTest, AFaultLeavesThePodOutOfTheQueue) {
  const PodId pod = AddPod("web");
  failures_.ReportFault(pod, "std::bad_alloc", turn());
  EXPECT_THAT(Take<api::RecordEvent>().at(0).message, HasSubstr("std::bad_alloc"));
  EXPECT_EQ(queue_.backoff() + queue_.unschedulable() + queue_.active(), 0U);
}

TEST_F(FailureHandlerTest, ReportsADeletedPod) {
  failures_.ReportSkipped(AddPod("web"), turn());
  EXPECT_EQ(Take<api::RecordEvent>().at(0).message, "skip schedule deleting pod: default/web");
  EXPECT_THAT(out_, IsEmpty());
}

}  // namespace
}  // namespace plimsoll::scheduler
