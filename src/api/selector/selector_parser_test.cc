#include <gtest/gtest.h>

#include "api/selector/selector.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kKeyFault =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

struct ParseCase {
  std::string name;
  std::string text;
  std::string want;  // Text(), or the error
};

class ParseTest : public testing::TestWithParam<ParseCase> {};

TEST_P(ParseTest, GivesTextOrError) {
  const Result<Selector> got = Selector::Parse(GetParam().text);
  EXPECT_EQ(got ? got->Text() : got.error().message, GetParam().want);
  if (!got) return;
  const Result<Selector> again = Selector::Parse(got->Text());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->Text(), got->Text());
}

INSTANTIATE_TEST_SUITE_P(
    All, ParseTest,
    testing::ValuesIn<ParseCase>({
        {"Empty", "", ""},
        {"EveryOperator", "a in (c,b),!d,e!=f,g=h,i==j,k,l notin (m),n>5,o<-6",
         "unable to parse requirement: values[0][o]: Invalid value: \"-6\": a valid label must be "
         "an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
         "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "
         "regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"},
        {"SortsKeysAndValues", "x>5,a in (c,b),!d", "a in (b,c),!d,x>5"},
        {"KeywordsAreWords", "in in (notin,in)", "in in (in,notin)"},
        {"EmptyMiddleValue", "a in (b,,c)", "a in (,b,c)"},
        {"TwoCommasAtTheEnd", "a in (b,,)",
         "unable to parse requirement: found ')', expected: ',', or identifier"},
        {"BadKey", "-a",
         "unable to parse requirement: <nil>: Invalid value: \"-a\": " + std::string(kKeyFault)},
        {"NoValueList", "a in", "unable to parse requirement: found '' expected: '('"},
        {"NulEndsTheText", std::string("a,b\0", 4), "a,b"},
        {"NulWhereATokenBegins", std::string("a=\0b", 4), "a="},
    }),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace plimsoll::api
