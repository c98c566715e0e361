#include "base/text/hex.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(HexTest, WritesBytesAndNumbers) {
  EXPECT_EQ(HexOf(std::string_view("\x00\x7f\xff", 3)), "007fff");
  EXPECT_EQ(HexOf(""), "");
  std::string out;
  AppendHexByte('\xab', out, kUpperHexDigits);
  AppendHex(0x1234, 3, out);
  AppendHex(0xf, 4, out);
  EXPECT_EQ(out, "AB234000f");
}

}  // namespace
}  // namespace plimsoll
