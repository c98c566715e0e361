#include "base/text/trim.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(TrimTest, RemovesBothEndsOnly) {
  EXPECT_EQ(TrimSpaces("  a b "), "a b");
  EXPECT_EQ(TrimSpaces("\t a\t"), "\t a\t");
  EXPECT_EQ(TrimBlanks("\t a b\t"), "a b");
  EXPECT_EQ(TrimBlanks("\r\n\v\fa\n"), "\r\n\v\fa\n");
  EXPECT_EQ(TrimWhiteSpace(" \t\r\n\v\fa b\n"), "a b");
  EXPECT_EQ(TrimSpaces("  "), "");
  EXPECT_EQ(TrimSpaces(""), "");
}

}  // namespace
}  // namespace plimsoll
