#include "cli/output/display_width.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

using testing::ElementsAre;

TEST(DisplayWidthTest, CountsColumnsAndNotBytes) {
  EXPECT_EQ(DisplayWidth(""), 0U);
  EXPECT_EQ(DisplayWidth("node-1"), 6U);
  EXPECT_EQ(DisplayWidth("n\xC3\xA9"), 2U);
  EXPECT_EQ(DisplayWidth("ne\xCC\x81"), 2U) << "a combining accent";
  EXPECT_EQ(DisplayWidth("\xE8\x8A\x82\xE7\x82\xB9"), 4U) << "two Chinese characters";
  EXPECT_EQ(DisplayWidth("\xF0\x9F\x9A\x80"), 2U) << "a rocket";
  EXPECT_EQ(DisplayWidth("a \xE2\x86\x92 b"), 5U) << "an arrow";
}

struct PrintableCase {
  std::string text;
  std::string want;
};

TEST(PrintableTest, EscapesWhatControlsATerminal) {
  const PrintableCase kCases[] = {
      {"spot-1", "spot-1"},
      {"n\xC3\xA9 \xE2\x86\x92", "n\xC3\xA9 \xE2\x86\x92"},
      {"\x1b[31mred\x1b[0m", "^[[31mred^[[0m"},
      {"a\rb", "a\\rb"},
      {"a\nb\tc", "a\\nb\\tc"},
      {"bell\x07", "bell\\x07"},
      {"del\x7f", "del\\x7f"},
      {std::string("nul\0!", 5), "nul\\x00!"},
      {"\xC2\x9B"
       "31m",
       "\\u009b31m"},
      {"\xE2\x80\xAE"
       "gpj.exe",
       "\\u202egpj.exe"},
      {"\xF3\xA0\x80\x81", "\\U000e0001"},
      {"bad \xff\xc3", "bad \\xff\\xc3"},
  };
  for (const PrintableCase& one : kCases) EXPECT_EQ(Printable(one.text), one.want);
}

TEST(FoldLineTest, BreaksAtBlanksAndElseAnywhere) {
  EXPECT_THAT(FoldLine("", 10, 10), ElementsAre(""));
  EXPECT_THAT(FoldLine("short", 10, 10), ElementsAre("short"));
  EXPECT_THAT(FoldLine("exactly 10", 10, 10), ElementsAre("exactly 10"));
  EXPECT_THAT(FoldLine("one two three", 8, 8), ElementsAre("one two", "three"));
  EXPECT_THAT(FoldLine("one two three", 7, 3), ElementsAre("one two", "thr", "ee"));
  EXPECT_THAT(FoldLine("a  b", 2, 2), ElementsAre("a", "b"));
  EXPECT_THAT(FoldLine("  indented text", 10, 8), ElementsAre("  indented", "text"));
  EXPECT_THAT(FoldLine("abcdefgh", 3, 3), ElementsAre("abc", "def", "gh"));
  EXPECT_THAT(FoldLine("abc   ", 3, 3), ElementsAre("abc"));
  EXPECT_THAT(FoldLine("\xE8\x8A\x82\xE7\x82\xB9\xE7\x82\xB9", 5, 5),
              ElementsAre("\xE8\x8A\x82\xE7\x82\xB9", "\xE7\x82\xB9"));
}

}  // namespace
}  // namespace plimsoll::cli
