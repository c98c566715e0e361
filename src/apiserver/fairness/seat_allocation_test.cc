#include "apiserver/fairness/seat_allocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace plimsoll::apiserver {
namespace {

LevelConfig ShareLevel(std::string name, int shares, int lendable,
                       std::optional<int> borrowing = {}) {
  LevelConfig level;
  level.name = std::move(name);
  level.is_exempt = level.name == "exempt";
  level.nominal_shares = shares;
  level.lendable_percent = lendable;
  level.borrowing_percent = borrowing;
  return level;
}

TEST(SeatAllocationTest, DefaultLevelsGetUpstreamsSeats) {
  const std::vector<LevelConfig> levels = {
      ShareLevel("exempt", 0, 0),           ShareLevel("system", 30, 33),
      ShareLevel("node-high", 40, 25),      ShareLevel("leader-election", 10, 0),
      ShareLevel("workload-high", 40, 50),  ShareLevel("workload-low", 100, 90),
      ShareLevel("global-default", 20, 50), ShareLevel("catch-all", 5, 0)};
  EXPECT_THAT(NominalSeats(levels, 600),
              testing::ElementsAre(SeatBounds{0, 0, 600}, SeatBounds{74, 50, 674},
                                   SeatBounds{98, 73, 698}, SeatBounds{25, 25, 625},
                                   SeatBounds{98, 49, 698}, SeatBounds{245, 24, 845},
                                   SeatBounds{49, 24, 649}, SeatBounds{13, 13, 613}));
}

TEST(SeatAllocationTest, BorrowingHasALimit) {
  const std::vector<LevelConfig> levels = {ShareLevel("a", 1, 0, 50), ShareLevel("b", 1, 100, 0)};
  EXPECT_THAT(NominalSeats(levels, 100),
              testing::ElementsAre(SeatBounds{50, 50, 75}, SeatBounds{50, 0, 50}));
}

TEST(SeatAllocationTest, WithoutSharesThereAreNoSeats) {
  const std::vector<LevelConfig> levels = {ShareLevel("a", 0, 0)};
  EXPECT_THAT(NominalSeats(levels, 100), testing::ElementsAre(SeatBounds{0, 0, 100}));
}

struct WidestCase {
  std::uint32_t nominal;
  std::uint32_t want;
};

TEST(SeatAllocationTest, ARequestTakesASmallPartOfALevel) {
  for (const WidestCase& test : {WidestCase{0, 1}, WidestCase{1, 1}, WidestCase{13, 2},
                                 WidestCase{49, 8}, WidestCase{245, 10}}) {
    EXPECT_EQ(WidestRequest(test.nominal), test.want) << test.nominal;
  }
}

struct DivisionCase {
  std::string name;
  std::vector<SeatClaim> claims;
  std::uint32_t total;
  std::vector<std::uint32_t> want;
};

class SeatDivisionTest : public testing::TestWithParam<DivisionCase> {};

TEST_P(SeatDivisionTest, DividesSo) {
  const SeatDivision division = DivideSeats(GetParam().claims, GetParam().total);
  EXPECT_THAT(division.limits, testing::ElementsAreArray(GetParam().want));
}

constexpr SeatBounds kHalf{.nominal = 50, .lower = 25, .upper = 150};

INSTANTIATE_TEST_SUITE_P(
    All, SeatDivisionTest,
    testing::ValuesIn<DivisionCase>({
        {"EqualDemand", {{false, kHalf, 50, 50}, {false, kHalf, 50, 50}}, 100, {50, 50}},
        {"AnIdleLevelLends", {{false, kHalf, 100, 100}, {false, kHalf, 0, 0}}, 100, {75, 25}},
        {"RecentNeedIsKept", {{false, kHalf, 100, 100}, {false, kHalf, 40, 10}}, 100, {60, 40}},
        {"BothIdle", {{false, kHalf, 0, 0}, {false, kHalf, 0, 0}}, 100, {50, 50}},
        {"TheUpperBoundHolds",
         {{false, {50, 25, 60}, 90, 90}, {false, kHalf, 0, 0}},
         100,
         {60, 40}},
        {"ExemptRequestsComeFirst",
         {{true, {20, 20, 100}, 20, 20}, {false, {80, 40, 180}, 90, 90}},
         100,
         {20, 80}},
        {"FloorsAboveTheTotal",
         {{false, {60, 60, 100}, 0, 0}, {false, {60, 60, 100}, 0, 0}},
         100,
         {60, 60}},
    }),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace plimsoll::apiserver
