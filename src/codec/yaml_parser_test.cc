#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::codec {
namespace {

std::vector<std::unique_ptr<Document>> MustParse(std::string_view text,
                                                 const ParseLimits& limits = {}) {
  auto parsed = ParseYaml(text, limits);
  EXPECT_TRUE(parsed.has_value()) << parsed.error().Text();
  return parsed.has_value() ? std::move(*parsed) : std::vector<std::unique_ptr<Document>>();
}

/// Returns the documents of a stream as JSON, one per line.
std::string AsJson(std::string_view text) {
  std::string out;
  for (const auto& document : MustParse(text)) out += WriteJson(document->root()) + "\n";
  if (!out.empty()) out.pop_back();
  return out;
}

struct Case {
  std::string name;
  std::string text;
  std::string want;
};

class ParseYamlTest : public testing::TestWithParam<Case> {};

TEST_P(ParseYamlTest, MeansThisJson) { EXPECT_EQ(AsJson(GetParam().text), GetParam().want); }

const auto kName = [](const auto& test) { return test.param.name; };

INSTANTIATE_TEST_SUITE_P(
    Scalars, ParseYamlTest,
    testing::ValuesIn<Case>({
        {"Nulls", "[~, null, Null, NULL, !!null '']", "[null,null,null,null,null]"},
        {"NullsInMapping", "{a: , b: ~}", R"({"a":null,"b":null})"},
        {"Trues", "[y, Y, yes, Yes, YES, true, True, TRUE, on, On, ON]",
         "[true,true,true,true,true,true,true,true,true,true,true]"},
        {"Falses", "[n, N, no, No, NO, false, False, FALSE, off, Off, OFF]",
         "[false,false,false,false,false,false,false,false,false,false,false]"},
        {"NoBooleans", "[yEs, tRue, oN, nULL, 'yes', \"no\"]",
         R"(["yEs","tRue","oN","nULL","yes","no"])"},
        {"Integers", "[0, -0, 12, +12, -12, 1_000, 9223372036854775807, -9223372036854775808]",
         "[0,0,12,12,-12,1000,9223372036854775807,-9223372036854775808]"},
        {"Bases", "[0x1F, -0x1f, 0b101, -0b11, 0o17, 017, 0O7, 0X_a]", "[31,-31,5,-3,15,15,7,10]"},
        {"Beyond64Bits", "[9223372036854775808, 18446744073709551615, 18446744073709551616]",
         "[9223372036854775808,18446744073709551615,18446744073709552000]"},
        {"BadOctalIsDecimal", "[08, 0o8, 0x, 0b2]", R"([8,"0o8","0x","0b2"])"},
        {"Floats", "[1.5, .5, 5., -1.25e3, 1e3, 1.0, +0.1, 1_0.5, 6.02E23, 1e-7, -0.0]",
         "[1.5,0.5,5,-1250,1000,1,0.1,10.5,6.02e+23,1e-7,-0]"},
        {"NoFloats", "[., .5_0, 1e, 1e999, 1.2.3, -, +, 1:30]",
         R"([".",".5_0","1e","1e999","1.2.3","-","+","1:30"])"},
        {"Timestamps", "[2024-01-02, 2024-01-02T03:04:05Z, 2024-01-02 03:04:05]",
         R"(["2024-01-02","2024-01-02T03:04:05Z","2024-01-02 03:04:05"])"},
        {"Quantities", "{cpu: 500m, memory: 1Gi, disk: 1e3Ki}",
         R"({"cpu":"500m","memory":"1Gi","disk":"1e3Ki"})"},
        {"Tags", "[!!str 12, !!int '12', !!float 3, !!bool 'yes', !own x, !!timestamp 2024-01-02]",
         R"(["12",12,3,true,"x","2024-01-02"])"},
        {"NonSpecificTag", "[! 12, ! '12']", R"(["12","12"])"},
        {"Quoted", R"(['it''s', "a\tb\u00e9\x41\/", "12"])", "[\"it's\",\"a\\tb\u00e9A/\",\"12\"]"},
        {"Literal", "a: |\n  one\n   two\nb: >-\n  one\n  two\n",
         R"({"a":"one\n two\n","b":"one two"})"},
    }),
    kName);

INSTANTIATE_TEST_SUITE_P(
    Structures, ParseYamlTest,
    testing::ValuesIn<Case>({
        {"NoDocument", "", ""},
        {"OnlyComments", "# nothing\n---\n# here\n", ""},
        {"EmptySections", "---\n---\na: 1\n---\n\n---\nb: 2\n...\n", "{\"a\":1}\n{\"b\":2}"},
        {"WrittenNullStays", "--- null\n", "null"},
        {"Nested", "a:\n- b: 1\n  c: [x, {k: z}]\n-\n  - 2\n",
         R"({"a":[{"b":1,"c":["x",{"k":"z"}]},[2]]})"},
        {"Json", R"({"a": [1, -2.5, "x\n", true, null, {}], "b": []})",
         R"({"a":[1,-2.5,"x\n",true,null,{}],"b":[]})"},
        {"Keys",
         "{1: a, 0x10: b, yes: c, 1.5: d, 1000000.0: e, .inf: f, -.inf: g, .nan: h, 2024-01-02: i}",
         R"({"1":"a","16":"b","true":"c","1.5":"d","1e+06":"e",".inf":"f","-.inf":"g",".nan":"h","2024-01-02":"i"})"},
        {"Aliases", "{a: &x {k: [1]}, b: *x, c: &y text, *y : 2}",
         R"({"a":{"k":[1]},"b":{"k":[1]},"c":"text","text":2})"},
        {"AnchorGivenAnew", "[&x 1, *x, &x 2, *x, &x [&x 3], *x]", "[1,1,2,2,[3],3]"},
        {"AnchoredKey", "{&k name: 1, other: *k}", R"({"name":1,"other":"name"})"},
        {"Merge", "{a: &x {k: 1, l: 2}, b: {<<: *x, l: 3, m: 4}}",
         R"({"a":{"k":1,"l":2},"b":{"k":1,"l":3,"m":4}})"},
        {"MergeOfMany", "{<<: [{a: 1}, {a: 2, b: 2}, {b: 3, c: 3}]}", R"({"b":2,"c":3,"a":1})"},
        {"MergeAsWritten", "{'<<': 1}", R"({"\u003c\u003c":1})"},
        {"ByteOrderMark",
         "\xEF\xBB\xBF"
         "a: 1",
         R"({"a":1})"},
    }),
    kName);

class ParseYamlFaultTest : public testing::TestWithParam<Case> {};

TEST_P(ParseYamlFaultTest, SaysWhatAndWhere) {
  const auto parsed = ParseYaml(GetParam().text);
  ASSERT_FALSE(parsed.has_value());
  EXPECT_EQ(parsed.error(), (Error{Reason::BadRequest, "", GetParam().want}));
}

INSTANTIATE_TEST_SUITE_P(
    All, ParseYamlFaultTest,
    testing::ValuesIn<Case>({
        {"NestedPlainMapping", "a: b: c",
         "yaml: line 1: mapping values are not allowed in this context"},
        {"Tab", "a:\n\tb: 1", "yaml: line 2: found character that cannot start any token"},
        {"Unclosed", "a: 1\nb: [1, 2\n", "yaml: line 3: did not find expected ',' or ']'"},
        {"NoKey", "a: 1\n b: 2\n", "yaml: line 2: mapping values are not allowed in this context"},
        {"BadUtf8", "a: 1\nb: \xff\n", "yaml: line 2: invalid leading UTF-8 octet"},
        {"ControlCharacter", "a: \x01\n", "yaml: line 1: control characters are not allowed"},
        {"Infinity", "a:\n  b: .inf", "yaml: line 2: json: unsupported value: +Inf"},
        {"MinusInfinity", "-.INF", "yaml: line 1: json: unsupported value: -Inf"},
        {"NotANumber", ".nan", "yaml: line 1: json: unsupported value: NaN"},
        {"TagMismatch", "a: !!int abc", "yaml: line 1: cannot decode !!str `abc` as a !!int"},
        {"Binary", "a: !!binary aGk=", "yaml: line 1: !!binary is not supported"},
        {"NullKey", "{~: 1}", "yaml: line 1: unsupported map key: null"},
        {"SequenceKey", "? [a]\n: 1", "yaml: line 1: invalid map key"},
        {"AliasedMappingKey", "a: &x {}\n*x : 1", "yaml: line 2: invalid map key"},
        {"UnknownAnchor", "a: 1\nb: *x", "yaml: line 2: unknown anchor 'x' referenced"},
        {"AnchorOfAnotherDocument", "&x 1\n---\n*x", "yaml: line 3: unknown anchor 'x' referenced"},
        {"AnchorInItself", "a: &x\n  b: *x", "yaml: line 2: anchor 'x' value contains itself"},
        {"MergeOfScalar", "a: 1\n<<: 2",
         "yaml: line 2: map merge requires map or sequence of maps as the value"},
        {"MergeOfScalars", "<<: [{}, 2]",
         "yaml: line 1: map merge requires map or sequence of maps as the value"},
    }),
    kName);

TEST(ParseYamlLinesTest, AreThoseOfTheSource) {
  const auto documents = MustParse("a: 1\n---\n\nb:\n- &x {c: 2}\n- *x\n");
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[0]->root().line(), 1u);
  EXPECT_EQ(documents[1]->root().line(), 4u);
  const auto items = documents[1]->root().Find("b")->items();
  EXPECT_EQ(items[0].line(), 5u);
  EXPECT_EQ(items[1].line(), 6u);
  EXPECT_EQ(items[1].Find("c")->line(), 5u);
}

