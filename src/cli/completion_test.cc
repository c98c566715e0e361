#include "cli/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

struct CompletionCase {
  std::string name;
  std::vector<std::string> words;  // the last one is being typed
  std::string want;                // a line each
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
         "manager\nget\nhelp\nkubelet\nmatch\nscheduler\ntaint\nup\nversion\n"},
        {"CommandsByPrefix", {"c"}, "cel\ncheck\ncompletion\ncontroller-manager\n"},
        {"Flags", {"check", "--s"}, "--strict-hints\n"},
        {"FlagsAfterAFile", {"check", "a.yaml", "--na"}, "--namespace\n"},
        {"Values", {"match", "-o", ""}, "json\ntable\nwide\nyaml\n"},
        {"ValuesByPrefix", {"check", "--field-validation", "w"}, "warn\n"},
        {"FilesAreTheShells", {"match", "--pod", ""}, ""},
        {"Topics", {"help", "m"}, "match\n"},
        {"Shells", {"completion", ""}, "bash\nzsh\n"},
    }),
    [](const auto& test) { return test.param.name; });

// What completion offers for a flag must be what the flag takes.
TEST(CompletionTest, OffersOnlyAcceptedValues) {
  for (const auto& [command, flag] :
       std::vector<std::pair<std::string, std::string>>{{"check", "--output"},
                                                        {"check", "--field-validation"},
                                                        {"match", "--output"},
                                                        {"version", "--output"}}) {
    const Outcome offered = RunForTest({"__complete", "--", command, flag, ""});
    std::istringstream values(offered.out);
    for (std::string value; std::getline(values, value);) {
      const Outcome taken = RunForTest({command, flag, value, "--no-such-flag"});
      EXPECT_THAT(taken.err, testing::HasSubstr("unknown flag: --no-such-flag"))
          << command << ' ' << flag << ' ' << value;
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
