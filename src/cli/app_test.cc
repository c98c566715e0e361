#include "cli/app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

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
         "error: --nodes: want a whole number from 0 to 1000000, not \"-3\"\n"},
        {"NegativeNodesByTheOtherName",
         {"kubelet", "--count=-3"},
         "error: --count: want a whole number from 0 to 1000000, not \"-3\"\n"},
        {"TooManyNodes",
         {"up", "--nodes", "99999999999999999999"},
         "error: --nodes: want a whole number from 0 to 1000000, not \"99999999999999999999\"\n"},
        {"APortBeyondAllPorts",
         {"apiserver", "--port", "99999"},
         "error: --port: want a whole number from 0 to 65535, not \"99999\"\n"},
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
        {"BadOutput",
         {"check", "-o", "xml", "f"},
         "error: -o: want text, json, yaml or name, not \"xml\"\n"},
        {"ShortFlagWithValue",
         {"check", "-o=jsno", "f"},
         "error: -o: want text, json, yaml or name, not \"jsno\"; did you mean json?\n"},
        {"UnsuitableOutput",
         {"check", "-o", "wide", "f"},
         "error: -o: want text, json, yaml or name, not \"wide\"\n"},
        {"WideAndOneNode",
         {"match", "--pod", "p", "--nodes", "n", "--node", "a", "-o", "wide"},
         "error: -o: wide is for the table of nodes; --node shows everything already\n"},
        {"NamesOfAPreview",
         {"taint", "device", "d/p/g", "a=b:NoExecute", "--preview", "-o", "name"},
         "error: -o: name is for the rules that were changed, and --preview changes none\n"},
        {"BadColour",
         {"--color=yes", "version"},
         "error: --color: want auto, always or never, not \"yes\"\n"},
        {"MissingValue", {"match", "--pod"}, "error: --pod: want a value\n"},
        {"ExcludedFlags",
         {"snapshot", "save", "f", "--server", "--store", "rocksdb:d"},
         "error: --store and --server exclude each other\n"},
        {"MissingCommand",
         {"cel"},
         "error: \"plimsoll cel\" needs a command: check or eval\n"
         "Run 'plimsoll cel --help' for usage.\n"},
        {"SurplusArgument", {"version", "now"}, "error: unexpected argument \"now\"\n"},
        {"NoNumber",
         {"-v=x", "check", "f"},
         "error: -v: want a whole number from 0 to 100, not \"x\"\n"},
        {"NegativeNumber",
         {"--v", "-1", "check", "f"},
         "error: --v: want a whole number from 0 to 100, not"},
        {"UnknownHelpTopic",
         {"help", "chekc"},
         "error: unknown command \"chekc\" for \"plimsoll\"\nDid you mean check?\n"},
        {"UnknownInnerHelpTopic",
         {"help", "cel", "evla"},
         "error: unknown command \"evla\" for \"plimsoll cel\"\nDid you mean eval?\n"},
        {"UnknownInnerCommand",
         {"cel", "chekc", "true"},
         "error: unknown command \"chekc\" for \"plimsoll cel\"\nDid you mean check?\n"
         "Run 'plimsoll cel --help' for usage.\n"},
        {"UnknownFlagOfInnerCommand",
         {"cel", "eval", "true", "--taints", "a=b:NoSchedule"},
         "error: unknown flag: --taints\nDid you mean --taint?\n"
         "Run 'plimsoll cel eval --help' for usage.\n"},
        {"UnknownShell",
         {"completion", "fisch"},
         "error: shell: want bash, zsh or fish, not \"fisch\"; did you mean fish?\n"},
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
  EXPECT_THAT(one.out, HasSubstr("Usage: plimsoll check [flags] FILE|DIR|-…\n"));
  EXPECT_THAT(one.out, HasSubstr("--strict-hints"));
  EXPECT_EQ(RunForTest({"check", "--help"}).out, one.out);

  EXPECT_THAT(RunForTest({"cel", "--help"}).out,
              HasSubstr("Usage: plimsoll cel [flags] COMMAND\n"));
  EXPECT_EQ(RunForTest({"help", "cel"}).out, RunForTest({"cel", "--help"}).out);
  const std::string inner = RunForTest({"cel", "eval", "true", "--help"}).out;
  EXPECT_THAT(inner, HasSubstr("Usage: plimsoll cel eval [flags] EXPR|-…\n"));
  EXPECT_THAT(inner, HasSubstr("--taint"));
}