TEST(ParseYamlAliasTest, IsACopyThatChangesAlone) {
  const auto documents = MustParse("{a: &x {k: [1]}, b: *x}");
  Document& document = *documents.at(0);
  document.Append(*document.root().Find("a")->Find("k"), Value::Int(2));
  document.root().Find("a")->Find("k")->items()[0] = Value::Int(3);
  EXPECT_EQ(WriteJson(document.root()), R"({"a":{"k":[3,2]},"b":{"k":[1]}})");
}

TEST(ParseYamlDuplicatesTest, AreToldButForMergedKeys) {
  const auto documents = MustParse(
      "spec:\n  containers:\n  - name: a\n    name: b\nx: &x {p: 1}\nz: {<<: *x, p: 2}\nspec: 1\n");
  const auto& duplicates = documents.at(0)->duplicates();
  ASSERT_EQ(duplicates.size(), 2u);
  EXPECT_EQ(duplicates[0].path, "spec.containers[0].name");
  EXPECT_EQ(duplicates[0].line, 4u);
  EXPECT_EQ(duplicates[1].path, "spec");
  EXPECT_EQ(duplicates[1].line, 7u);
  EXPECT_EQ(WriteJson(documents.at(0)->root()), R"({"spec":1,"x":{"p":1},"z":{"p":2}})");
}

