#include "cli/flags/choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace plimsoll::cli {
namespace {

struct ChoiceCase {
  std::string given;
  std::string refusal;
};

TEST(ChoiceTest, AcceptsTheValuesAndSuggestsTheNearest) {
  const ChoiceCase kCases[] = {
      {"text", ""},
      {"yaml", ""},
      {"table", ""},
      {"xml", "--output: want text, json or yaml, not \"xml\""},
      {"jsno", "--output: want text, json or yaml, not \"jsno\"; did you mean json?"},
      {"", "--output: want text, json or yaml, not \"\""},
  };
  for (const ChoiceCase& one : kCases) {
    CLI::App app;
    std::string value;
    RequireOneOf(app.add_option("--output", value), {"text", "json", "yaml"}, {"table"});
    std::string refusal;
    try {
      app.parse({one.given, "--output"});
    } catch (const CLI::ParseError& error) {
      refusal = error.what();
    }
    EXPECT_EQ(refusal, one.refusal) << one.given;
  }
}

TEST(ChoiceTest, ShowsTheValuesButNotTheHiddenOnes) {
  CLI::App app;
  std::string value;
  CLI::Option* const option = app.add_option("--output", value);
  EXPECT_THAT(ValuesOf(*option), testing::IsEmpty());
  RequireOneOf(option, {"text", "json"}, {"table"});
  EXPECT_THAT(ValuesOf(*option), testing::ElementsAre("text", "json"));
}

TEST(ChoiceTest, JoinsWordsAsASentenceDoes) {
  EXPECT_EQ(JoinedByOr({}), "");
  EXPECT_EQ(JoinedByOr({"a"}), "a");
  EXPECT_EQ(JoinedByOr({"a", "b"}), "a or b");
  EXPECT_EQ(JoinedByOr({"a", "b", "c"}), "a, b or c");
}

}  // namespace
}  // namespace plimsoll::cli
