#include "cli/completion/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "cli/explain/explain_commands.h"
#include "cli/flags/common_flags.h"
#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

struct CompletionCase {
  std::string name;
  std::vector<std::string> words;  // the last one is incomplete
  std::string want;                // one candidate per line
};

class CompletionTest : public testing::TestWithParam<CompletionCase> {};

TEST_P(CompletionTest, Offers) {
  std::vector<std::string> call{"__complete", "--"};
  call.insert(call.end(), GetParam().words.begin(), GetParam().words.end());
  const Outcome outcome = RunForTest(call);
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_EQ(outcome.out, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, CompletionTest,
    testing::ValuesIn<CompletionCase>({
        {"Commands",
         {""},
         "apiserver\ncel\ncheck\ncompletion\ncontroller-"
         "manager\ncordon\ndemo\ndown\ndrain\nevictions\nexplain\nget\nhelp\nhistory\nkubelet\nline"
         "s\nmatch"
         "\nmigrate\nscheduler\nsnapshot\nstatus\nstorage\ntaint\nuncordon\nup\nversion\n"},
        {"CommandsByPrefix", {"c"}, "cel\ncheck\ncompletion\ncontroller-manager\ncordon\n"},
        {"Flags", {"check", "--s"}, "--strict-hints\n"},
        {"FlagsAfterAFile", {"check", "a.yaml", "--na"}, "--namespace\n"},
        {"FlagsOfEveryCommand", {"check", "--col"}, "--color\n"},
        {"Values", {"match", "-o", ""}, "json\nname\ntext\nwide\nyaml\n"},
        {"ValuesByPrefix", {"check", "--field-validation", "w"}, "warn\n"},
        {"ValuesOfANestedCommand",
         {"explain", "pod", "web", "-o", ""},
         "json\nname\ntext\nwide\nyaml\n"},
        {"NestedCommands", {"get", ""}, "devices\ntaints\ntolerations\n"},
        {"FlagsOfANestedCommand", {"explain", "pod", "--n"}, "--namespace\n--node\n--nodes\n"},
        {"ValuesOfTheProgramsFlag", {"check", "--logging-format", ""}, "json\ntext\n"},
        {"ValuesAsBashSplitsThem", {"match", "--output", "=", "w"}, "wide\n"},
        {"ValuesBehindASign", {"match", "--output", "=", ""}, "json\nname\ntext\nwide\nyaml\n"},
        {"ValuesOfAnUndividedWord", {"match", "--output=w"}, "--output=wide\n"},
        {"ValuesOfAShortFlag", {"match", "-o", "y"}, "yaml\n"},
        {"Files", {"match", "--pod", ""}, ":files\n"},
        {"FilesAsArguments", {"check", ""}, ":files\n"},
        {"FilesBehindASign", {"match", "--pod=examples/"}, ":files\n"},
        {"NothingForAnExpression", {"cel", "check", ""}, ""},
        {"NothingForAnUnknownFlag", {"check", "--no-such-flag=x"}, ""},
        {"Topics", {"help", "m"}, "match\nmigrate\n"},
        {"Shells", {"completion", ""}, "bash\nfish\nzsh\n"},
        {"OnlyOneShell", {"completion", "bash", ""}, ""},
        {"Gates",
         {"check", "--feature-gates", "TaintTolerationC"},
         "TaintTolerationCEL=false\nTaintTolerationCEL=true\nTaintTolerationComparisonOperators="
         "false\nTaintTolerationComparisonOperators=true\n"},
        {"GatesInAList",
         {"check", "--feature-gates=DRADeviceTaints=true,TaintTolerationCE"},
         "--feature-gates=DRADeviceTaints=true,TaintTolerationCEL=false\n"
         "--feature-gates=DRADeviceTaints=true,TaintTolerationCEL=true\n"},
        {"GatesAsBashSplitsThem",
         {"check", "--feature-gates", "=", "DRADeviceTaints", "=", "true,TaintTolerationCE"},
         "true,TaintTolerationCEL=false\ntrue,TaintTolerationCEL=true\n"},
        {"Controllers",
         {"controller-manager", "--controllers", "*,-taint"},
         "*,-taint-eviction-controller\n"},
    }),
    [](const auto& test) { return test.param.name; });

// Every value that completion offers for a flag must be accepted by the flag.
TEST(CompletionTest, OffersOnlyAcceptedValues) {
  const std::vector<std::vector<std::string>> calls = {
      {"check", "--output"},          {"check", "--field-validation"},
      {"match", "--output"},          {"version", "--output"},
      {"explain", "pod", "--output"}, {"get", "devices", "-o"},
      {"cel", "check", "--env"},      {"cel", "eval", "--output"},
      {"up", "--taint-details"},      {"scheduler", "--logging-format"}};
  for (const std::vector<std::string>& call : calls) {
    std::vector<std::string> words = {"__complete", "--"};
    words.insert(words.end(), call.begin(), call.end());
    words.emplace_back();
    const Outcome offered = RunForTest(words);
    std::istringstream values(offered.out);
    EXPECT_THAT(offered.out, testing::Not(testing::HasSubstr(":files")));
    for (std::string value; std::getline(values, value);) {
      std::vector<std::string> taking = call;
      taking.insert(taking.end(), {value, "--no-such-flag"});
      const Outcome taken = RunForTest(taking);
      EXPECT_THAT(taken.err, testing::HasSubstr("unknown flag: --no-such-flag"))
          << testing::PrintToString(taking);
    }
    EXPECT_NE(offered.out, "");
  }
}

/// Completes a command line, with these names on every server. Adds requests to `asked`.
std::vector<std::string> Completed(const std::vector<std::string>& words,
                                   std::vector<NamesRequest>& asked) {
  CLI::App app;
  std::string text;
  CLI::App* const command = app.add_subcommand("explain");
  command->add_option("name", text)->type_name("POD");
  command->add_option("-n,--namespace", text)->type_name("NAMESPACE");
  command->add_option("--class", text)->type_name("DEVICECLASS");
  command->add_option("--node", text)->type_name("NODE");
  command->add_option("--driver", text)->type_name("DRIVER");
  AddServerFlags(*command, text, text);
  return Complete(app, words,
                  [&](const NamesRequest& request) {
                    asked.push_back(request);
                    return std::vector<std::string>{"web-1",         "web-0", "web-0",      "db",
                                                    "web-$(reboot)", "web 2", "web-\x1b[2J"};
                  })
      .words;
}

TEST(CompletionOfNamesTest, AsksTheServerOfTheCommandLine) {
  std::vector<NamesRequest> asked;
  EXPECT_EQ(Completed({"explain", "--kubeconfig", "k", "-n", "shop", "--context=c", "we"}, asked),
            (std::vector<std::string>{"web-0", "web-1"}))
      << "names that a shell would interpret are left out";
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].kind, NamesRequest::Kind::Pod);
  EXPECT_EQ(asked[0].kubeconfig, "k");
  EXPECT_EQ(asked[0].context, "c");
  EXPECT_EQ(asked[0].namespace_, "shop");
}

