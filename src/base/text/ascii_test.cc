#include "base/text/ascii.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(AsciiTest, LowersLettersAlone) {
  EXPECT_EQ(Lowered("AZaz09-\xC3\x84@[`{"), "azaz09-\xC3\x84@[`{");
  EXPECT_EQ(Lowered(""), "");
}

TEST(AsciiTest, ReadsHexDigits) {
  EXPECT_EQ(HexDigit('0'), 0);
  EXPECT_EQ(HexDigit('9'), 9);
  EXPECT_EQ(HexDigit('a'), 10);
  EXPECT_EQ(HexDigit('F'), 15);
  for (const char c : {'g', 'G', '/', ':', '@', '`', '\0', '\xFF'}) {
    EXPECT_FALSE(IsHexDigit(c)) << static_cast<int>(c);
  }
}

}  // namespace
}  // namespace plimsoll
