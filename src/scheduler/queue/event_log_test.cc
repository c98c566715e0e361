#include "scheduler/queue/event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plimsoll::scheduler {
namespace {

ClusterEvent Event(std::string_view label) {
  ClusterEvent event;
  event.label = label;
  return event;
}

std::vector<std::string> Replayed(const EventLog& log, PodId pod) {
  std::vector<std::string> labels;
  log.Replay(pod, [&](const ClusterEvent& event) {
    labels.emplace_back(event.label);
    return true;
  });
  return labels;
}

using Labels = std::vector<std::string>;

TEST(EventLogTest, ReplaysWhatHappenedSince) {
  EventLog log;
  log.Append(Event("nobody watches"));
  log.Watch(1);
  log.Append(Event("a"));
  log.Watch(2);
  log.Append(Event("b"));
  EXPECT_EQ(Replayed(log, 1), (Labels{"a", "b"}));
  EXPECT_EQ(Replayed(log, 2), Labels{"b"});
  EXPECT_EQ(Replayed(log, 3), Labels{});
}

TEST(EventLogTest, WhoeverStaysKeepsWhatItNeeds) {
  EventLog log;
  log.Watch(1);
  log.Append(Event("a"));
  log.Watch(2);
  log.Append(Event("b"));
  log.Unwatch(1);
  EXPECT_EQ(Replayed(log, 1), Labels{});
  EXPECT_EQ(Replayed(log, 2), Labels{"b"});
  log.Append(Event("c"));
  EXPECT_EQ(Replayed(log, 2), (Labels{"b", "c"}));
  log.Unwatch(2);
  EXPECT_TRUE(log.empty());
}

TEST(EventLogTest, WatchingAnewForgetsWhatWas) {
  EventLog log;
  log.Watch(1);
  log.Append(Event("a"));
  log.Watch(1);
  EXPECT_EQ(Replayed(log, 1), Labels{});
}

TEST(EventLogTest, CountsWhatItKeeps) {
  MetricsRegistry registry;
  SchedulerMetrics metrics(registry, {});
  EventLog log(&metrics);
  const auto counted = [&](const std::string& label, int times) {
    return testing::HasSubstr("scheduler_inflight_events{event=\"" + label + "\"} " +
                              std::to_string(times));
  };
  constexpr std::string_view kA = "a";
  log.Append(Event(kA));
  EXPECT_THAT(registry.Text(), testing::Not(testing::HasSubstr("event=\"a\"")));
  log.Watch(1);
  log.Append(Event(kA));
  log.Watch(2);
  log.Append(Event(kA));
  EXPECT_THAT(registry.Text(), testing::AllOf(counted("a", 2), counted("PodPopped", 2)));
  log.Unwatch(1);
  EXPECT_THAT(registry.Text(), testing::AllOf(counted("a", 1), counted("PodPopped", 1)));
  log.Unwatch(2);
  EXPECT_THAT(registry.Text(), testing::AllOf(counted("a", 0), counted("PodPopped", 0)));
}

TEST(EventLogTest, StopsWhenItIsToldTo) {
  EventLog log;
  log.Watch(1);
  log.Append(Event("a"));
  log.Append(Event("b"));
  int seen = 0;
  log.Replay(1, [&](const ClusterEvent&) { return ++seen < 1; });
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace plimsoll::scheduler
