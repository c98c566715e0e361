#include "cli/output/table.h"

#include <gtest/gtest.h>

#include <sstream>

namespace plimsoll::cli {
namespace {

std::string Printed(const std::vector<std::string>& header,
                    const std::vector<std::vector<Cell>>& rows, const Look& look = {}) {
  std::ostringstream out;
  PrintTable(header, rows, look, out);
  return out.str();
}

TEST(TableTest, PadsAllButTheLastColumn) {
  EXPECT_EQ(
      Printed({"NODE", "FIT", "REASON"}, {{"spot-node-1", "yes", ""}, {"n\xC3\xA9", "no", "full"}}),
      "NODE          FIT   REASON\n"
      "spot-node-1   yes   \n"
      "n\xC3\xA9            no    full\n");
}

TEST(TableTest, ColoursDoNotShiftColumns) {
  EXPECT_EQ(Printed({"NODE", "FIT"}, {{"\xE8\x8A\x82", {"no", Style::Bad}}}, {.has_colour = true}),
            "\x1b[1mNODE\x1b[0m   \x1b[1mFIT\x1b[0m\n"
            "\xE8\x8A\x82     \x1b[31mno\x1b[0m\n");
}

TEST(TableTest, FoldsTheLastColumn) {
  EXPECT_EQ(Printed({"NODE", "REASON"}, {{"a", "the taint is not tolerated at all"}, {"b", "ok"}},
                    {.columns = 30}),
            "NODE   REASON\n"
            "a      the taint is not\n"
            "       tolerated at all\n"
            "b      ok\n");
}

TEST(TableTest, FoldsTheRowIfTheLastColumnHasNoRoom) {
  EXPECT_EQ(
      Printed({"NODE", "REASON"}, {{"a-node-with-a-long-name", "it is full"}}, {.columns = 30}),
      "NODE\n    REASON\n"
      "a-node-with-a-long-name   it\n"
      "    is full\n");
}

TEST(TableTest, ANameWithControlCharactersStaysInItsCell) {
  EXPECT_EQ(Printed({"NODE", "FIT"}, {{"a\x1b[2J\nb", "yes"}}),
            "NODE        FIT\n"
            "a^[[2J\\nb   yes\n");
}

}  // namespace
}  // namespace plimsoll::cli
