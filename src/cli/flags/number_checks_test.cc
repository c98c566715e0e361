#include "cli/flags/number_checks.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>

namespace plimsoll::cli {
namespace {

struct NumberCase {
  void (*want)(CLI::Option*);
  std::string text;
  std::string refusal;
};

void OneToTen(CLI::Option* option) { RequireInteger(option, 1, 10); }

TEST(NumberChecksTest, SayWhatWouldBeRight) {
  const NumberCase kCases[] = {
      {RequireNotNegative, "0", ""},
      {RequireNotNegative, "1.5", ""},
      {RequireNotNegative, "-1", "--n: want a number from 0 on, got -1"},
      {RequireNotNegative, "=4", "--n: want a number from 0 on, got \"=4\""},
      {OneToTen, "10", ""},
      {OneToTen, "0", "--n: want a number from 1 to 10, got 0"},
      {OneToTen, "-3", "--n: want a number from 1 to 10, got -3"},
      {OneToTen, "1.5", "--n: want a whole number from 1 to 10, got 1.5"},
      {OneToTen, "99999999999999999999",
       "--n: want a number from 1 to 10, got 99999999999999999999"},
      {OneToTen, "", "--n: want a number from 1 to 10, got \"\""},
      {RequirePositive, "1", ""},
      {RequirePositive, "0", "--n: want a number above 0, got 0"},
      {RequirePositive, "", "--n: want a number above 0, got \"\""},
      {RequirePositive, "nan", "--n: want a number above 0, got nan"},
  };
  for (const NumberCase& c : kCases) {
    CLI::App app;
    double number = 0;
    c.want(app.add_option("--n", number));
    std::string refusal;
    try {
      app.parse({c.text, "--n"});
    } catch (const CLI::ParseError& error) {
      refusal = error.what();
    }
    EXPECT_EQ(refusal, c.refusal) << c.text;
  }
}

}  // namespace
}  // namespace plimsoll::cli
