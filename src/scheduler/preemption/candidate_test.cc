#include "scheduler/preemption/candidate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

Candidate Costing(std::int64_t violations, std::int32_t highest, std::int64_t sum,
                  std::size_t victims, int start) {
  return {.node = 0,
          .victims = std::vector<PodId>(victims),
          .budget_violations = violations,
          .highest_priority = highest,
          .priority_sum = sum,
          .earliest_start = Instant(std::chrono::seconds(start))};
}

TEST(ChooseCandidateTest, GoesByTheFirstThatDiffers) {
  const Candidate plain = Costing(1, 10, 100, 2, 50);
  const std::vector<Candidate> better = {
      Costing(0, 99, 999, 9, 0), Costing(1, 9, 999, 9, 0),   Costing(1, 10, 99, 9, 0),
      Costing(1, 10, 100, 1, 0), Costing(1, 10, 100, 2, 51),
  };
  for (const Candidate& one : better) {
    EXPECT_EQ(ChooseCandidate(std::vector{&plain, &one}), 1U);
    EXPECT_EQ(ChooseCandidate(std::vector{&one, &plain}), 0U);
  }
  EXPECT_EQ(ChooseCandidate(std::vector{&plain, &plain}), 0U) << "the first of equals";
}

TEST(IsMoreImportantTest, GoesByPriorityThenByStart) {
  ClusterState cluster{match::Rules{}};
  const auto add = [&](std::string_view name, int priority, std::string_view status) {
    return cluster.UpsertPod(
        PodFromYaml(name, "{priority: " + std::to_string(priority) + "}", {}, status));
  };
  const PodId high = add("high", 10, "{}");
  const PodId early = add("early", 5, "{startTime: '2026-01-01T00:00:00Z'}");
  const PodId late = add("late", 5, "{startTime: '2026-01-02T00:00:00Z'}");
  const PodId unstarted = add("unstarted", 5, "{}");
  const PodId order[] = {high, early, late, unstarted};
  for (std::size_t i = 0; i < std::size(order); ++i) {
    for (std::size_t j = 0; j < std::size(order); ++j) {
      EXPECT_EQ(IsMoreImportant(cluster, order[i], order[j]), i < j) << i << " and " << j;
    }
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
