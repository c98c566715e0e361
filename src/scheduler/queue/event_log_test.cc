#include "scheduler/queue/event_log.h"

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
  log.Note(Event("nobody watches"));
  log.Watch(1);
  log.Note(Event("a"));
  log.Watch(2);
  log.Note(Event("b"));
  EXPECT_EQ(Replayed(log, 1), (Labels{"a", "b"}));
  EXPECT_EQ(Replayed(log, 2), Labels{"b"});
  EXPECT_EQ(Replayed(log, 3), Labels{});
}

TEST(EventLogTest, WhoeverStaysKeepsWhatItNeeds) {
  EventLog log;
  log.Watch(1);
  log.Note(Event("a"));
  log.Watch(2);
  log.Note(Event("b"));
  log.Unwatch(1);
  EXPECT_EQ(Replayed(log, 1), Labels{});
  EXPECT_EQ(Replayed(log, 2), Labels{"b"});
  log.Note(Event("c"));
  EXPECT_EQ(Replayed(log, 2), (Labels{"b", "c"}));
  log.Unwatch(2);
  EXPECT_TRUE(log.empty());
}

TEST(EventLogTest, WatchingAnewForgetsWhatWas) {
  EventLog log;
  log.Watch(1);
  log.Note(Event("a"));
  log.Watch(1);
  EXPECT_EQ(Replayed(log, 1), Labels{});
}

TEST(EventLogTest, StopsWhenItIsToldTo) {
  EventLog log;
  log.Watch(1);
  log.Note(Event("a"));
  log.Note(Event("b"));
  int seen = 0;
  log.Replay(1, [&](const ClusterEvent&) { return ++seen < 1; });
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace plimsoll::scheduler
