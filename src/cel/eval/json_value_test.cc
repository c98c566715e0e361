#include "cel/eval/json_value.h"

#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(JsonValueTest, HoldsWhatJsonCan) {
  const std::vector<AnswerCase> cases{
      {"null", "null"},
      {"true", "true"},
      {"type(google.protobuf.ListValue{values: [1]}[0]) == double", "true"},
      {"1u", "1.0"},
      {"9007199254740991", "9.007199254740991e+15"},
      {"9007199254740992", "\"9007199254740992\""},
      {"-9007199254740992", "\"-9007199254740992\""},
      {"9007199254740992u", "\"9007199254740992\""},
      {"b'bar'", "\"YmFy\""},
      {"duration('1m')", "\"60s\""},
      {"timestamp('2020-01-01T00:00:00Z')", "\"2020-01-01T00:00:00Z\""},
      {"[[1.5], []]", "[[1.5], []]"},
      {"{'a': {'b': b''}}", "{\"a\": {\"b\": \"\"}}"},
      {"taint.key", "\"gpu\""},
      {"{1: 2}", "error: bad key type"},
      {"[int]", "error: unsupported type conversion from 'type' to google.protobuf.Value"},
      {"optional.none()",
       "error: unsupported type conversion from 'optional_type' to google.protobuf.Value"},
  };
  for (const AnswerCase& one : cases) {
    const std::string expression =
        one.expression.starts_with("type(")
            ? std::string(one.expression)
            : "google.protobuf.ListValue{values: [dyn(" + std::string(one.expression) + ")]}[0]";
    std::string answer = Answer(expression);
    answer.resize(answer.rfind(" @"));
    EXPECT_EQ(answer, one.answer) << expression;
  }
}

TEST(JsonValueTest, EndsWhereSharingWouldExplode) {
  std::string expression = "google.protobuf.ListValue{values: x0}";
  for (int i = 0; i < 40; ++i) {
    const std::string name = "x" + std::to_string(i);
    const std::string inner = "x" + std::to_string(i + 1);
    expression =
        expression.insert(0, "cel.bind(" + name + ", [dyn(" + inner + "), dyn(" + inner + ")], ") +
        ")";
  }
  EXPECT_TRUE(Answer("cel.bind(x40, [dyn(1)], " + expression + ")")
                  .starts_with("error: operation cancelled: "));
}

}  // namespace
}  // namespace plimsoll::cel
