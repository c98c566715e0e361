#include "cli/output/table.h"

#include <gtest/gtest.h>

#include <sstream>

namespace plimsoll::cli {
namespace {

TEST(TableTest, PadsAllButTheLastColumn) {
  std::ostringstream out;
  PrintTable({"NODE", "FIT", "REASON"}, {{"spot-node-1", "yes", ""}, {"n\xC3\xA9", "no", "full"}},
             out);
  EXPECT_EQ(out.str(),
            "NODE          FIT   REASON\n"
            "spot-node-1   yes   \n"
            "n\xC3\xA9            no    full\n");
}

}  // namespace
}  // namespace plimsoll::cli
