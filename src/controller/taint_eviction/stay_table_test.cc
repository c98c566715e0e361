#include "controller/taint_eviction/stay_table.h"

#include <gtest/gtest.h>

#include <chrono>

#include "match/costly_evaluator_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

const std::vector<api::Taint> kTaints = {
    {.key = "a", .value = "1", .effect = "NoSchedule", .time_added = {}},
    {.key = "b", .value = "2", .effect = "NoExecute", .time_added = "2026-03-01T12:00:00Z"}};

std::vector<api::Toleration> ForSeconds(std::int64_t seconds) {
  return {{.key = "b",
           .op = "Equal",
           .value = "2",
           .effect = {},
           .expression = {},
           .toleration_seconds = seconds}};
}

TEST(StayTableTest, DecidesOncePerPair) {
  StayTable table(match::TolerationTimeRules{});
  const auto taints = table.AcquireTaints(kTaints);
  std::vector<api::Taint> later = kTaints;
  later[0].value = "3";
  later[1].time_added = "2026-03-01T13:00:00Z";
  EXPECT_EQ(table.AcquireTaints(later), taints);  // other effects and timeAdded do not count
  const auto tolerations = table.AcquireTolerations(ForSeconds(60));
  EXPECT_EQ(table.AcquireTolerations(ForSeconds(60)), tolerations);
  const auto stay = table.Find(taints, tolerations);
  EXPECT_EQ(stay->limits.at(0).time, 60s);
  EXPECT_EQ(table.Find(taints, tolerations), stay);
  EXPECT_NE(table.AcquireTolerations(ForSeconds(90)), tolerations);
}

TEST(StayTableTest, GoesOnWhereItsBudgetEndedAndEvaluatesNothingTwice) {
  const match::CostlyEvaluator evaluator(10);
  match::TolerationTimeRules rules;
  rules.match.evaluator = &evaluator;
  StayTable table(rules);
  const auto taints = table.AcquireTaints(kTaints);
  std::vector<api::Toleration> tolerations;
  for (const char* expression : {"a", "b", "c", "d"}) {
    api::Toleration& one = tolerations.emplace_back();
    one.expression = expression;
  }
  const auto list = table.AcquireTolerations(tolerations);
  table.SetBudget(20);
  EXPECT_EQ(table.Find(taints, list), nullptr);
  EXPECT_EQ(table.Find(taints, list), nullptr);
  EXPECT_EQ(evaluator.evaluations(), 2u);
  table.SetBudget(20);
  const auto stay = table.Find(taints, list);
  ASSERT_NE(stay, nullptr);
  EXPECT_TRUE(stay->is_refused());
  EXPECT_EQ(evaluator.evaluations(), 4u);
}

TEST(StayTableTest, ThereMayBeNoTaintThatEvicts) {
  StayTable table(match::TolerationTimeRules{});
  EXPECT_EQ(table.AcquireTaints({}), StayTable::kNone);
  EXPECT_EQ(table.AcquireTaints(std::span(kTaints).first(1)), StayTable::kNone);
  table.ReleaseTaints(StayTable::kNone);
}

TEST(StayTableTest, AnIdThatIsUsedAgainMeansTheNewList) {
  StayTable table(match::TolerationTimeRules{});
  const auto taints = table.AcquireTaints(kTaints);
  const auto old = table.AcquireTolerations(ForSeconds(60));
  const auto kept = table.Find(taints, old);
  table.ReleaseTolerations(old);
  const auto reused = table.AcquireTolerations(ForSeconds(90));
  ASSERT_EQ(reused, old);
  EXPECT_EQ(table.Find(taints, reused)->limits.at(0).time, 90s);
  EXPECT_EQ(kept->limits.at(0).time, 60s);  // valid as long as it is referenced
  table.ReleaseTaints(taints);
  const auto others = table.AcquireTaints(
      std::vector<api::Taint>{{.key = "c", .value = {}, .effect = "NoExecute", .time_added = {}}});
  ASSERT_EQ(others, taints);
  EXPECT_TRUE(table.Find(others, reused)->is_refused());
}

TEST(StayTableTest, ListsThatAreGoneAreForgotten) {
  StayTable table(match::TolerationTimeRules{});
  const auto taints = table.AcquireTaints(kTaints);
  const auto first = table.AcquireTolerations(ForSeconds(0));
  const std::weak_ptr<const Stay> seen = table.Find(taints, first);
  for (int i = 1; i < 1'000; ++i) {
    const auto list = table.AcquireTolerations(ForSeconds(i));
    EXPECT_EQ(table.Find(taints, list)->limits.at(0).time, std::chrono::seconds(i));
    table.ReleaseTolerations(list);
  }
  EXPECT_TRUE(seen.expired());
  EXPECT_EQ(table.Find(taints, first)->limits.at(0).time, 0s);
}

}  // namespace
}  // namespace plimsoll::controller
