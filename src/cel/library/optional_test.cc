#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(OptionalTest, AnOptionalIsAValueOrNone) {
  EXPECT_EQ(Differences({
                {"optional.of(1)", "optional.of(1) @1"},
                {"optional.of(1).value()", "1 @2"},
                {"optional.none().value()", "error: optional.none() dereference @2"},
                {"optional.of(1).hasValue()", "true @2"},
                {"optional.none().hasValue()", "false @2"},
                {"optional.ofNonZeroValue('')", "optional.none() @1"},
                {"optional.ofNonZeroValue(2)", "optional.of(2) @1"},
                {"optional.none() == optional.none()", "true @3"},
                {"optional.of(1) == optional.of(2)", "false @3"},
            }),
            "");
}

TEST(OptionalTest, TheAlternativeIsLookedAtOnlyWhenNeeded) {
  EXPECT_EQ(Differences({
                {"optional.of(1).orValue(1 / 0)", "1 @1"},
                {"optional.none().orValue(2)", "2 @1"},
                {"optional.none().or(optional.of(3)).value()", "3 @3"},
                {"optional.of(1).or(optional.of(1 / 0))", "optional.of(1) @1"},
            }),
            "");
}

TEST(OptionalTest, PartsThatMayBeMissing) {
  EXPECT_EQ(Differences({
                {"{'a': 1}.?a", "optional.of(1) @2"},
                {"{'a': 1}.?b", "optional.none() @1"},
                {"{'a': {'b': 2}}.?a.b", "optional.of(2) @3"},
                {"[1][?0]", "optional.of(1) @2"},
                {"[1][?3].orValue(7)", "7 @1"},
                {"[?optional.none(), ?optional.of(2)]", "[2] @12"},
                {"{?'a': optional.none(), 'b': 1}", R"({"b": 1} @31)"},
            }),
            "");
}

TEST(OptionalTest, MacrosOverOptionals) {
  EXPECT_EQ(Differences({
                {"optional.of(2).optMap(x, x * 3)", "optional.of(6) @7"},
                {"optional.none().optMap(x, x)", "optional.none() @3"},
                {"optional.of(2).optFlatMap(x, optional.of(x))", "optional.of(2) @6"},
            }),
            "");
}

TEST(OptionalTest, ListsOfOptionals) {
  EXPECT_EQ(Differences({
                {"[1, 2].first()", "optional.of(1) @1"},
                {"[1, 2].last()", "optional.of(2) @1"},
                {"[].first()", "optional.none() @1"},
                {"optional.unwrap([optional.of(1), optional.none()])", "[1] @13"},
                {"[optional.of(1), optional.none()].unwrapOpt()", "[1] @13"},
            }),
            "");
}

TEST(OptionalTest, AnOptionalHasASizeForTheStandardFunctionsOnly) {
  const std::string held = "dyn(optional.of('aaaaaaaaaaaaaaaaaaaaaaaaa'))";
  const auto refused = [](const std::string& call, const std::string& cost) {
    return "error: no such overload: " + call + " @" + cost;
  };
  EXPECT_EQ(Differences({
                {held + " == " + held, "true @7"},
                {held + ".matches('aaaa')", "error: no such overload @5"},
                {held + ".find('aaaa')", "error: no such overload @3"},
                {held + ".upperAscii()", refused("upperAscii(optional_type)", "3")},
                {held + ".split('a')", refused("split(optional_type, string)", "3")},
                {"quantity(" + held + ")", refused("quantity(optional_type)", "3")},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
