#include "apiserver/fairness/priority_level.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/virtual_clock.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::seconds;
using Outcome = Seat::Outcome;

class PriorityLevelTest : public testing::Test {
 protected:
  void Use(bool is_exempt, std::optional<QueueConfig> queuing, std::uint32_t seats) {
    LevelConfig config;
    config.name = "level";
    config.is_exempt = is_exempt;
    config.queuing = queuing;
    level_ = std::make_shared<PriorityLevel>(is_exempt, clock_, metrics_.OfLevel("level"));
    level_->Configure(config, {seats, seats, seats});
    FlowConfig flow;
    flow.name = "flow";
    flow_ = std::make_shared<const Flow>(
        Flow{flow, "level", "uid", level_, metrics_.OfFlow("flow", "level")});
  }

  std::shared_ptr<Seat> NewSeat(std::uint32_t width = 1) {
    return std::make_shared<Seat>(flow_, std::make_shared<const ApiRequest>(), width, 7);
  }

  Outcome Take(const std::shared_ptr<Seat>& seat) {
    return seat->Acquire(seconds(15), [this](Outcome later) { later_.push_back(later); });
  }

  bool Shows(std::string_view text) { return registry_.Text().contains(text); }

  VirtualClock clock_;
  MetricsRegistry registry_;
  FairnessMetrics metrics_{registry_};
  std::shared_ptr<PriorityLevel> level_;
  std::shared_ptr<const Flow> flow_;
  std::vector<Outcome> later_;
};

constexpr QueueConfig kOneQueue{.queues = 1, .hand_size = 1, .length_limit = 2};

TEST_F(PriorityLevelTest, ASeatIsFreeAgainWhenItsHolderIsGone) {
  Use(false, std::nullopt, 1);
  auto first = NewSeat();
  EXPECT_EQ(Take(first), Outcome::Seated);
  EXPECT_EQ(Take(NewSeat()), Outcome::Refused);
  first = nullptr;
  EXPECT_EQ(Take(NewSeat()), Outcome::Seated);
  EXPECT_TRUE(Shows(R"(apiserver_flowcontrol_rejected_requests_total{flow_schema="flow",)"
                    R"(priority_level="level",reason="concurrency-limit"} 1)"));
  EXPECT_TRUE(Shows(R"(apiserver_flowcontrol_dispatched_requests_total{flow_schema="flow",)"
                    R"(priority_level="level"} 2)"));
  EXPECT_TRUE(Shows(R"(apiserver_flowcontrol_current_executing_requests{flow_schema="flow",)"
                    R"(priority_level="level"} 0)"));
}

TEST_F(PriorityLevelTest, AnExemptLevelNeverRefuses) {
  Use(true, std::nullopt, 0);
  std::vector<std::shared_ptr<Seat>> seats;
  for (int i = 0; i < 100; ++i) {
    seats.push_back(NewSeat(10));
    EXPECT_EQ(Take(seats.back()), Outcome::Seated);
  }
}

TEST_F(PriorityLevelTest, AWaitingRequestGetsTheSeatThatIsGivenBack) {
  Use(false, kOneQueue, 1);
  const auto first = NewSeat();
  auto second = NewSeat();
  EXPECT_EQ(Take(first), Outcome::Seated);
  EXPECT_EQ(Take(second), Outcome::Waiting);
  EXPECT_TRUE(Shows(R"(apiserver_flowcontrol_current_inqueue_requests{flow_schema="flow",)"
                    R"(priority_level="level"} 1)"));
  const std::weak_ptr<Seat> watched = second;
  second = nullptr;
  EXPECT_FALSE(watched.expired()) << "it keeps itself alive while it waits";
  clock_.Advance(seconds(2));
  first->Release();
  EXPECT_THAT(later_, testing::ElementsAre(Outcome::Seated));
  EXPECT_TRUE(watched.expired());
  clock_.Advance(seconds(60));
  EXPECT_EQ(later_.size(), 1U) << "the time-out finds nothing to do";
}

TEST_F(PriorityLevelTest, AFullQueueRefuses) {
  Use(false, kOneQueue, 1);
  const auto first = NewSeat();
  Take(first);
  EXPECT_EQ(Take(NewSeat()), Outcome::Waiting);
  EXPECT_EQ(Take(NewSeat()), Outcome::Waiting);
  EXPECT_EQ(Take(NewSeat()), Outcome::Refused);
  EXPECT_TRUE(Shows(R"(priority_level="level",reason="queue-full"} 1)"));
}

TEST_F(PriorityLevelTest, PatienceEnds) {
  Use(false, kOneQueue, 1);
  const auto first = NewSeat();
  const auto second = NewSeat();
  Take(first);
  Take(second);
  clock_.Advance(seconds(14));
  EXPECT_TRUE(later_.empty());
  clock_.Advance(seconds(1));
  EXPECT_THAT(later_, testing::ElementsAre(Outcome::Refused));
  EXPECT_TRUE(Shows(R"(priority_level="level",reason="time-out"} 1)"));
  first->Release();
  EXPECT_EQ(later_.size(), 1U);
}

TEST_F(PriorityLevelTest, ASeatCanBeTakenTwiceAndEachWaitHasItsOwnTime) {
  Use(false, kOneQueue, 1);
  const auto first = NewSeat();
  const auto second = NewSeat();
  Take(second);
  second->Release();
  second->Release();
  Take(first);
  EXPECT_EQ(Take(second), Outcome::Waiting);
  clock_.Advance(seconds(10));
  first->Release();
  EXPECT_THAT(later_, testing::ElementsAre(Outcome::Seated));
  second->Release();
  Take(first);
  EXPECT_EQ(Take(second), Outcome::Waiting);
  clock_.Advance(seconds(10));
  EXPECT_EQ(later_.size(), 1U) << "the first wait's time-out is not the second's";
  clock_.Advance(seconds(5));
  EXPECT_THAT(later_, testing::ElementsAre(Outcome::Seated, Outcome::Refused));
}

TEST_F(PriorityLevelTest, MoreSeatsLetWaitingRequestsIn) {
  Use(false, kOneQueue, 1);
  const auto first = NewSeat();
  const auto second = NewSeat();
  Take(first);
  Take(second);
  level_->SetLimit(2);
  EXPECT_THAT(later_, testing::ElementsAre(Outcome::Seated));
}

TEST_F(PriorityLevelTest, AClosedLevelLetsNobodyWait) {
  Use(false, kOneQueue, 1);
  const auto first = NewSeat();
  Take(first);
  Take(NewSeat());
  Take(NewSeat());
  level_->Close();
  EXPECT_THAT(later_, testing::ElementsAre(Outcome::Refused, Outcome::Refused));
  EXPECT_EQ(Take(NewSeat()), Outcome::Refused);
  EXPECT_TRUE(Shows(R"(apiserver_flowcontrol_current_inqueue_requests{flow_schema="flow",)"
                    R"(priority_level="level"} 0)"));
}

TEST_F(PriorityLevelTest, ClaimsWhatItNeeded) {
  Use(false, kOneQueue, 1);
  const auto first = NewSeat();
  const auto second = NewSeat();
  Take(first);
  Take(second);
  clock_.Advance(seconds(10));
  const SeatClaim claim = level_->Claim();
  EXPECT_DOUBLE_EQ(claim.high_watermark, 2);
  EXPECT_DOUBLE_EQ(claim.target, 2);
  level_->Sample();
  EXPECT_TRUE(Shows(R"(apiserver_flowcontrol_priority_level_seat_utilization_count)"
                    R"({phase="executing",priority_level="level"} 1)"));
}

}  // namespace
}  // namespace plimsoll::apiserver
