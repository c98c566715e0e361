#include "codec/arena.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace plimsoll::codec {
namespace {

TEST(ArenaTest, PlacesAreAlignedAndApart) {
  Arena arena;
  char* const text = arena.Allocate<char>(3);
  std::uint64_t* const number = arena.Allocate<std::uint64_t>(2);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(number) % alignof(std::uint64_t), 0u);
  EXPECT_GE(reinterpret_cast<char*>(number), text + 3);
}

TEST(ArenaTest, GrowsByBlocksThatDouble) {
  Arena arena(100);
  const std::size_t first = arena.bytes();
  for (int count = 0; count < 10000; ++count) arena.Allocate<char>(100);
  EXPECT_GE(arena.bytes(), 1000000u);
  EXPECT_LE(arena.bytes(), 2500000u + first);
}

TEST(ArenaTest, GivesAPlaceLargerThanAnyBlock) {
  Arena arena;
  char* const large = arena.Allocate<char>(5u << 20);
  large[0] = 'a';
  large[(5u << 20) - 1] = 'z';
  EXPECT_GE(arena.bytes(), 5u << 20);
}

TEST(ArenaTest, GrowKeepsTheElements) {
  Arena arena;
  std::uint32_t capacity = 0;
  int* numbers = nullptr;
  for (std::uint32_t size = 0; size < 1000; ++size) {
    if (size == capacity) numbers = arena.Grow(numbers, size, capacity);
    numbers[size] = static_cast<int>(size);
  }
  for (int at = 0; at < 1000; ++at) ASSERT_EQ(numbers[at], at);
}

}  // namespace
}  // namespace plimsoll::codec
