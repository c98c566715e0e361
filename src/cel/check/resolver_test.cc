#include "cel/check/resolver.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "cel/check/names.h"
#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

/// `a.b` is {'c': 1}, `box.y` is 2, `y` is 3; the container is `box`.
std::string AnswerUnchecked(std::string_view expression) {
  static const auto environment = [] {
    EnvironmentOptions options = TolerationEnvironment()->options();
    options.container = "box";
    options.variables = {{.name = "a.b", .type = "map(string, int)", .size = {}},
                         {.name = "box.y", .type = "int", .size = {}},
                         {.name = "y", .type = "int", .size = {}}};
    return *Environment::Make(std::move(options));
  }();
  const auto compiled = environment->CompileUnchecked(expression);
  if (!compiled.has_value()) return compiled.error().Text();
  const auto program = Program::Plan(*compiled, environment);
  if (!program.has_value()) return "plan: " + program.error();
  Arena arena;
  const std::array entries{MapValue::Entry{Value::String("c"), Value::Int(1)}};
  const std::array<Value, 3> variables{Value::Map(MapValue::Make(entries, arena)), Value::Int(2),
                                       Value::Int(3)};
  Evaluation evaluation;
  const Value value = evaluation.Evaluate(**program, variables).value;
  return (value.is_error() ? "error: " : "") + Render(value);
}

TEST(ResolverTest, FindsAtRunTimeWhatNamesAndCallsStandFor) {
  const std::vector<AnswerCase> cases{
      // Names: the longest variable wins, then the innermost container; locals come first.
      {"a.b.c", "1"},
      {"a.b.d", "error: no such key: d"},
      {"has(a.b.c)", "true"},
      {"a.b.?c.hasValue()", "true"},
      {"y", "2"},
      {".y", "3"},
      {"[7].map(y, y)", "[7]"},
      {"[{'y': 7}].map(box, box.y)", "[7]"},
      {"[7].map(x, .y)", "[3]"},
      {"type(y) == int", "true"},
      {"int.max", "error: no such attribute(s): box.int.max, int.max"},
      {"x", "error: no such attribute(s): box.x, x"},
      {"x.y.z || true", "true"},
      {"dyn", "error: no such attribute(s): box.dyn, dyn"},
      // Calls: resolved by name and arguments at run time.
      {"size('abc') + 'ab'.size()", "5"},
      {"optional.of(1).orValue(2)", "1"},
      {"f(1)", "error: no such overload: f"},
      {"y.f()", "error: no such overload: f"},
      {"optional.none().orValue()", "error: no such overload: orValue(optional_type)"},
      {"'a'.split(1)", "error: no such overload: split(string, int)"},
      {"-false", "error: no such overload"},
      {"'a' < 1", "error: no such overload"},
      // Operands of any kind.
      {"1.0 == 1", "true"},
      {"false && 32", "false"},
      {"'horses' && false", "false"},
      {"'a' || 'b'", "error: no such overload"},
      {"!0", "error: no such overload"},
      {"1 ? 2 : 3", "error: no such overload"},
      {"[1, 'a', y].size()", "3"},
      // Messages.
      {"google.protobuf.Int64Value{value: 5}", "5"},
      {"google.protobuf.Int64Value{value: 5}.value", "error: no such key: value"},
      {"Unknown{}", "plan: unknown type: Unknown"},
  };
  for (const AnswerCase& one : cases) {
    EXPECT_EQ(AnswerUnchecked(one.expression), one.answer) << one.expression;
  }
}

TEST(FindInContainerTest, GoesFromTheInsideOut) {
  std::string seen;
  FindInContainer("a.b", "x.y", [&](std::string_view name) {
    seen += std::string(name) + " ";
    return false;
  });
  FindInContainer("a.b", ".x", [&](std::string_view name) {
    seen += name;
    return false;
  });
  EXPECT_EQ(seen, "a.b.x.y a.x.y x.y x");
}

TEST(ResolverTest, LeavesFaultsOfSyntaxToTheParser) {
  EXPECT_TRUE(AnswerUnchecked("1 +").starts_with("ERROR: <input>:1:4: Syntax error"));
}

}  // namespace
}  // namespace plimsoll::cel
