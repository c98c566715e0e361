#include "cli/app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct UsageCase {
  std::string name;
  std::vector<std::string> words;
  std::string want;  // prefix of standard error
};

class UsageTest : public testing::TestWithParam<UsageCase> {};

TEST_P(UsageTest, FailsWithASuggestion) {
  const Outcome outcome = RunForTest(GetParam().words);
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_THAT(outcome.err, StartsWith(GetParam().want));
  EXPECT_EQ(outcome.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    All, UsageTest,
    testing::ValuesIn<UsageCase>({
        {"NegativeNodes",
         {"up", "--nodes", "-3"},
         "error: --nodes: want a number from 0 to 1000000, got -3\n"},
        {"NegativeNodesByTheOtherName",
         {"kubelet", "--count=-3"},
         "error: --count: want a number from 0 to 1000000, got -3\n"},
        {"TooManyNodes",
         {"up", "--nodes", "99999999999999999999"},
         "error: --nodes: want a number from 0 to 1000000, got 99999999999999999999"},
        {"APortBeyondAllPorts",
         {"apiserver", "--port", "99999"},
         "error: --port: want a number from 0 to 65535, got 99999\n"},
        {"UnknownCommand",
         {"chekc"},
         "error: unknown command \"chekc\" for \"plimsoll\"\nDid you mean check?\n"
         "Run 'plimsoll --help' for usage.\n"},
        {"UnknownCommandWithoutSuggestion",
         {"frobnicate"},
         "error: unknown command \"frobnicate\" for \"plimsoll\"\nRun 'plimsoll --help'"},
        {"UnknownFlag",
         {"check", "--strict-hint", "x.yaml"},
         "error: unknown flag: --strict-hint\nDid you mean --strict-hints?\n"
         "Run 'plimsoll check --help' for usage.\n"},
        {"UnknownFlagWithValue",
         {"match", "--pods=a", "--pod", "a", "--nodes", "b"},
         "error: unknown flag: --pods\nDid you mean --pod?\n"},
        {"UnknownFlagLikeOneOfAllCommands",
         {"check", "--log-fiel=x", "x.yaml"},
         "error: unknown flag: --log-fiel\nDid you mean --log-file?\n"},
        {"NoCommand", {"-x"}, "error: unknown flag: -x\nRun 'plimsoll --help' for usage.\n"},
        {"MissingFlag", {"match", "--nodes", "a"}, "error: --pod is required"},
        {"BadOutput", {"check", "-o", "xml", "f"}, "error: -o: xml not in {text,json}"},
        {"ShortFlagWithValue", {"check", "-o=xml", "f"}, "error: -o: xml not in {text,json}"},
        {"NoNumber", {"-v=x", "check", "f"}, "error: -v: want a number from 0 to 100, got \"x\"\n"},
        {"NegativeNumber",
         {"--v", "-1", "check", "f"},
         "error: --v: want a number from 0 to 100, got -1"},
        {"UnknownHelpTopic", {"help", "chekc"}, "error: command: unknown command \"chekc\""},
        {"UnknownInnerCommand",
         {"cel", "chekc", "true"},
         "error: unknown command \"chekc\" for \"plimsoll cel\"\nDid you mean check?\n"
         "Run 'plimsoll cel --help' for usage.\n"},
        {"UnknownFlagOfInnerCommand",
         {"cel", "eval", "true", "--taints", "a=b:NoSchedule"},
         "error: unknown flag: --taints\nDid you mean --taint?\n"
         "Run 'plimsoll cel eval --help' for usage.\n"},
        {"UnknownShell",
         {"completion", "fish"},
         "error: unsupported shell \"fish\": want bash or zsh"},
        {"UnknownGate",
         {"check", "--feature-gates=TaintTolerationCELL=true", "-"},
         "error: unrecognized feature gate: TaintTolerationCELL"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(AppTest, ExplainsItself) {
  const Outcome all = RunForTest({"help"});
  EXPECT_EQ(all.code, kExitOk);
  EXPECT_THAT(all.out, HasSubstr("check"));
  EXPECT_THAT(all.out, HasSubstr("match"));
  EXPECT_EQ(RunForTest({"--help"}).out, all.out);
  EXPECT_EQ(RunForTest({}).out, all.out);

  const Outcome one = RunForTest({"help", "check"});
  EXPECT_EQ(one.code, kExitOk);
  EXPECT_THAT(one.out, HasSubstr("Usage: plimsoll check [OPTIONS]"));
  EXPECT_THAT(one.out, HasSubstr("--strict-hints"));
  EXPECT_EQ(RunForTest({"check", "--help"}).out, one.out);

  EXPECT_THAT(RunForTest({"cel", "--help"}).out, HasSubstr("Usage: plimsoll cel [OPTIONS]"));
  EXPECT_EQ(RunForTest({"help", "cel"}).out, RunForTest({"cel", "--help"}).out);
  const std::string inner = RunForTest({"cel", "eval", "true", "--help"}).out;
  EXPECT_THAT(inner, HasSubstr("Usage: plimsoll cel eval [OPTIONS]"));
  EXPECT_THAT(inner, HasSubstr("--taint"));
}

TEST(AppTest, LogsAsComponentsDo) {
  const std::vector<std::string> call{"check", InTree("examples/tour")};
  EXPECT_EQ(RunForTest(call).err, "");
  const auto with = [&](std::initializer_list<std::string> flags) {
    std::vector<std::string> words = call;
    words.insert(words.end(), flags);
    return RunForTest(words).err;
  };
  EXPECT_THAT(with({"--v=1"}),
              testing::ContainsRegex("^I[0-9]{4} .*check.cc:[0-9]+\\] \"Checked "
                                     "manifests\" objects=6 nodes=5 findings=2\n$"));
  EXPECT_THAT(with({"--v=1", "--logging-format=json"}), HasSubstr("\"msg\":\"Checked manifests\""));
  EXPECT_THAT(with({"--vmodule=manifest_files=2"}), HasSubstr("Read manifests"));
  EXPECT_EQ(RunForTest({"version", "--logging-format=xml"}).code, kExitUsage);
}

TEST(AppTest, LogsToAFile) {
  const std::string path = testing::TempDir() + "plimsoll-log-test/log";
  std::filesystem::remove(path);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(RunForTest({"check", "--v=1", "--log-file", path, InTree("examples/tour")}).err, "");
  }
  const std::string text = ReadFile(path).value_or("");
  EXPECT_NE(text.find("Checked manifests"), text.rfind("Checked manifests")) << text;
  EXPECT_THAT(RunForTest({"version", "--log-file=/proc/none/log"}).err,
              StartsWith("error: --log-file: "));
}

TEST(AppTest, OfAFlagGivenTwiceTheLastCounts) {
  EXPECT_EQ(RunForTest({"version", "-o", "json", "--output=text"}).out,
            RunForTest({"version"}).out);
  EXPECT_EQ(RunForTest({"check", "--output=json", "--nodes", InTree("examples/tour/nodes.yaml"),
                        "-o", "text", InTree("examples/tour")})
                .out,
            RunForTest({"check", InTree("examples/tour")}).out);
}

TEST(AppTest, AFlagMayBeEmpty) {
  const Outcome outcome = RunForTest({"check", "--feature-gates=", InTree("examples/tour")});
  EXPECT_EQ(outcome.code, RunForTest({"check", InTree("examples/tour")}).code) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(RunForTest({"check", "--output=", "-"}).err, HasSubstr("error: --output:  not in"));
}

TEST(AppTest, AFileThatDoesNotExistGetsASuggestion) {
  const Outcome outcome = RunForTest({"check", InTree("examples/tour/nodes.yml")});
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.err, HasSubstr("does not exist; did you mean \""));
  EXPECT_THAT(outcome.err, HasSubstr("nodes.yaml\"?"));
}

}  // namespace
}  // namespace plimsoll::cli
