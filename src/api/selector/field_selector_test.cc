#include "api/selector/field_selector.h"

#include <gtest/gtest.h>

namespace plimsoll::api {
namespace {

struct ParseCase {
  std::string name;
  std::string text;
  std::string want;  // Text(), or the error
};

class FieldSelectorParseTest : public testing::TestWithParam<ParseCase> {};

TEST_P(FieldSelectorParseTest, GivesTextOrError) {
  const Result<FieldSelector> got = FieldSelector::Parse(GetParam().text);
  EXPECT_EQ(got ? got->Text() : got.error().message, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, FieldSelectorParseTest,
    testing::ValuesIn<ParseCase>({
        {"Empty", "", ""},
        {"DoubleEqualsIsEquals", "a==b", "a=b"},
        {"TermsAreSorted", "b=1,a!=2", "a!=2,b=1"},
        {"EmptyTermsAreDropped", ",,a=b,", "a=b"},
        {"NeitherFieldNorValue", "=,!=", ""},
        {"EscapesSurvive", R"(a=\,\=\\)", R"(a=\,\=\\)"},
        {"BlanksAreKept", " a = b ", " a = b "},
        {"NoOperator", "a", "invalid selector: 'a'; can't understand 'a'"},
        {"BadEscape", "a=\\é", "invalid field selector: invalid escape sequence: \\é"},
        {"LoneBackslash", "a=b\\", "invalid field selector: invalid escape sequence: \\"},
        {"BareEquals", "a=b=c", "invalid field selector: unescaped character in value: 61"},
    }),
    [](const auto& one) { return one.param.name; });

TEST(FieldSelectorTest, AnAbsentFieldIsEmpty) {
  EXPECT_TRUE(FieldSelector::Parse("spec.nodeName=")->Matches({}));
  EXPECT_FALSE(FieldSelector::Parse("spec.nodeName!=")->Matches({}));
  EXPECT_TRUE(FieldSelector::Parse("spec.nodeName!=")->Matches({{"spec.nodeName", "n"}}));
  EXPECT_FALSE(FieldSelector::Parse("a=b,c=d")->Matches({{"a", "b"}}));
}

}  // namespace
}  // namespace plimsoll::api
