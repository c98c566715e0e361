#include "controller/node_lifecycle/zones.h"

#include <gtest/gtest.h>

#include <chrono>

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using State = Zones::State;
using Change = Zones::Change;

constexpr Instant kStart{};

TEST(ZoneKeyTest, IsRegionAndZone) {
  EXPECT_EQ(ZoneKeyOf({}), "");
  EXPECT_EQ(
      ZoneKeyOf({{"topology.kubernetes.io/region", "r"}, {"topology.kubernetes.io/zone", "z"}}),
      std::string("r:\0:z", 5));
  EXPECT_EQ(ZoneKeyOf({{"failure-domain.beta.kubernetes.io/zone", "z"}}), std::string(":\0:z", 4));
}

TEST(EvictionLimiterTest, LetsOneThroughInAPeriod) {
  EvictionLimiter limiter(0.1);
  EXPECT_TRUE(limiter.TryAccept(kStart));
  EXPECT_FALSE(limiter.TryAccept(kStart + 9s));
  EXPECT_EQ(limiter.NextWake(), kStart + 10s);
  EXPECT_TRUE(limiter.TryAccept(kStart + 10s));
}

TEST(EvictionLimiterTest, AChangeOfTheRateIsNoWayAround) {
  EvictionLimiter limiter(0.1);
  limiter.SetRate(0.01, kStart);  // nothing was accepted yet
  EXPECT_TRUE(limiter.TryAccept(kStart));
  limiter.SetRate(0.1, kStart + 1s);
  EXPECT_FALSE(limiter.TryAccept(kStart + 1s));
  EXPECT_EQ(limiter.NextWake(), kStart + 11s);
  limiter.SetRate(0, kStart + 20s);
  EXPECT_FALSE(limiter.TryAccept(kStart + 1h));
  EXPECT_EQ(limiter.NextWake(), std::nullopt);
  limiter.SetRate(0.1, kStart + 1h);
  EXPECT_EQ(limiter.NextWake(), kStart + 1h + 10s);
}

class ZonesTest : public testing::Test {
 protected:
  MetricsRegistry metrics_;
  Zones zones_{ZoneOptions{}, metrics_};
};

struct StateCase {
  int ready = 0;
  int unhealthy = 0;
  State want = State::Normal;
};

TEST_F(ZonesTest, TheStateFollowsFromTheCounts) {
  constexpr StateCase kCases[] = {
      {1, 0, State::Normal},
      {0, 1, State::FullDisruption},
      {0, 9, State::FullDisruption},
      {1, 2, State::Normal},  // two unhealthy nodes are below the minimum of three
      {2, 3, State::PartialDisruption},
      {3, 3, State::Normal},
      {9, 11, State::PartialDisruption},  // 55 %
      {10, 12, State::Normal},
  };
  zones_.Count(zones_.Find("healthy"), 1, 0);
  for (const StateCase& test : kCases) {
    const Zones::Id zone =
        zones_.Find(std::to_string(test.ready) + "/" + std::to_string(test.unhealthy));
    zones_.Count(zone, test.ready, test.unhealthy);
    zones_.Update(kStart);
    EXPECT_EQ(zones_.state(zone), test.want) << test.ready << " " << test.unhealthy;
  }
}

TEST_F(ZonesTest, NodesTakeTurnsAtTheRateOfTheirZone) {
  const Zones::Id a = zones_.Find("a");
  const Zones::Id b = zones_.Find("b");
  for (const Zones::NodeId node : {1u, 2u, 3u}) zones_.Enqueue(a, node);
  zones_.Enqueue(a, 1);  // already queued
  zones_.Enqueue(b, 4);
  zones_.Remove(a, 2);
  EXPECT_EQ(zones_.Pop(kStart), 1u);
  EXPECT_EQ(zones_.Pop(kStart), 4u);
  EXPECT_EQ(zones_.Pop(kStart), std::nullopt);
  EXPECT_EQ(zones_.NextWake(), kStart + 10s);
  EXPECT_EQ(zones_.Pop(kStart + 10s), 3u);
  EXPECT_EQ(zones_.NextWake(), std::nullopt);
  EXPECT_NE(metrics_.Text().find("node_collector_evictions_total{zone=\"a\"} 2\n"),
            std::string::npos);
}

TEST_F(ZonesTest, ASmallZoneInPartialDisruptionIsLeftAlone) {
  const Zones::Id zone = zones_.Find("a");
  zones_.Count(zone, 2, 8);
  EXPECT_EQ(zones_.Update(kStart), Change::None);
  zones_.Enqueue(zone, 1);
  EXPECT_EQ(zones_.Pop(kStart + 1h), std::nullopt);
  zones_.Count(zone, 8, -8);
  zones_.Update(kStart + 1h);
  EXPECT_EQ(zones_.Pop(kStart + 1h + 10s), 1u);
}

TEST_F(ZonesTest, ALargeZoneInPartialDisruptionIsSlow) {
  const Zones::Id zone = zones_.Find("a");
  zones_.Count(zone, 20, 31);
  zones_.Update(kStart);
  zones_.Enqueue(zone, 1);
  zones_.Enqueue(zone, 2);
  EXPECT_EQ(zones_.Pop(kStart), 1u);
  EXPECT_EQ(zones_.NextWake(), kStart + 100s);
}

TEST_F(ZonesTest, OneZoneDownKeepsItsRateAndAllDownStops) {
  const Zones::Id a = zones_.Find("a");
  const Zones::Id b = zones_.Find("b");
  zones_.Count(a, 0, 5);
  zones_.Count(b, 1, 0);
  EXPECT_EQ(zones_.Update(kStart), Change::None);
  zones_.Enqueue(a, 1);
  zones_.Enqueue(a, 2);
  EXPECT_EQ(zones_.Pop(kStart), 1u);

  zones_.Count(b, -1, 1);
  EXPECT_EQ(zones_.Update(kStart + 5s), Change::EverythingDown);
  EXPECT_TRUE(zones_.is_everything_down());
  EXPECT_EQ(zones_.Update(kStart + 10s), Change::None);
  EXPECT_EQ(zones_.Pop(kStart + 1h), std::nullopt);

  zones_.Count(b, 1, -1);
  EXPECT_EQ(zones_.Update(kStart + 1h), Change::SomethingUp);
  EXPECT_FALSE(zones_.is_everything_down());
  EXPECT_EQ(zones_.Pop(kStart + 1h), std::nullopt);
  EXPECT_EQ(zones_.Pop(kStart + 1h + 10s), 2u);
  const std::string text = metrics_.Text();
  EXPECT_NE(text.find("node_collector_zone_size{zone=\"a\"} 5\n"), std::string::npos);
  EXPECT_NE(text.find("node_collector_zone_health{zone=\"a\"} 0\n"), std::string::npos);
  EXPECT_NE(text.find("node_collector_unhealthy_nodes_in_zone{zone=\"a\"} 5\n"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll::controller
