#include "cli/cel/expression_parts.h"

#include <gtest/gtest.h>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

TEST(CelExplainTest, ShowsEveryPart) {
  const Outcome outcome =
      RunForTest({"cel", "eval", "taint.key == 'k' && semver(taint.value).major() > 5", "--taint",
                  "k=6.1.0:NoSchedule", "--explain"});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_EQ(outcome.out,
            "INPUT                COST   RESULT\n"
            "k=6.1.0:NoSchedule   8      true\n"
            "k=6.1.0:NoSchedule:\n"
            "  taint.key == \"k\" && semver(taint.value).major() > 5 → true\n"
            "    taint.key == \"k\" → true\n"
            "      taint.key → \"k\"\n"
            "    semver(taint.value).major() > 5 → true\n"
            "      semver(taint.value).major() → 6\n"
            "        semver(taint.value) → semver(\"6.1.0\")\n"
            "          taint.value → \"6.1.0\"\n");
}

TEST(CelExplainTest, LooksIntoTheRangeOfAMacro) {
  const Outcome outcome = RunForTest({"cel", "eval", "taint.key.split('.').exists(p, p == 'b')",
                                      "--taint", "a.b:NoSchedule", "--explain"});
  EXPECT_NE(outcome.out.find("taint.key.split(\".\") → [\"a\", \"b\"]"), std::string::npos)
      << outcome.out;
}

}  // namespace
}  // namespace plimsoll::cli
