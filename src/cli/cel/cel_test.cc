#include "cli/cel/cel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/cel/cel_input.h"
#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(CelCheckTest, PrintsTypeAndCost) {
  const Outcome good = RunForTest({"cel", "check", "taint.key.startsWith('env.example.com/')"});
  EXPECT_EQ(good.code, kExitOk) << good.err;
  EXPECT_EQ(good.out, "bool, static cost 4\n");
  EXPECT_EQ(RunForTest({"cel", "check", "device.driver == 'x'", "--env", "device"}).code, kExitOk);
}

TEST(CelCheckTest, RefusesAsTheServerWould) {
  const Outcome broken = RunForTest({"cel", "check", "taint.nope"});
  EXPECT_EQ(broken.code, kExitFindings);
  EXPECT_EQ(broken.out,
            "error: compilation failed: ERROR: <input>:1:6: undefined field 'nope'\n"
            " | taint.nope\n"
            " | .....^\n");
  const Outcome number = RunForTest({"cel", "check", "1 + 1"});
  EXPECT_EQ(number.code, kExitFindings);
  EXPECT_THAT(number.out, HasSubstr("must evaluate to bool or the unknown type, not int"));
}

TEST(CelCheckTest, RefusesWhatIsTooLongOrTooCostly) {
  const auto of_length = [](std::size_t bytes) {
    return '\'' + std::string(bytes - 8, 'a') + "' != ''";
  };
  EXPECT_EQ(RunForTest({"cel", "check", of_length(10'240)}).out, "bool, static cost 0\n");
  const Outcome longer = RunForTest({"cel", "check", of_length(10'241)});
  EXPECT_EQ(longer.code, kExitFindings);
  EXPECT_EQ(longer.out, "bool, static cost 0\nerror: too long, may not be more than 10240 bytes\n");
  const Outcome dear = RunForTest({"cel", "check", "lists.range(1000000).all(x, x >= 0)"});
  EXPECT_EQ(dear.code, kExitFindings);
  EXPECT_THAT(dear.out, HasSubstr("error: too complex, exceeds cost limit\n"));
}

TEST(CelCheckTest, ReadsExpressionsFromStandardInput) {
  const Outcome outcome = RunForTest({"cel", "check", "-", "-o", "json"}, "true\n\nfalse\n");
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_THAT(outcome.out, HasSubstr("\"expression\": \"true\""));
  EXPECT_THAT(outcome.out, HasSubstr("\"expression\": \"false\""));
}

TEST(CelEvalTest, PrintsALinePerTaint) {
  const Outcome outcome = RunForTest(
      {"cel", "eval", "semver(taint.value).isGreaterThan(semver('5.15.0'))", "--taint",
       "kernel=6.1.0:NoSchedule", "--taint", "kernel=v6.1.0", "--taint", "kernel:NoSchedule"});
  EXPECT_EQ(outcome.code, kExitFindings) << "an expression failed";
  EXPECT_THAT(outcome.out, HasSubstr("kernel=6.1.0:NoSchedule"));
  EXPECT_THAT(outcome.out, HasSubstr("true\n"));
  EXPECT_THAT(outcome.out, HasSubstr("error: Invalid character(s) found in major number \"v6\""));
}

TEST(CelEvalTest, ShowsTheValueOfEachPart) {
  const std::vector<std::string> call{"cel",     "eval",           "taint.key == 'a' && 1 / 0 == 1",
                                      "--taint", "a=b:NoSchedule", "--explain"};
  EXPECT_EQ(RunForTest(call).code, kExitFindings);
  EXPECT_EQ(RunForTest(call).out,
            "INPUT            COST   RESULT\n"
            "a=b:NoSchedule   5      error: division by zero\n"
            "a=b:NoSchedule:\n"
            "  taint.key == \"a\" && 1 / 0 == 1 → error: division by zero\n"
            "    taint.key == \"a\" → true\n"
            "      taint.key → \"a\"\n"
            "    1 / 0 == 1 → error: division by zero\n"
            "      1 / 0 → error: division by zero\n");
  std::vector<std::string> json = call;
  json.insert(json.end(), {"-o", "json"});
  EXPECT_THAT(RunForTest(json).out, HasSubstr("{\n"
                                              "                        \"depth\": 2,\n"
                                              "                        \"expression\": "
                                              "\"taint.key\",\n"
                                              "                        \"value\": "
                                              "\"\\\"a\\\"\"\n"));
}

TEST(CelEvalTest, EvaluatesOverDevicesOfSlices) {
  const Outcome outcome =
      RunForTest({"cel", "eval",
                  "device.capacity['device.example.com'].memory.isGreaterThan(quantity('16Gi'))",
                  "--device", InTree("tests/stories/kep-5471/05-error-budget/cluster.yaml")});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_EQ(outcome.out,
            "INPUT      COST   RESULT\n"
            "worn-out   6      true\n"
            "aging      6      true\n"
            "fresh      6      true\n");
}

TEST(CelEvalTest, SaysWhatIsWrongWithATaint) {
  EXPECT_THAT(RunForTest({"cel", "eval", "true", "--taint", "a=b:NoRun"}).err,
              StartsWith("error: --taint: invalid taint effect: NoRun, unsupported taint effect"));
  EXPECT_THAT(RunForTest({"cel", "eval", "true", "--taint", "=b:NoSchedule"}).err,
              StartsWith("error: --taint: invalid taint spec: =b:NoSchedule"));
  EXPECT_THAT(RunForTest({"cel", "eval", "true"}).err, HasSubstr("give --taint or --device"));
  const Outcome bare = RunForTest({"cel", "eval", "true", "--taint", "foo"});
  EXPECT_EQ(bare.code, kExitUsage);
  EXPECT_THAT(bare.err, StartsWith("error: --taint: invalid taint spec: foo"));
}

TEST(CelEvalTest, AnUnreadableFileIsAFailureAndNoWrongUse) {
  EXPECT_EQ(RunForTest({"cel", "eval", "true", "--device", "/none/devices.yaml"}).code,
            kExitFindings);
}

}  // namespace
}  // namespace plimsoll::cli
