#include "codec/value.h"

#include <gtest/gtest.h>

#include <string>

#include "codec/json.h"

namespace plimsoll::codec {
namespace {

TEST(ValueTest, AnythingButAContainerIsEmpty) {
  for (const Value& value : {Value::Null(), Value::Bool(true), Value::Int(1), Value::String("x")}) {
    EXPECT_TRUE(value.items().empty());
    EXPECT_TRUE(value.members().empty());
    EXPECT_EQ(value.Find("x"), nullptr);
  }
}

TEST(ValueTest, KnowsItsKind) {
  EXPECT_TRUE(Value::Int(1).is_number());
  EXPECT_TRUE(Value::Number("1.5").is_number());
  EXPECT_FALSE(Value::Number("1.5").is_int());
  EXPECT_EQ(Value::Number("1.5").text(), "1.5");
  EXPECT_TRUE(Value().is_null());
  EXPECT_FALSE(Value::Bool(false).AsBool());
}

TEST(ValueDeathTest, RefusesTheWrongKind) {
  EXPECT_DEATH(Value::Int(1).text(), "assertion failed");
  EXPECT_DEATH(Value::String("1").AsInt(), "assertion failed");
  EXPECT_DEATH(Value::Null().AsBool(), "assertion failed");
}

struct EqualCase {
  std::string name;
  std::string a;
  std::string b;
  bool want = false;
};

class ValueEqualTest : public testing::TestWithParam<EqualCase> {};

TEST_P(ValueEqualTest, HoldsBothWays) {
  const auto a = ParseJson(GetParam().a);
  const auto b = ParseJson(GetParam().b);
  ASSERT_TRUE(a.has_value() && b.has_value());
  EXPECT_EQ((*a)->root() == (*b)->root(), GetParam().want);
  EXPECT_EQ((*b)->root() == (*a)->root(), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, ValueEqualTest,
                         testing::ValuesIn<EqualCase>({
                             {"LinesDoNotMatter", "[1]", "\n[\n1]", true},
                             {"MembersInAnyOrder", R"({"x":0,"a":1,"b":2})",
                              R"({"x":0,"b":2,"a":1})", true},
                             {"ItemsInOrder", "[1,2]", "[2,1]", false},
                             {"OtherKind", "null", "false", false},
                             {"OtherBool", "true", "false", false},
                             {"OtherText", R"("a")", R"("b")", false},
                             {"NumbersByText", "1.0", "1.00", false},
                             {"IntIsNoNumber", "1", "1.0", false},
                             {"OtherKey", R"({"a":1,"b":1})", R"({"a":1,"c":1})", false},
                             {"OtherMember", R"({"a":1,"b":1})", R"({"b":1,"a":2})", false},
                             {"Subset", R"({"a":1})", R"({"a":1,"b":1})", false},
                             {"LongerArray", "[1]", "[1,1]", false},
                             {"EmptyContainers", "[]", "{}", false},
                         }),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::codec
