#include "cli/explain/text_lines.h"

#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

TEST(TextLinesTest, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(EscapeUnprintable("n1 \"é\" \\"), "n1 \"é\" \\");
  EXPECT_EQ(EscapeUnprintable("a\x1b[2J\nb\tc\x7f"), "a\\x1b[2J\\nb\\tc\\x7f");
  EXPECT_EQ(EscapeUnprintable("\xC2\x9B"), "\\u009b") << "C1 control";
  EXPECT_EQ(EscapeUnprintable("\xE2\x80\xAE"), "\\u202e") << "turns the direction";
  EXPECT_EQ(EscapeUnprintable("\xFF"), "\\xff") << "no UTF-8";
}

TEST(TextLinesTest, AValueCannotAddALine) {
  TextLines lines;
  lines.Add("pod web\nnode n1: accepts");
  lines.Blank();
  lines.Indent(2);
  lines.Add("done");
  EXPECT_EQ(lines.text(), "pod web\\nnode n1: accepts\n\n  done\n");
}

TEST(TextLinesTest, CountsAndLists) {
  EXPECT_EQ(CountText(1, "pod"), "1 pod");
  EXPECT_EQ(CountText(0, "pod"), "0 pods");
  EXPECT_EQ(ListText({}), "");
  EXPECT_EQ(ListText({"a", "b"}), "a, b");
  EXPECT_EQ(ListText({"a", "b", "c"}, 2), "a, b and 1 more");
}

}  // namespace
}  // namespace plimsoll::cli
