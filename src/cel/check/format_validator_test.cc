#include <gtest/gtest.h>

#include "cel/environment.h"
#include "cel/kubernetes.h"

namespace plimsoll::cel {
namespace {

/// Returns the type of the result, or `line:column message` of every issue.
std::string Checked(const Environment& environment, std::string_view text) {
  const auto compiled = environment.Compile(text);
  if (compiled) return OutputText(compiled->type);
  std::string out;
  for (const Issue& issue : compiled.error().list) {
    const Location at = compiled.error().LocationOf(issue);
    out += (out.empty() ? "" : "; ") + std::to_string(at.line) + ":" +
           std::to_string(at.column + 1) + " " + issue.message;
  }
  return out;
}

struct CheckCase {
  std::string_view text;
  std::string_view want;
};

void ExpectAll(const Environment& environment, std::initializer_list<CheckCase> cases) {
  for (const CheckCase& test : cases) EXPECT_EQ(Checked(environment, test.text), test.want);
}

TEST(FormatValidatorTest, ConstantFormatsAreReadAhead) {
  ExpectAll(
      *TolerationEnvironment(),
      {
          {"'%d'.format([1.0])",
           "1:14 error during formatting: decimal clause can only be used on "
           "integers, was given double"},
          {"'%s'.format([[1, semver('1.0.0')]])",
           "1:24 error during formatting: string clause can only be used on strings, bools, bytes, "
           "ints, doubles, maps, lists, types, durations, and timestamps, was given "
           "kubernetes.Semver"},
          {"'%d%%'.format([])", "1:14 index 0 out of range"},
          {"'%'.format([1])", "1:11 unexpected end of string"},
          {"'%.f'.format([1.5])",
           "1:13 could not parse formatting clause: error while parsing precision: error while "
           "converting precision to integer: strconv.Atoi: parsing \"\": invalid syntax"},
          {"'%.2'.format([1.5])",
           "1:13 could not parse formatting clause: error while parsing "
           "precision: could not find end of precision specifier"},
          {"'%q'.format([1])",
           "1:12 could not parse formatting clause: unrecognized formatting clause \"q\""},
          {"'a'.format([1])",
           "1:11 too many arguments supplied to string.format (expected 0, got 1)"},
          {"'%x %X %o %b %e %.3f'.format([b'a', 'a', 1u, true, 1.0, 2.0])", "string"},
          {"'%d'.format([dyn('a')])", "string"},
      });
}

}  // namespace
}  // namespace plimsoll::cel