std::string FaultOf(std::string_view text, const ParseLimits& limits) {
  const auto parsed = ParseYaml(text, limits);
  return parsed.has_value() ? "" : parsed.error().Text();
}

TEST(ParseYamlLimitsTest, HoldOnBothSides) {
  const std::string_view text = "a:\n- &x [1, 2]\n- *x\n";
  EXPECT_EQ(FaultOf(text, {.bytes_max = 20, .depth_max = 3, .values_max = 8}), "");
  EXPECT_EQ(FaultOf(text, {.bytes_max = 19}), "Request entity too large: limit is 19");
  EXPECT_EQ(FaultOf(text, {.depth_max = 2}), "yaml: line 2: nested deeper than 2 levels");
  EXPECT_EQ(FaultOf(text, {.values_max = 7}),
            "yaml: line 3: document contains excessive aliasing: more than 7 values");
  EXPECT_EQ(FaultOf(text, {.values_max = 4}), "yaml: line 2: more than 4 values");
  // The height of an alias is added to the depth of its place.
  const std::string_view deep = "{a: &x [[1]], b: {c: *x}}";
  EXPECT_EQ(FaultOf(deep, {.depth_max = 4}), "");
  EXPECT_EQ(FaultOf(deep, {.depth_max = 3}), "yaml: line 1: nested deeper than 3 levels");
  // All documents of a stream count together.
  EXPECT_EQ(FaultOf("1\n---\n2\n---\n3", {.values_max = 3}), "");
  EXPECT_EQ(FaultOf("1\n---\n2\n---\n3", {.values_max = 2}), "yaml: line 5: more than 2 values");
}

TEST(ParseYamlLimitsTest, AnAliasBombIsRefused) {
  std::string text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int level = 1; level < 10; ++level) {
    const std::string alias = "*a" + std::to_string(level - 1);
    text += "a" + std::to_string(level) + ": &a" + std::to_string(level) + " [";
    for (int copy = 0; copy < 10; ++copy) text += alias + ", ";
    text += "]\n";
  }
  EXPECT_EQ(FaultOf(text, {}),
            "yaml: line 6: document contains excessive aliasing: more than 3145728 bytes");
  EXPECT_EQ(FaultOf(text, {.bytes_max = 1u << 30}),
            "yaml: line 6: document contains excessive aliasing: more than 1048576 values");
}

TEST(ParseYamlLimitsTest, ALongTextMeantOftenIsKeptOnce) {
  std::string text = "- &x " + std::string(100000, 'x') + "\n";
  for (int copy = 0; copy < 30; ++copy) text += "- *x\n";
  EXPECT_LT(MustParse(text).at(0)->bytes(), 1u << 20);
}

TEST(ParseYamlLimitsTest, AliasesOfALongTextCountItsBytesEachTime) {
  struct AliasCase {
    std::string name;
    std::string first;
    std::string again;
  };
  const std::string long_text(1000, 'x');
  for (const AliasCase& one :
       {AliasCase{"Scalar", "- &x " + long_text + "\n", "- *x\n"},
        AliasCase{"Inside", "- &x [{a: " + long_text + "}]\n", "- *x\n"},
        AliasCase{"Key", "- {&x " + long_text + " : 1}\n", "- {*x : 1}\n"},
        AliasCase{"KeyInside", "- &x {" + long_text + ": 1}\n", "- *x\n"},
        AliasCase{"Merge", "- &x {" + long_text + ": 1}\n", "- {<<: *x}\n"}}) {
    std::string text = one.first;
    for (int copy = 0; copy < 9; ++copy) text += one.again;
    EXPECT_EQ(FaultOf(text, {.bytes_max = 12000}), "") << one.name;
    text += one.again + one.again + one.again + one.again;
    EXPECT_TRUE(FaultOf(text, {.bytes_max = 12000})
                    .ends_with("document contains excessive aliasing: more than 12000 bytes"))
        << one.name;
  }
}

}  // namespace
}  // namespace plimsoll::codec
