#include "scheduler/event_text.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

using namespace std::chrono_literals;

constexpr Instant kNow{1000s};

TEST(EventTextTest, NotesAreCutAtTheLimit) {
  const std::string longest(1024, 'x');
  EXPECT_EQ(TruncateNote(longest), longest);
  EXPECT_EQ(TruncateNote(longest + "y"), std::string(1020, 'x') + " ...");
}

TEST(EventTextTest, NotesAreUpstreams) {
  const ObjectPtr pod = PodFromYaml("web", "{}");
  EXPECT_EQ(AssignedNote(pod->metadata(), "n1"), "Successfully assigned default/web to n1");
  EXPECT_EQ(SkippedNote(pod->metadata()), "skip schedule deleting pod: default/web");
  EXPECT_EQ(PreemptedNote("u-1", "n1"), "Preempted by pod u-1 on node n1");
  EXPECT_EQ(PluginFailure(kBind, "DefaultBinder", "gone"),
            "running Bind plugin \"DefaultBinder\": gone");
}

TEST(EventTextTest, ANewConditionHasATransition) {
  const ObjectPtr pod = PodFromYaml("web", "{}", "generation: 3");
  const auto condition = UnscheduledCondition(*pod, "Unschedulable", "why", kNow);
  ASSERT_TRUE(condition);
  EXPECT_EQ(*condition, (api::PodCondition{.type = "PodScheduled",
                                           .status = false,
                                           .reason = "Unschedulable",
                                           .message = "why",
                                           .transitioned = kNow,
                                           .observed_generation = 3}));
}

TEST(EventTextTest, AConditionIsWrittenOnlyWhenItChanges) {
  const auto with = [](std::string_view status, std::string_view reason) {
    return PodFromYaml(
        "web", "{}", {},
        "{conditions: [{type: Ready, status: 'True'}, {type: PodScheduled, status: '" +
            std::string(status) + "', reason: " + std::string(reason) + ", message: why}]}");
  };
  EXPECT_FALSE(UnscheduledCondition(*with("False", "Unschedulable"), "Unschedulable", "why", kNow));
  const auto other_message =
      UnscheduledCondition(*with("False", "Unschedulable"), "Unschedulable", "other", kNow);
  ASSERT_TRUE(other_message);
  EXPECT_EQ(other_message->transitioned, std::nullopt);
  const auto other_reason =
      UnscheduledCondition(*with("False", "SchedulingGated"), "Unschedulable", "why", kNow);
  ASSERT_TRUE(other_reason);
  EXPECT_EQ(other_reason->transitioned, std::nullopt);
  const auto other_status =
      UnscheduledCondition(*with("True", "Unschedulable"), "Unschedulable", "why", kNow);
  ASSERT_TRUE(other_status);
  EXPECT_EQ(other_status->transitioned, kNow);
}

TEST(EventTextTest, AVictimIsToldWhy) {
  EXPECT_EQ(PreemptionMessage("default-scheduler"),
            "default-scheduler: preempting to accommodate a higher priority pod");
}

}  // namespace
}  // namespace plimsoll::scheduler
