#include "apiserver/fairness/seat_demand.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

using std::chrono::seconds;

TEST(SeatDemandTest, WeighsDemandByTime) {
  SeatDemand demand{Instant{}};
  demand.Set(4, Instant{} + seconds(2));
  demand.Set(0, Instant{} + seconds(4));
  const DemandStats stats = demand.EndPeriod(Instant{} + seconds(8));
  EXPECT_DOUBLE_EQ(stats.average, 1);
  EXPECT_NEAR(stats.deviation, 1.7320508, 1e-6);
  EXPECT_DOUBLE_EQ(stats.high_watermark, 4);
}

TEST(SeatDemandTest, APeriodBeginsWithTheDemandOfTheLast) {
  SeatDemand demand{Instant{}};
  demand.Set(9, Instant{});
  demand.Set(3, Instant{} + seconds(1));
  demand.EndPeriod(Instant{} + seconds(2));
  const DemandStats stats = demand.EndPeriod(Instant{} + seconds(4));
  EXPECT_DOUBLE_EQ(stats.average, 3);
  EXPECT_DOUBLE_EQ(stats.deviation, 0);
  EXPECT_DOUBLE_EQ(stats.high_watermark, 3);
}

TEST(SeatDemandTest, ATimeThatGoesBackChangesNothing) {
  SeatDemand demand{Instant{} + seconds(10)};
  demand.Set(2, Instant{} + seconds(5));
  EXPECT_DOUBLE_EQ(demand.EndPeriod(Instant{} + seconds(10)).average, 2);
}

}  // namespace
}  // namespace plimsoll::apiserver
