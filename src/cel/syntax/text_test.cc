#include "cel/syntax/text.h"

#include <gtest/gtest.h>

namespace plimsoll::cel {
namespace {

TEST(TextTest, BytesThatAreNoUtf8AreReplacedOneByOne) {
  EXPECT_EQ(ToUtf8("aé日😀"), "aé日😀");
  EXPECT_EQ(ToUtf8("\xff"), "\uFFFD");
  EXPECT_EQ(ToUtf8("a\xe6\x97z"), "a\uFFFD\uFFFDz");
  EXPECT_EQ(ToUtf8("\xc0\x80"), "\uFFFD\uFFFD");                      // overlong
  EXPECT_EQ(ToUtf8("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");            // surrogate
  EXPECT_EQ(ToUtf8("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // too large
}

TEST(TextTest, CodePointsAreWrittenInOneToFourBytes) {
  std::string out;
  for (const char32_t point : {U'a', U'é', U'日', U'😀'}) AppendUtf8(point, out);
  EXPECT_EQ(out, "aé日😀");
  EXPECT_EQ(CountPoints(out), 4u);
  EXPECT_EQ(Utf8Bytes(out, 3), 3u);
}

}  // namespace
}  // namespace plimsoll::cel
