#include "base/cpu_profile.h"

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace plimsoll {
namespace {

/// Spends CPU time until the profile has `samples` samples.
void Burn(const CpuProfile& profile, std::uint64_t samples) {
  volatile std::uint64_t sum = 0;
  while (profile.samples() < samples) {
    for (int i = 0; i < 100'000; ++i) sum = sum + static_cast<std::uint64_t>(i);
  }
}

std::vector<std::uintptr_t> WordsOf(const std::string& profile, std::size_t count) {
  std::vector<std::uintptr_t> words(count);
  std::memcpy(words.data(), profile.data(), count * sizeof(std::uintptr_t));
  return words;
}

TEST(CpuProfileTest, HoldsSamplesInTheFormatOfPprof) {
  auto profile = CpuProfile::Begin();
  ASSERT_TRUE(profile.has_value());
  std::atomic<bool> is_done = false;
  std::thread other([&] {
    Burn(**profile, 5);
    is_done = true;
  });
  Burn(**profile, 5);
  other.join();
  EXPECT_TRUE(is_done);
  const std::string text = (*profile)->Finish();
  const std::vector<std::uintptr_t> words = WordsOf(text, 7);
  EXPECT_EQ(words[0], 0U);
  EXPECT_EQ(words[1], 3U);
  EXPECT_EQ(words[3], 10'000U);  // microseconds between samples
  EXPECT_EQ(words[5], 1U);       // the first record stands for one sample …
  EXPECT_GE(words[6], 1U);       // … with this many addresses
  EXPECT_TRUE(text.contains("[stack]")) << "mappings follow the samples";
}

TEST(CpuProfileTest, IsTakenOneAtATime) {
  auto first = CpuProfile::Begin();
  ASSERT_TRUE(first.has_value());
  const auto second = CpuProfile::Begin();
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().reason, Reason::Conflict);
  first->reset();
  EXPECT_TRUE(CpuProfile::Begin().has_value());
}

}  // namespace
}  // namespace plimsoll
