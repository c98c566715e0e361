#include "cel/library/regex_group.h"

#include <gtest/gtest.h>

namespace plimsoll::cel {
namespace {

TEST(RegexGroupTest, FindsNamesHoweverTheyAreWritten) {
  EXPECT_EQ(FindUnicodeGroup("L"), "L");
  EXPECT_EQ(FindUnicodeGroup("Greek"), "Greek");
  EXPECT_EQ(FindUnicodeGroup("old-north arabian"), "Old_North_Arabian");
  EXPECT_EQ(FindUnicodeGroup("uppercaseletter"), "Lu");
  EXPECT_EQ(FindUnicodeGroup("any"), "Any");
  EXPECT_EQ(FindUnicodeGroup("LL "), "Ll");
  for (const char* const name : {"", "Foo", "Greekk", "_"}) {
    EXPECT_EQ(FindUnicodeGroup(name), "") << name;
  }
}

}  // namespace
}  // namespace plimsoll::cel
