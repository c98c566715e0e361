#include "api/selector/selector.h"

#include <gtest/gtest.h>

#include "api/selector/requirement.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kKeyFault =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

struct MatchCase {
  std::string name;
  std::string selector;
  StringMap labels;
  bool want;
};

class MatchTest : public testing::TestWithParam<MatchCase> {};

TEST_P(MatchTest, Matches) {
  const Result<Selector> selector = Selector::Parse(GetParam().selector);
  ASSERT_TRUE(selector) << selector.error().message;
  EXPECT_EQ(selector->Matches(GetParam().labels), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, MatchTest,
                         testing::ValuesIn<MatchCase>({
                             {"EmptyMatchesAll", "", {}, true},
                             {"InPresent", "a in (b,c)", {{"a", "c"}}, true},
                             {"InAbsent", "a in (b,c)", {}, false},
                             {"InEmptyValueIsNotAbsent", "a in ()", {}, false},
                             {"NotInAbsent", "a notin (b)", {}, true},
                             {"NotInPresent", "a notin (b)", {{"a", "b"}}, false},
                             {"NotEqualAbsent", "a!=b", {}, true},
                             {"ExistsEmpty", "a", {{"a", ""}}, true},
                             {"DoesNotExist", "!a", {{"a", ""}}, false},
                             {"GreaterIsStrict", "a>5", {{"a", "5"}}, false},
                             {"Greater", "a>5", {{"a", "06"}}, true},
                             {"LessOfText", "a<5", {{"a", "x"}}, false},
                             {"LessAbsent", "a<5", {}, false},
                             {"AllMustHold", "a,b", {{"a", ""}}, false},
                         }),
                         [](const auto& one) { return one.param.name; });

TEST(SelectorTest, ObjectOfNothingAndOfEverything) {
  const LabelSelector empty;
  EXPECT_TRUE(Selector::FromObject(&empty)->Matches({{"a", "b"}}));
  EXPECT_TRUE(Selector::FromObject(&empty)->empty());
  EXPECT_FALSE(Selector::FromObject(nullptr)->Matches({}));
  EXPECT_FALSE(Selector::FromObject(nullptr)->empty());
  EXPECT_EQ(FormatLabelSelector(nullptr), "<none>");
  EXPECT_EQ(FormatLabelSelector(&empty), "<none>");
}

TEST(SelectorTest, ObjectKeepsRepeatedValues) {
  const LabelSelector object{.match_labels = {{"z", "1"}},
                             .match_expressions = {{"b", "NotIn", {"y", "x", "x"}}}};
  EXPECT_EQ(FormatLabelSelector(&object), "b notin (x,x,y),z=1");
}

TEST(SelectorTest, OutlivesItsInput) {
  Result<Selector> selector = Fail(Reason::Invalid, "");
  {
    std::string text = "application in (backend-of-the-long-name,frontend-of-the-long-name)";
    selector = Selector::Parse(text);
    text.assign(text.size(), '?');
  }
  EXPECT_TRUE(selector->Matches({{"application", "frontend-of-the-long-name"}}));
}

TEST(SelectorTest, ObjectSaysEveryFaultOfARequirement) {
  const LabelSelector object{.match_labels = {}, .match_expressions = {{"-", "Exists", {"x"}}}};
  const Result<Selector> got = Selector::FromObject(&object);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message,
            "[key: Invalid value: \"-\": " + std::string(kKeyFault) +
                ", values: Invalid value: [\"x\"]: values set must be empty for exists and does "
                "not exist]");
}

}  // namespace
}  // namespace plimsoll::api
