#include "cel/arena.h"

#include <gtest/gtest.h>

#include <string>

namespace plimsoll::cel {
namespace {

TEST(ArenaTest, AlignsAndKeepsWhatItGaveOut) {
  Arena arena(64);
  char* const letter = arena.Allocate<char>(1);
  *letter = 'x';
  double* const numbers = arena.Allocate<double>(100);
  numbers[99] = 1.5;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers) % alignof(double), 0u);
  EXPECT_EQ(*letter, 'x');
  EXPECT_EQ(arena.bytes_used(), 801u);
  EXPECT_EQ(arena.Copy("abc"), "abc");
}

TEST(ArenaTest, AWarmArenaAsksForNothing) {
  Arena arena(64);
  const auto fill = [&](int pieces) {
    for (int i = 0; i < pieces; ++i) *arena.Allocate<char>(1000) = 'x';
  };
  fill(100);
  const std::size_t held = arena.bytes_held();
  for (int round = 0; round < 3; ++round) {
    arena.Reset();
    EXPECT_EQ(arena.bytes_held(), held);
    fill(100);
    EXPECT_EQ(arena.bytes_held(), held);
  }
  // Reset keeps only a few megabytes.
  fill(20'000);
  EXPECT_GT(arena.bytes_held(), 16u << 20);
  arena.Reset();
  EXPECT_LE(arena.bytes_held(), 8u << 20);
  // An allocation larger than the kept blocks gets a block of its own.
  arena.Allocate<char>(9u << 20)[(9u << 20) - 1] = 'x';
  arena.Allocate<char>(1)[0] = 'y';
}

TEST(ArenaTest, ResetDestroysLatestFirst) {
  std::string log;
  struct Noisy {
    std::string& log;
    char name;
    ~Noisy() { log += name; }
  };
  Arena arena;
  arena.Own<Noisy>(log, 'a');
  arena.Own<Noisy>(log, 'b');
  arena.Reset();
  EXPECT_EQ(log, "ba");
  EXPECT_EQ(arena.bytes_used(), 0u);
  arena.Own<Noisy>(log, 'c');
  Arena other(std::move(arena));
  EXPECT_EQ(log, "ba");
  other = Arena();
  EXPECT_EQ(log, "bac");
}

}  // namespace
}  // namespace plimsoll::cel
