#include "cli/manual/help_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

std::vector<CommandDoc> Commands() {
  return {{.path = "plimsoll",
           .purpose = "A control plane",
           .flags = {{.names = "--color", .value = "auto|never", .text = "Colours"}},
           .commands = {"plimsoll cel", "plimsoll up"},
           .runs = false},
          {.path = "plimsoll cel",
           .purpose = "Check and evaluate",
           .group = "Placement",
           .commands = {"plimsoll cel eval"},
           .runs = false},
          {.path = "plimsoll cel eval",
           .purpose = "Evaluate",
           .arguments = {{.names = "EXPR|-", .text = "Expressions", .is_repeated = true}},
           .flags = {{.names = "--taint",
                      .value = "KEY=VALUE:EFFECT",
                      .text = "Taint to evaluate",
                      .default_value = "a=b:None",
                      .is_required = true,
                      .is_repeated = true},
                     {.names = "--a-flag-with-a-really-long-name", .value = "N", .text = "Long"}}},
          {.path = "plimsoll up", .purpose = "Run a cluster", .group = "Clusters"}};
}

TEST(HelpTextTest, TheProgramListsItsCommandsByGroup) {
  const std::string text = HelpText(Commands(), "plimsoll").plain();
  EXPECT_THAT(text, testing::StartsWith("A control plane.\n\nUsage: plimsoll [flags] COMMAND\n"));
  EXPECT_THAT(text, HasSubstr("\nPlacement:\n  cel   Check and evaluate\n"
                              "\nClusters:\n  up   Run a cluster\n"
                              "\nFlags of every command:\n  --color auto|never   Colours\n"));
  EXPECT_THAT(text, testing::EndsWith("Run 'plimsoll COMMAND --help' for the flags and examples of "
                                      "a command.\n"));
}

TEST(HelpTextTest, ACommandHasExamplesArgumentsAndFlags) {
  const std::string text = HelpText(Commands(), "plimsoll cel eval").plain();
  EXPECT_THAT(text, HasSubstr("\nExamples:\n  # "));
  EXPECT_THAT(text, HasSubstr("\nArguments:\n  EXPR|-   Expressions\n"));
  EXPECT_THAT(text, HasSubstr("\nFlags:\n"
                              "  --taint KEY=VALUE:EFFECT   Taint to evaluate (required; may be "
                              "repeated; default: a=b:None)\n"
                              "  --a-flag-with-a-really-long-name N\n"
                              "                             Long\n"));
  EXPECT_THAT(HelpText(Commands(), "plimsoll cel").plain(),
              HasSubstr("\nCommands:\n  eval   Evaluate\n"));
}

TEST(HelpTextTest, TheHelpOfTheProgramFitsOnAScreenAndHasExamples) {
  const std::string text = RunForTest({"--help"}).out;
  EXPECT_LE(std::ranges::count(text, '\n'), 60) << text;
  EXPECT_THAT(text, HasSubstr("Examples:\n  # "));
}

}  // namespace
}  // namespace plimsoll::cli
