#include "apiserver/server/event_expiry.h"

#include <gtest/gtest.h>

#include <string>

#include "apiserver/cache/cache_for_test.h"

namespace plimsoll::apiserver {
namespace {

TEST(EventExpiryTest, OldNewsGoes) {
  CacheFixture server;
  WorkerPool workers(1);
  const Resource& events = server.Of("events");
  server.Put(events, "default", "old", R"(,"lastTimestamp":"2026-03-01T10:59:59Z")");
  server.Put(events, "default", "repeated",
             R"(,"series":{"lastObservedTime":)"
             R"("2026-03-01T11:30:00.000000Z"})",
             R"(,"creationTimestamp":"2026-03-01T08:00:00Z")");
  server.Put(events, "default", "broken", R"(,"count":"x")");
  server.Put(events, "default", "new", "", R"(,"creationTimestamp":"2026-03-01T11:00:01Z")");
  EventExpiry expiry(server.store(), server.cache(), events, server.clock(), server.log(), workers,
                     std::chrono::hours(1));
  EXPECT_EQ(expiry.Sweep(), 2);
  EXPECT_EQ(server.cache().Get(events, "default", "old"), nullptr);
  EXPECT_EQ(server.cache().Get(events, "default", "broken"), nullptr) << "it cannot be read";
  EXPECT_NE(server.cache().Get(events, "default", "new"), nullptr);
  EXPECT_NE(server.cache().Get(events, "default", "repeated"), nullptr);
}

TEST(EventExpiryTest, ManyGoInOneSweep) {
  CacheFixture server;
  WorkerPool workers(1);
  const Resource& events = server.Of("events");
  constexpr int kCount = 200;
  for (int i = 0; i < kCount; ++i) {
    server.Put(events, "default", "e" + std::to_string(i),
               R"(,"lastTimestamp":"2026-03-01T10:59:59Z")");
  }
  EventExpiry expiry(server.store(), server.cache(), events, server.clock(), server.log(), workers,
                     std::chrono::hours(1));
  EXPECT_EQ(expiry.Sweep(), kCount);
  EXPECT_EQ(server.cache().Count(events), 0u);
  EXPECT_EQ(expiry.Sweep(), 0);
}

TEST(EventExpiryTest, WhatIsWrittenLivesItsTimeWhateverItSays) {
  CacheFixture server;
  WorkerPool workers(1);
  const Resource& events = server.Of("events");
  EventExpiry expiry(server.store(), server.cache(), events, server.clock(), server.log(), workers,
                     std::chrono::hours(1));
  EXPECT_EQ(expiry.Sweep(), 0);
  server.Put(events, "default", "late", R"(,"lastTimestamp":"2026-03-01T08:00:00Z")");
  EXPECT_EQ(expiry.Sweep(), 0);
  server.clock().Advance(std::chrono::minutes(61));
  expiry.Sweep();  // no effect if the timer has already run it
  EXPECT_EQ(server.cache().Get(events, "default", "late"), nullptr);
}

}  // namespace
}  // namespace plimsoll::apiserver
