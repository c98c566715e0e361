#include "base/once_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace plimsoll {
namespace {

TEST(OnceCacheTest, MakesEachValueOnce) {
  OnceCache<std::string> cache;
  int made = 0;
  const auto make = [&] { return "value " + std::to_string(++made); };
  EXPECT_EQ(*cache.Get("a", make), "value 1");
  EXPECT_EQ(*cache.Get("b", make), "value 2");
  EXPECT_EQ(*cache.Get("a", make), "value 1");
  EXPECT_EQ(cache.counters(),
            (CacheCounters{.hits = 1, .misses = 2, .evictions = 0, .entries = 2, .key_bytes = 2}));
}

TEST(OnceCacheTest, ForgetsTheLeastRecentlyUsed) {
  OnceCache<int> cache({.entries_max = 2, .key_bytes_max = 100});
  cache.Get("a", [] { return 1; });
  cache.Get("b", [] { return 2; });
  cache.Get("a", [] { return 0; });
  cache.Get("c", [] { return 3; });  // evicts b
  EXPECT_EQ(*cache.Get("a", [] { return 0; }), 1);
  EXPECT_EQ(*cache.Get("b", [] { return 4; }), 4);
  EXPECT_EQ(cache.counters().evictions, 2u);
  EXPECT_EQ(cache.counters().entries, 2u);
}

TEST(OnceCacheTest, KeysHaveABoundTogether) {
  OnceCache<int> cache({.entries_max = 100, .key_bytes_max = 10});
  cache.Get("12345", [] { return 1; });
  cache.Get("6789", [] { return 2; });
  EXPECT_EQ(cache.counters().key_bytes, 9u);
  cache.Get("ab", [] { return 3; });
  EXPECT_EQ(cache.counters().key_bytes, 6u);
  // Longer than key_bytes_max: returned, but not cached.
  EXPECT_EQ(*cache.Get("12345678901", [] { return 5; }), 5);
  EXPECT_EQ(cache.counters().key_bytes, 6u);
}

TEST(OnceCacheTest, ValuesThatSayTheirSizeHaveABoundTogether) {
  struct Sized {
    std::size_t size;
    std::size_t bytes() const { return size; }
  };
  OnceCache<Sized> cache({.entries_max = 100, .key_bytes_max = 100, .value_bytes_max = 10});
  cache.Get("a", [] { return Sized{4}; });
  cache.Get("b", [] { return Sized{5}; });
  EXPECT_EQ(cache.counters().value_bytes, 9u);
  cache.Get("c", [] { return Sized{3}; });  // evicts a
  EXPECT_EQ(cache.counters().value_bytes, 8u);
  EXPECT_EQ(cache.counters().entries, 2u);
  // Larger than value_bytes_max: returned, but not cached. The others stay.
  EXPECT_EQ(cache.Get("d", [] { return Sized{11}; })->size, 11u);
  EXPECT_EQ(cache.counters().value_bytes, 8u);
  EXPECT_EQ(cache.counters().entries, 2u);
}

TEST(OnceCacheTest, WhatIsForgottenStaysWithItsHolder) {
  OnceCache<std::string> cache({.entries_max = 1, .key_bytes_max = 100});
  const auto held = cache.Get("a", [] { return std::string("kept"); });
  cache.Get("b", [] { return std::string(); });
  EXPECT_EQ(*held, "kept");
}

TEST(OnceCacheTest, ManyThreadsMakeItOnce) {
  OnceCache<int> cache;
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        cache.Get("key " + std::to_string(round), [&] { return ++made; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 100);
}

}  // namespace
}  // namespace plimsoll