TEST(AppTest, ShowsTheHelpOfTheCommandBehindFlags) {
  const std::string help = RunForTest({"cel", "eval", "--help"}).out;
  EXPECT_EQ(RunForTest({"--color", "never", "cel", "--log-file", "check", "eval", "-h"}).out, help);
  EXPECT_EQ(RunForTest({"help", "cel", "eval"}).out, help);
}

TEST(AppTest, TheVersionIsAFlagToo) {
  const std::string version = RunForTest({"version"}).out;
  for (const char* flag : {"--version", "-V"}) {
    const Outcome outcome = RunForTest({flag});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    EXPECT_EQ(outcome.out, version);
  }
}

// Every flag whose value is a number must name its range when the value is out of range.
TEST(AppTest, EveryNumberHasARange) {
  std::istringstream document(RunForTest({"__manual", "markdown"}).out);
  std::vector<std::string> command;
  std::size_t numbers = 0;
  for (std::string line; std::getline(document, line);) {
    if (line.starts_with("## plimsoll ")) {
      command.clear();
      std::istringstream words(line.substr(std::string("## plimsoll ").size()));
      for (std::string word; words >> word;) command.push_back(word);
    }
    if (!line.starts_with("| `-") || !line.contains(" | `N` |")) continue;
    std::string flag = line.substr(3, line.find_first_of("`,", 3) - 3);
    ++numbers;
    for (const std::string value : {"99999999999999999999999", "-1", "x", "nan", "1e400", ""}) {
      std::vector<std::string> words = command;
      words.push_back(flag + "=" + value);
      const Outcome outcome = RunForTest(words);
      EXPECT_EQ(outcome.code, kExitUsage) << flag << value;
      EXPECT_THAT(outcome.err, StartsWith("error: " + flag + ": want a ")) << value;
      EXPECT_THAT(outcome.err, HasSubstr(", not \"" + value + "\"")) << flag;
    }
  }
  EXPECT_GT(numbers, 50U);
}

TEST(AppTest, ColoursFollowTheFlagAndTheDevice) {
  const auto errors = [](std::vector<std::string> words, const StreamDevice& device) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    words.insert(words.end(), {"check", "/none"});
    cli::Run(words, {in, out, err, {}, device});
    return err.str();
  };
  const StreamDevice terminal{.is_terminal = true, .wants_colour = true};
  EXPECT_THAT(errors({}, terminal), StartsWith("\x1b[31merror:\x1b[0m "));
  EXPECT_THAT(errors({"--color=never"}, terminal), StartsWith("error: "));
  EXPECT_THAT(errors({}, {}), StartsWith("error: "));
  EXPECT_THAT(errors({"--color", "always"}, {}), StartsWith("\x1b[31merror:\x1b[0m "));
  EXPECT_THAT(errors({"--color=always", "--nothing"}, {}), StartsWith("\x1b[31merror:\x1b[0m "))
      << "also for wrong flags";
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
  EXPECT_THAT(RunForTest({"check", "--output=", "-"}).err,
              HasSubstr("error: --output: want text, json, yaml or name, not \"\""));
}

TEST(AppTest, AFileThatDoesNotExistGetsASuggestion) {
  const Outcome outcome = RunForTest({"check", InTree("examples/tour/nodes.yml")});
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.err, HasSubstr("does not exist; did you mean \""));
  EXPECT_THAT(outcome.err, HasSubstr("nodes.yaml\"?"));
}

}  // namespace
}  // namespace plimsoll::cli
