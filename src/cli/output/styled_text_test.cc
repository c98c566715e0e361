#include "cli/output/styled_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

namespace plimsoll::cli {
namespace {

std::string Written(const StyledText& text, const Look& look) {
  std::ostringstream out;
  Write(text, look, out);
  return out.str();
}

StyledText Verdict() {
  StyledText text;
  text.Add(fmt::format("node {}: ", "spot-1"))
      .Add("refused", Style::Bad)
      .Add("\n  the taint is too high\n");
  return text;
}

TEST(StyledTextTest, IsPlainWithoutColours) {
  EXPECT_EQ(Written(Verdict(), {}), "node spot-1: refused\n  the taint is too high\n");
  EXPECT_EQ(Verdict().plain(), "node spot-1: refused\n  the taint is too high\n");
  EXPECT_EQ(Written({}, {}), "");
}

TEST(StyledTextTest, ColoursOnlyThePiecesWithAStyle) {
  EXPECT_EQ(Written(Verdict(), {.has_colour = true}),
            "node spot-1: \x1b[31mrefused\x1b[0m\n  the taint is too high\n");
}

TEST(StyledTextTest, FoldsWithAHangingIndent) {
  EXPECT_EQ(Written(Verdict(), {.columns = 20}),
            "node spot-1: refused\n  the taint is too\n      high\n");
  StyledText entry("a   ");
  entry.AddHanging("one two three").Add(" four\nb   five six");
  EXPECT_EQ(Written(entry, {.columns = 11}), "a   one two\n    three\n    four\nb   five\n    six");
}

TEST(StyledTextTest, AStyleContinuesInTheFoldedLine) {
  StyledText text("see ");
  text.Add("one two", Style::Good);
  EXPECT_EQ(Written(text, {.has_colour = true, .columns = 8}),
            "see \x1b[32mone\x1b[0m\n    \x1b[32mtwo\x1b[0m");
}

TEST(StyledTextTest, NoTextOfAUserControlsTheTerminal) {
  StyledText text;
  text.Add(fmt::format("pod {}", "\x1b]0;owned\x07"), Style::Good).Add("\tend\r\n");
  EXPECT_EQ(Written(text, {.has_colour = true}), "\x1b[32mpod ^[]0;owned\\x07\x1b[0m\tend\\r\n");
}

}  // namespace
}  // namespace plimsoll::cli
