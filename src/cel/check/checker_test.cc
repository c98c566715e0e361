#include "cel/check/checker.h"

#include <gtest/gtest.h>

#include "cel/check/validators.h"
#include "cel/check/well_known.h"
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

TEST(CheckerTest, TypesFollowFromTheParts) {
  ExpectAll(*TolerationEnvironment(),
            {
                {"taint", "kubernetes.Taint"},
                {"taint.key", "string"},
                {"has(taint.key)", "bool"},
                {"[]", "list(dyn)"},
                {"[[], [1]]", "list(list(int))"},
                {"{'a': [1u]}", "map(string, list(uint))"},
                {"[1].map(x, string(x))", "list(string)"},
                {"{'a': 1}.transformList(k, v, k)", "list(string)"},
                {"[1].transformList(i, v, i)", "list(int)"},
                {"[].min()", "int"},
                {"dyn(1) + dyn(2)", "dyn"},
                {"dyn(1).size()", "int"},
                {"true ? 1 : dyn('a')", "dyn"},
                {"optional.of(1).optMap(x, [x])", "optional_type(list(int))"},
                {"{'a': {'b': 1}}.?a.b", "optional_type(int)"},
                {"[1][?0].orValue(2)", "int"},
                {"type(1)", "type(int)"},
                {"optional_type", "type(optional_type(dyn))"},
                {"timestamp(0) - timestamp(1)", "google.protobuf.Duration"},
                {"google.protobuf.Struct{}", "map(string, dyn)"},
                {"google.protobuf.Int64Value{value: 1}", "wrapper(int)"},
                {"kubernetes.Taint{key: 'a'}", "kubernetes.Taint"},
                {"[?optional.of(1), 2]", "list(int)"},
                {"null == timestamp(0)", "bool"},
            });
}

TEST(CheckerTest, FaultsSpeakUpstreamsWords) {
  ExpectAll(
      *TolerationEnvironment(),
      {
          {"foo", "1:1 undeclared reference to 'foo' (in container '')"},
          {"foo(bar)",
           "1:4 undeclared reference to 'foo' (in container ''); "
           "1:5 undeclared reference to 'bar' (in container '')"},
          {"taint.foo", "1:6 undefined field 'foo'"},
          {"taint.key.foo", "1:10 type 'string' does not support field selection"},
          {"quantity('1').foo", "1:14 unexpected failed resolution of 'kubernetes.Quantity'"},
          {"1 + 'a'", "1:3 found no matching overload for '_+_' applied to '(int, string)'"},
          {"'a'.split(1)", "1:10 found no matching overload for 'split' applied to 'string.(int)'"},
          {"1 in {}", "bool"},
          {"1 in 2", "1:3 found no matching overload for '@in' applied to '(int, int)'"},
          {"1 && 'a'",
           "1:1 expected type 'bool' but found 'int'; "
           "1:6 expected type 'bool' but found 'string'"},
          {"1.all(x, true)",
           "1:1 expression of type 'int' cannot be range of a comprehension "
           "(must be list, map, or dynamic)"},
          {"kubernetes.Taint{foo: 1}", "1:21 undefined field 'foo'"},
          {"kubernetes.Taint{key: 1}",
           "1:21 expected type of field 'key' is 'string' but provided type is 'int'"},
          {"taint{}", "1:6 'kubernetes.Taint' is not a type"},
          {"int{}", "1:4 'int' is not a message type"},
          {"[?1]", "1:3 expected type 'optional_type(int)' but found 'int'"},
          {"null < timestamp(0)", "bool"},
          {"name('x')", "1:5 found no matching overload for 'name' applied to '(string)'"},
      });
}

TEST(CheckerTest, ValidatorsLookAtLiterals) {
  ExpectAll(*TolerationEnvironment(),
            {
                {"[1, 'a']", "1:5 expected type 'int' but found 'string'"},
                {"[1, dyn(2)]", "1:8 expected type 'int' but found 'dyn'"},
                {"{1: 1, 'a': 'b'}",
                 "1:8 expected type 'int' but found 'string'; "
                 "1:13 expected type 'int' but found 'string'"},
                {"'%s %d'.format(['a', 1])", "string"},
                {"taint.key.matches('(')", "1:19 invalid matches argument"},
                {"matches('(', 'a')", "1:9 invalid matches argument"},
                {"matches('a', '(')", "bool"},
                {"duration('x')", "1:10 invalid duration argument"},
                {"timestamp(null)", "1:11 invalid timestamp argument"},
                {"duration(null)", "1:10 invalid duration argument"},
                {"timestamp(253402300800)", "1:11 invalid timestamp argument"},
                {"false && timestamp('x') == timestamp(0)", "1:20 invalid timestamp argument"},
            });
}

TEST(CheckerTest, NamesAreFoundInTheContainer) {
  const auto environment = *Environment::Make({
      .container = "a.b",
      .libraries = TolerationEnvironment()->options().libraries,
      .variables = {{.name = "a.b.x", .type = "int"},
                    {.name = "x", .type = "string"},
                    {.name = "a.y.z", .type = "bool"}},
  });
  ExpectAll(*environment, {
                              {"x", "int"},
                              {".x", "string"},
                              {"a.b.x", "int"},
                              {"y.z", "bool"},
                              {"[true].all(x, x)", "bool"},
                              {"q", "1:1 undeclared reference to 'q' (in container 'a.b')"},
                          });
}

TEST(CheckerTest, TypesThatNobodyCouldReadAreDyn) {
  std::string text = "[1]";
  for (int i = 0; i < 60; ++i) text += ".map(x, {x: x})";
  EXPECT_TRUE(DeviceEnvironment(DeviceMode::Stored)->Compile(text).has_value());
}

TEST(CheckerTest, WellKnownMessagesAreFoundByName) {
  EXPECT_EQ(FindWellKnownType("google.protobuf.Any")->type, "any");
  EXPECT_EQ(FindWellKnownType("google.protobuf.Nope"), nullptr);
}

}  // namespace
}  // namespace plimsoll::cel