TEST(CompletionOfNamesTest, TheValueOfTheFlagDecidesWhatIsAsked) {
  using Kind = NamesRequest::Kind;
  const std::vector<std::pair<std::string, Kind>> kCases = {{"-n", Kind::Namespace},
                                                            {"--class", Kind::DeviceClass},
                                                            {"--node", Kind::Node},
                                                            {"--driver", Kind::Driver},
                                                            {"--context", Kind::Context}};
  for (const auto& [flag, kind] : kCases) {
    std::vector<NamesRequest> asked;
    EXPECT_EQ(Completed({"explain", flag, "d"}, asked), (std::vector<std::string>{"db"}));
    ASSERT_EQ(asked.size(), 1U) << flag;
    EXPECT_EQ(asked[0].kind, kind) << flag;
  }
  std::vector<NamesRequest> asked;
  EXPECT_THAT(Completed({"explain", "--no"}, asked), testing::ElementsAre("--node"));
  EXPECT_TRUE(asked.empty()) << "flags need no server";
}

TEST(CompletionOfNamesTest, TheExplainedKindDecidesWhatIsAsked) {
  struct Case {
    std::vector<std::string> words;
    std::string kind;  // empty: a device
  };
  const std::vector<Case> kCases = {{{"deployment", "we"}, "Deployment"},
                                    {{"deploy", "we"}, "Deployment"},
                                    {{"statefulset", "-n", "shop", "we"}, "StatefulSet"},
                                    {{"job", "we"}, "Job"},
                                    {{"node", "we"}, "Node"},
                                    {{"claim", "we"}, "ResourceClaim"},
                                    {{"device", "we"}, ""}};
  for (const Case& test : kCases) {
    CLI::App app;
    ExplainOptions options;
    CLI::App* const explain = app.add_subcommand("explain");
    for (const ExplainCommand& one : ExplainCommands()) {
      one.add_flags(*explain->add_subcommand(std::string(one.kind.word)), one.kind, options);
    }
    std::vector<NamesRequest> asked;
    std::vector<std::string> words = {"explain"};
    words.insert(words.end(), test.words.begin(), test.words.end());
    const Candidates found = Complete(app, words, [&](const NamesRequest& request) {
      asked.push_back(request);
      return std::vector<std::string>{"web", "db", "we/p/d"};
    });
    EXPECT_THAT(found.words, testing::ElementsAre("we/p/d", "web")) << test.words[0];
    ASSERT_EQ(asked.size(), 1U) << test.words[0];
    if (test.kind.empty()) {
      EXPECT_EQ(asked[0].kind, NamesRequest::Kind::Device);
    } else {
      EXPECT_EQ(asked[0].kind, NamesRequest::Kind::Object);
      ASSERT_NE(asked[0].object, nullptr);
      EXPECT_EQ(asked[0].object->kind, test.kind);
    }
  }
}

TEST(CompletionScriptTest, ThereIsOneForEachShell) {
  EXPECT_THAT(RunForTest({"completion", "bash"}).out, testing::HasSubstr("complete -F _plimsoll"));
  EXPECT_THAT(RunForTest({"completion", "zsh"}).out, testing::StartsWith("#compdef plimsoll"));
  EXPECT_THAT(RunForTest({"completion", "fish"}).out, testing::HasSubstr("complete -c plimsoll"));
}

}  // namespace
}  // namespace plimsoll::cli
