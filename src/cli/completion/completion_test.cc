#include "cli/completion/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

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
         "apiserver\ncel\ncheck\ncompletion\ncontroller-manager\ndemo\ndown\nexplain\nget\nhelp\n"
         "kubelet\nmatch\nmigrate\nscheduler\nsnapshot\nstatus\nstorage\ntaint\nup\nversion\n"},
        {"CommandsByPrefix", {"c"}, "cel\ncheck\ncompletion\ncontroller-manager\n"},
        {"Flags", {"check", "--s"}, "--strict-hints\n"},
        {"FlagsAfterAFile", {"check", "a.yaml", "--na"}, "--namespace\n"},
        {"Values", {"match", "-o", ""}, "json\ntable\nwide\nyaml\n"},
        {"ValuesByPrefix", {"check", "--field-validation", "w"}, "warn\n"},
        {"ValuesOfANestedCommand", {"explain", "pod", "web", "-o", ""}, "json\ntext\n"},
        {"NestedCommands", {"get", ""}, "devices\ntaints\ntolerations\n"},
        {"FlagsOfANestedCommand", {"explain", "pod", "--n"}, "--namespace\n--node\n--nodes\n"},
        {"ValuesOfTheProgramsFlag", {"check", "--logging-format", ""}, "json\ntext\n"},
        {"ValuesAsBashSplitsThem", {"match", "--output", "=", "w"}, "wide\n"},
        {"ValuesBehindASign", {"match", "--output", "="}, "json\ntable\nwide\nyaml\n"},
        {"FilesAreTheShells", {"match", "--pod", ""}, ""},
        {"Topics", {"help", "m"}, "match\nmigrate\n"},
        {"Shells", {"completion", ""}, "bash\nzsh\n"},
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

TEST(CompletionScriptTest, ExistsForBashAndZsh) {
  EXPECT_THAT(RunForTest({"completion", "bash"}).out, testing::HasSubstr("complete -o default"));
  EXPECT_THAT(RunForTest({"completion", "zsh"}).out, testing::StartsWith("#compdef plimsoll"));
}

}  // namespace
}  // namespace plimsoll::cli
