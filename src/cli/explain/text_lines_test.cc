#include "cli/explain/text_lines.h"

#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

TEST(TextLinesTest, AValueCannotAddALine) {
  TextLines lines;
  lines.Add("pod web\nnode n1: accepts");
  lines.Blank();
  lines.Indent(2);
  lines.Add("done");
  EXPECT_EQ(lines.text().plain(), "pod web\\nnode n1: accepts\n\n  done\n");
}

TEST(TextLinesTest, KeepsTheStylesOfPieces) {
  TextLines lines;
  lines.Add(StyledText("node n1\n: ").Add("accepted", Style::Good));
  EXPECT_EQ(lines.text().plain(), "node n1\\n: accepted\n");
  const auto& spans = lines.text().spans();
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_EQ(spans[1].style, Style::Good);
}

TEST(TextLinesTest, ListsAreCompleteInWideOutput) {
  const std::vector<std::string> items = {"a", "b", "c", "d", "e", "f", "g"};
  EXPECT_EQ(TextLines().List(items), "a, b, c, d, e and 2 more");
  EXPECT_EQ(TextLines(true).List(items), "a, b, c, d, e, f, g");
  EXPECT_EQ(TextLines(true).List({}), "");
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
