#include "apiserver/cache/event_ring.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/cache/cache_for_test.h"

namespace plimsoll::apiserver {
namespace {

class EventRingTest : public testing::Test {
 protected:
  std::shared_ptr<const CacheEvent> Event(std::int64_t revision, bool has_before = false) {
    auto event = std::make_shared<CacheEvent>();
    event->revision = store::Revision{revision};
    event->now = *StoredObject::Make(*table_.Find("", "v1", "nodes"),
                                     R"({"kind":"Node","metadata":{"name":"n"}})",
                                     store::Revision{revision});
    if (has_before) event->before = event->now->At(store::Revision{revision - 1});
    return event;
  }
  static std::string After(const EventRing& ring, std::int64_t revision) {
    std::string out;
    ring.ForEachAfter(store::Revision{revision}, [&](const EventRing::Pointer& event) {
      out += fmt::format("{} ", store::Number(event->revision));
    });
    return out;
  }
  ResourceTable table_;
};

TEST_F(EventRingTest, KeepsTheLatestByCount) {
  EventRing ring({.events_max = 3});
  ring.Reset(store::Revision{4});
  EXPECT_EQ(store::Number(ring.floor()), 4);
  for (const int revision : {5, 8, 9}) ring.Push(Event(revision), kTestStart);
  EXPECT_EQ(store::Number(ring.floor()), 4);
  EXPECT_EQ(After(ring, 4), "5 8 9 ");
  EXPECT_EQ(After(ring, 7), "8 9 ");
  EXPECT_EQ(After(ring, 9), "");
  ring.Push(Event(10), kTestStart);
  EXPECT_EQ(store::Number(ring.floor()), 5);
  EXPECT_EQ(After(ring, 0), "8 9 10 ");
}

TEST_F(EventRingTest, ForgetsWhatIsOld) {
  EventRing ring({.age_min = std::chrono::seconds(60)});
  ring.Push(Event(1), kTestStart);
  ring.Push(Event(2), kTestStart + std::chrono::seconds(60));
  EXPECT_EQ(ring.size(), 2u);
  ring.Push(Event(3), kTestStart + std::chrono::seconds(61));
  EXPECT_EQ(After(ring, 0), "2 3 ");
}

TEST_F(EventRingTest, ForgetsWhatTakesTooMuch) {
  EventRing ring({.bytes_max = 2000});
  for (int revision = 1; revision < 50; ++revision) ring.Push(Event(revision, true), kTestStart);
  EXPECT_GT(ring.size(), 0u);
  EXPECT_LT(ring.size(), 10u);
}

}  // namespace
}  // namespace plimsoll::apiserver
