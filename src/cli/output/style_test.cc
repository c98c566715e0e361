#include "cli/output/style.h"

#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

constexpr StreamDevice kTerminal{.is_terminal = true, .wants_colour = true, .columns = 80};
constexpr StreamDevice kPlainTerminal{.is_terminal = true, .wants_colour = false, .columns = 80};
constexpr StreamDevice kFile{};

struct LookCase {
  StreamDevice device;
  std::string_view mode;
  bool has_colour;
  std::size_t columns;
};

TEST(StyleTest, TheFlagWinsOverTheDevice) {
  const LookCase kCases[] = {
      {kTerminal, "auto", true, 80},        {kTerminal, "never", false, 80},
      {kTerminal, "always", true, 80},      {kPlainTerminal, "auto", false, 80},
      {kPlainTerminal, "always", true, 80}, {kFile, "auto", false, 0},
      {kFile, "always", true, 0},           {kFile, "never", false, 0},
  };
  for (const LookCase& one : kCases) {
    const Look look = LookOf(one.device, ParseColourMode(one.mode));
    EXPECT_EQ(look.has_colour, one.has_colour) << one.mode;
    EXPECT_EQ(look.columns, one.columns) << one.mode;
  }
}

TEST(StyleTest, EachStyleEndsWhereItsTextEnds) {
  const Look colours{.has_colour = true};
  EXPECT_EQ(colours.Paint("accepted", Style::Good), "\x1b[32maccepted\x1b[0m");
  EXPECT_EQ(colours.Paint("refused", Style::Bad), "\x1b[31mrefused\x1b[0m");
  EXPECT_EQ(colours.Paint("hint", Style::Warning), "\x1b[33mhint\x1b[0m");
  EXPECT_EQ(colours.Paint("NODE", Style::Heading), "\x1b[1mNODE\x1b[0m");
  EXPECT_EQ(colours.Paint("n1", Style::Plain), "n1");
  EXPECT_EQ(colours.Paint("", Style::Bad), "");
  EXPECT_EQ(Look().Paint("refused", Style::Bad), "refused");
}

}  // namespace
}  // namespace plimsoll::cli
