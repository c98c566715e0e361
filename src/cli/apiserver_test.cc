#include "cli/apiserver.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/app.h"

namespace plimsoll::cli {
namespace {

TEST(ApiserverTest, AMistakeIsNamedBeforeAnythingStarts) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(cli::Run({"apiserver", "--feature-gates=TaintTolerationCell=true"}, {in, out, err}),
            kExitUsage);
  EXPECT_TRUE(err.str().contains("TaintTolerationCell")) << err.str();
  EXPECT_EQ(cli::Run({"apiserver", "--store=floppy"}, {in, out, err}), kExitUsage);
}

TEST(ApiserverTest, APlaceWhereNothingCanBeWrittenIsNamed) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(cli::Run({"apiserver", "--data-dir=/proc/none"}, {in, out, err}), kExitFindings);
  EXPECT_TRUE(err.str().contains("/proc/none")) << err.str();
}

}  // namespace
}  // namespace plimsoll::cli
