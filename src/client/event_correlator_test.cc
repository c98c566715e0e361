#include "client/event_correlator.h"

#include <gtest/gtest.h>

#include "client/fake_server_for_test.h"
#include "client/limits.h"

namespace plimsoll::client {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

Event AnEvent(std::string message, Instant now, std::string object = "web") {
  static int number = 0;
  Event event{.regarding = {.api_version = "v1",
                            .kind = "Pod",
                            .namespace_ = "default",
                            .name = object,
                            .uid = object},
              .type = EventType::Warning,
              .reason = "Failed",
              .message = std::move(message),
              .source = {.component = "scheduler", .host = "h"},
              .name = object + "." + std::to_string(++number),
              .first = now,
              .last = now};
  return event;
}

class EventCorrelatorTest : public testing::Test {
 protected:
  Instant now_{seconds(1'700'000'000)};
  EventCorrelator correlator_;
};

TEST_F(EventCorrelatorTest, TheSameAgainCountsUpTheFirst) {
  const auto first = correlator_.Correlate(AnEvent("m", now_), now_);
  ASSERT_TRUE(first.has_value());
  EXPECT_TRUE(first->is_new);
  EXPECT_EQ(first->event.count, 1);
  const Instant later = now_ + seconds(30);
  const auto again = correlator_.Correlate(AnEvent("m", later), later);
  ASSERT_TRUE(again.has_value());
  EXPECT_FALSE(again->is_new);
  EXPECT_EQ(again->event.name, first->event.name);
  EXPECT_EQ(again->event.count, 2);
  EXPECT_EQ(again->event.first, now_);
  EXPECT_EQ(CoreEventPatch(again->event),
            R"({"count":2,"lastTimestamp":"2023-11-14T22:13:50Z","message":"m"})");
}

TEST_F(EventCorrelatorTest, ForgetsTheEventThatWasUsedLeastRecently) {
  correlator_.Correlate(AnEvent("m", now_), now_);
  for (std::size_t i = 1; i < kRememberedEventsMax; ++i) {
    correlator_.Correlate(AnEvent("m", now_, "pod-" + std::to_string(i)), now_);
  }
  EXPECT_FALSE(correlator_.Correlate(AnEvent("m", now_), now_)->is_new);
  correlator_.Correlate(AnEvent("m", now_, "one more"), now_);
  EXPECT_FALSE(correlator_.Correlate(AnEvent("m", now_), now_)->is_new);
  EXPECT_TRUE(correlator_.Correlate(AnEvent("m", now_, "pod-1"), now_)->is_new);
}

TEST_F(EventCorrelatorTest, WhatDiffersInAnythingIsAnother) {
  correlator_.Correlate(AnEvent("m", now_), now_);
  Event other = AnEvent("m", now_);
  other.reason = "Other";
  EXPECT_TRUE(correlator_.Correlate(other, now_)->is_new);
  other.type = EventType::Normal;
  EXPECT_TRUE(correlator_.Correlate(other, now_)->is_new);
  EXPECT_TRUE(correlator_.Correlate(AnEvent("n", now_), now_)->is_new);
  EXPECT_TRUE(correlator_.Correlate(AnEvent("m", now_, "other"), now_)->is_new);
}

TEST_F(EventCorrelatorTest, FromTheTenthMessageOnTheyAreCombined) {
  for (int i = 1; i < 10; ++i) {
    const auto outcome = correlator_.Correlate(AnEvent("m" + std::to_string(i), now_), now_);
    EXPECT_EQ(outcome->event.message, "m" + std::to_string(i));
    EXPECT_TRUE(outcome->is_new);
  }
  const auto tenth = correlator_.Correlate(AnEvent("m10", now_), now_);
  EXPECT_EQ(tenth->event.message, "(combined from similar events): m10");
  EXPECT_TRUE(tenth->is_new);
  const auto next = correlator_.Correlate(AnEvent("m11", now_), now_);
  EXPECT_EQ(next->event.message, "(combined from similar events): m11");
  EXPECT_FALSE(next->is_new);
  EXPECT_EQ(next->event.count, 2);
  EXPECT_EQ(next->event.name, tenth->event.name);

  // After ten minutes without an event, they are written one by one again.
  now_ += minutes(10) + seconds(1);
  EXPECT_EQ(correlator_.Correlate(AnEvent("m12", now_), now_)->event.message, "m12");
}

TEST_F(EventCorrelatorTest, OfOneObjectTwentyFivePassAndThenOneInFiveMinutes) {
  for (int i = 0; i < 25; ++i) EXPECT_TRUE(correlator_.Correlate(AnEvent("m", now_), now_));
  EXPECT_FALSE(correlator_.Correlate(AnEvent("m", now_), now_));
  EXPECT_TRUE(correlator_.Correlate(AnEvent("m", now_, "other"), now_));
  now_ += minutes(5) - seconds(1);
  EXPECT_FALSE(correlator_.Correlate(AnEvent("m", now_), now_));
  now_ += seconds(1);
  const auto passed = correlator_.Correlate(AnEvent("m", now_), now_);
  ASSERT_TRUE(passed.has_value());
  EXPECT_EQ(passed->event.count, 28);  // includes the events that were held back
  EXPECT_FALSE(correlator_.Correlate(AnEvent("m", now_), now_));
}

class SeriesCorrelatorTest : public testing::Test {
 protected:
  std::optional<EventOutcome> Correlate(std::string message) {
    return correlator_.Correlate(AnEvent(std::move(message), now_), now_);
  }

  Instant now_{seconds(1'700'000'000)};
  SeriesCorrelator correlator_;
};

TEST_F(SeriesCorrelatorTest, ASeriesIsToldWhenItBeginsAndThenOnceAMinute) {
  const auto first = Correlate("m");
  ASSERT_TRUE(first && first->is_new);
  now_ += seconds(1);
  const auto second = Correlate("m");
  ASSERT_TRUE(second && !second->is_new);
  EXPECT_EQ(second->event.name, first->event.name);
  EXPECT_EQ(second->event.count, 2);
  now_ += seconds(59);
  EXPECT_FALSE(Correlate("m"));
  now_ += seconds(1);
  EXPECT_EQ(Correlate("m")->event.count, 4);
  EXPECT_TRUE(Correlate("another message")->is_new);
}

TEST_F(SeriesCorrelatorTest, AfterSixQuietMinutesItIsANewOne) {
  Correlate("m");
  now_ += minutes(6);
  EXPECT_FALSE(Correlate("m")->is_new);
  now_ += minutes(6) + seconds(1);
  const auto anew = Correlate("m");
  ASSERT_TRUE(anew && anew->is_new);
  EXPECT_EQ(anew->event.count, 1);
}

TEST(LruMapTest, ForgetsWhatWasNotUsedForLongest) {
  LruMap<int> map(2);
  map["a"] = 1;
  map["b"] = 2;
  EXPECT_EQ(*map.Find("a"), 1);
  map["c"] = 3;
  EXPECT_EQ(map.size(), 2u);
  EXPECT_EQ(map.Find("b"), nullptr);
  EXPECT_EQ(*map.Find("a"), 1);
  EXPECT_EQ(map["c"], 3);
}

}  // namespace
}  // namespace plimsoll::client
