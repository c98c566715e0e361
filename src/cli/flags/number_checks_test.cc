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
void UpToFive(CLI::Option* option) { RequireNotNegative(option, 5); }
void AboveZero(CLI::Option* option) { RequirePositive(option, 5); }

TEST(NumberChecksTest, SayWhatWouldBeRight) {
  const NumberCase kCases[] = {
      {UpToFive, "0", ""},
      {UpToFive, "1.5", ""},
      {UpToFive, "-1", "--n: want a number from 0 to 5, not \"-1\""},
      {UpToFive, "=4", "--n: want a number from 0 to 5, not \"=4\""},
      {OneToTen, "10", ""},
      {OneToTen, "0", "--n: want a whole number from 1 to 10, not \"0\""},
      {OneToTen, "-3", "--n: want a whole number from 1 to 10, not \"-3\""},
      {OneToTen, "1.5", "--n: want a whole number from 1 to 10, not \"1.5\""},
      {OneToTen, "99999999999999999999",
       "--n: want a whole number from 1 to 10, not \"99999999999999999999\""},
      {OneToTen, "010", "--n: want a whole number from 1 to 10, not \"010\""},
      {OneToTen, "0x2", "--n: want a whole number from 1 to 10, not \"0x2\""},
      {OneToTen, "", "--n: want a whole number from 1 to 10, not \"\""},
      {AboveZero, "1", ""},
      {AboveZero, "0", "--n: want a number above 0 and at most 5, not \"0\""},
      {AboveZero, "", "--n: want a number above 0 and at most 5, not \"\""},
      {AboveZero, "5.1", "--n: want a number above 0 and at most 5, not \"5.1\""},
      {AboveZero, "inf", "--n: want a number above 0 and at most 5, not \"inf\""},
      {UpToFive, "inf", "--n: want a number from 0 to 5, not \"inf\""},
      {UpToFive, "1e400", "--n: want a number from 0 to 5, not \"1e400\""},
      {AboveZero, "nan", "--n: want a number above 0 and at most 5, not \"nan\""},
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
