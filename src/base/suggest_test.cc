#include "base/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace plimsoll {
namespace {

TEST(EditDistanceTest, CountsLetters) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("check", "check"), 0u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("chek", "check"), 1u);
  EXPECT_EQ(EditDistance("hceck", "check"), 1u);  // neighbours swapped
  EXPECT_EQ(EditDistance("match", "check"), 4u);
}

TEST(NearestTest, OffersTheLikelyWordOrNone) {
  const std::vector<std::string> known{"check", "match", "version"};
  EXPECT_EQ(Nearest("chekc", known), "check");
  EXPECT_EQ(Nearest("mach", known), "match");
  EXPECT_EQ(Nearest("frobnicate", known), std::nullopt);
  EXPECT_EQ(Nearest("", known), std::nullopt);
  EXPECT_EQ(Nearest(std::string(10'000, 'x'), known), std::nullopt);
}

}  // namespace
}  // namespace plimsoll
