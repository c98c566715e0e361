#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json.h"

namespace plimsoll::codec {
namespace {

std::unique_ptr<Document> MustParse(std::string text) {
  Result<std::unique_ptr<Document>> parsed = ParseJson(std::move(text));
  EXPECT_TRUE(parsed.has_value()) << parsed.error().Text();
  return parsed.has_value() ? std::move(*parsed) : nullptr;
}

struct FaultCase {
  std::string name;
  std::string text;
  std::string want;
};

class ParseJsonFaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(ParseJsonFaultTest, SaysWhatAndWhere) {
  const auto parsed = ParseJson(GetParam().text);
  ASSERT_FALSE(parsed.has_value());
  EXPECT_EQ(parsed.error(), (Error{Reason::BadRequest, "", GetParam().want}));
}

INSTANTIATE_TEST_SUITE_P(
    All, ParseJsonFaultTest,
    testing::ValuesIn<FaultCase>({
        {"Empty", "", "line 1, column 1: expected a value, found the end of the text"},
        {"BlanksOnly", " \n ", "line 2, column 2: expected a value, found the end of the text"},
        {"ByteOrderMark", "\xEF\xBB\xBF{}",
         "line 1, column 1: expected a value, found a byte order mark"},
        {"Word", "[nul]", "line 1, column 2: expected a value, found 'n'"},
        {"CapitalWord", "True", "line 1, column 1: expected a value, found 'T'"},
        {"LongerWord", "nulls",
         "line 1, column 5: expected the end of the text after the value, "
         "found 's'"},
        {"Trailing", "{}\n{}",
         "line 2, column 1: expected the end of the text after the value, found '{'"},
        {"TrailingNul", std::string("1\0", 2),
         "line 1, column 2: expected the end of the text after the value, found byte 0x00"},
        {"UnclosedObject", "{",
         "line 1, column 2: expected a key or '}', found the end of the text"},
        {"BareKey", "{a:1}", "line 1, column 2: expected a key or '}', found 'a'"},
        {"NoColon", "{\"a\" 1}", "line 1, column 6: expected ':' after a key, found '1'"},
        {"NoValue", "{\"a\":}", "line 1, column 6: expected a value, found '}'"},
        {"NoCommaInObject", "{\"a\":1 \"b\":2}",
         "line 1, column 8: expected ',' or '}' after a member, found '\"'"},
        {"TrailingCommaInObject", "{\"a\":1,}",
         "line 1, column 8: expected a key after ',', found '}'"},
        {"UnclosedArray", "[1,\n 2",
         "line 2, column 3: expected ',' or ']' after an item, found "
         "the end of the text"},
        {"TrailingCommaInArray", "[1,]", "line 1, column 4: expected a value, found ']'"},
        {"WrongBracket", "[1}", "line 1, column 3: expected ',' or ']' after an item, found '}'"},
        {"LeadingZero", "[01]", "line 1, column 3: expected ',' or ']' after an item, found '1'"},
        {"LeadingPlus", "+1", "line 1, column 1: expected a value, found '+'"},
        {"OnlyMinus", "-", "line 1, column 2: expected a digit, found the end of the text"},
        {"NoFraction", "1.", "line 1, column 3: expected a digit, found the end of the text"},
        {"NoExponent", "1e+x", "line 1, column 4: expected a digit, found 'x'"},
        {"NoDigitBeforePoint", ".5", "line 1, column 1: expected a value, found '.'"},
        {"UnclosedText", "\"ab",
         "line 1, column 4: expected '\"' at the end of a string, found the end of the text"},
        {"LineEndInText", "\"a\nb\"",
         "line 1, column 3: expected no control character in a string, found byte 0x0a"},
        {"NulInText", std::string("\"a\0\"", 4),
         "line 1, column 3: expected no control character in a string, found byte 0x00"},
        {"WrongEscape", R"("\x")",
         R"(line 1, column 3: expected one of "\/bfnrtu after a backslash, found 'x')"},
        {"NulEscape", std::string("\"\\\0\"", 4),
         R"(line 1, column 3: expected one of "\/bfnrtu after a backslash, found byte 0x00)"},
        {"ShortHex", R"("\u12g4")",
         R"(line 1, column 6: expected four hexadecimal digits after \u, found 'g')"},
        {"ShortHexInSecondHalf", R"("\ud800\u12")",
         R"(line 1, column 12: expected four hexadecimal digits after \u, found '"')"},
        {"ColumnsAreCharacters", "[\"\u00e9\u65e5\" x]",
         "line 1, column 7: expected ',' or ']' after an item, found 'x'"},
        {"ForeignCharacter", "[\u65e5]", "line 1, column 2: expected a value, found '\u65e5'"},
        {"StrayByte", "[\x80]", "line 1, column 2: expected a value, found byte 0x80"},
        {"SingleQuotes", "{'a':1}", "line 1, column 2: expected a key or '}', found '''"},
        {"VerticalTab", "\v1", "line 1, column 1: expected a value, found byte 0x0b"},
    }),
    [](const auto& test) { return test.param.name; });

struct ScalarCase {
  std::string name;
  std::string text;
  Value want;
};

class ParseJsonScalarTest : public testing::TestWithParam<ScalarCase> {};

TEST_P(ParseJsonScalarTest, HasItsValue) {
  const auto document = MustParse(GetParam().text);
  ASSERT_NE(document, nullptr);
  EXPECT_TRUE(document->root() == GetParam().want) << WriteJson(document->root());
}

INSTANTIATE_TEST_SUITE_P(
    All, ParseJsonScalarTest,
    testing::ValuesIn<ScalarCase>({
        {"Null", " null\r\n", Value::Null()},
        {"True", "\ttrue", Value::Bool(true)},
        {"False", "false ", Value::Bool(false)},
        {"Zero", "0", Value::Int(0)},
        {"MinusZero", "-0", Value::Number("-0")},
        {"Largest", "9223372036854775807", Value::Int(INT64_MAX)},
        {"OneTooLarge", "9223372036854775808", Value::Number("9223372036854775808")},
        {"Smallest", "-9223372036854775808", Value::Int(INT64_MIN)},
        {"OneTooSmall", "-9223372036854775809", Value::Number("-9223372036854775809")},
        {"Fraction", "1.50", Value::Number("1.50")},
        {"Exponent", "1E+2", Value::Number("1E+2")},
        {"ZeroFraction", "-0.0e-0", Value::Number("-0.0e-0")},
        {"EmptyText", "\"\"", Value::String("")},
        {"Text", "\"0123456789abcdef0123456789\"", Value::String("0123456789abcdef0123456789")},
        {"Utf8", "\"\u00e9\u65e5\U0001f6a2\"", Value::String("\u00e9\u65e5\U0001f6a2")},
        {"Escapes", R"("a\"\\\/\b\f\n\r\tz")", Value::String("a\"\\/\b\f\n\r\tz")},
        {"HexEscape", R"("\u00e9\u65E5")", Value::String("\u00e9\u65e5")},
        {"SurrogatePair", R"("\ud83d\udea2")", Value::String("\U0001f6a2")},
        {"LoneHighSurrogate", R"("\ud83dx")", Value::String("\ufffdx")},
        {"LoneLowSurrogate", R"("\udea2")", Value::String("\ufffd")},
        {"HighSurrogateThenLetter", R"("\ud83d\u0041")", Value::String("\ufffdA")},
        {"HighSurrogateThenPair", R"("\ud83d\ud83d\udea2")", Value::String("\ufffd\U0001f6a2")},
        {"BadUtf8",
         "\"a\xff\xfe"
         "b\"",
         Value::String("a\ufffd\ufffd"
                       "b")},
        {"OverlongUtf8", "\"\xc0\x80\"", Value::String("\ufffd\ufffd")},
        {"Utf8Surrogate", "\"\xed\xa0\x80\"", Value::String("\ufffd\ufffd\ufffd")},
        {"TruncatedUtf8", "\"\xe6\x97\"", Value::String("\ufffd\ufffd")},
        {"Delete", "\"\x7f\"", Value::String("\x7f")},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ParseJsonTest, KeepsOrderAndLines) {
  const auto document = MustParse("{\n\"b\": [1,\n2],\n\n\"a\": {\"x\":\n\"y\"}}");
  const Value& root = document->root();
  ASSERT_EQ(root.members().size(), 2u);
  EXPECT_EQ(root.line(), 1u);
  EXPECT_EQ(root.members()[0].key, "b");
  EXPECT_EQ(root.members()[0].value.line(), 2u);
  EXPECT_EQ(root.members()[0].value.items()[1].line(), 3u);
  EXPECT_EQ(root.members()[1].value.line(), 5u);
  EXPECT_EQ(root.Find("a")->Find("x")->line(), 6u);
  EXPECT_EQ(root.Find("c"), nullptr);
}

TEST(ParseJsonTest, ReadsEveryLengthOfText) {
  // The scan reads sixteen bytes at a time, then one; all remainders and positions must agree.
  for (std::size_t length = 0; length < 70; ++length) {
    const std::string plain(length, 'x');
    const auto document = MustParse("[\"" + plain + "\",\"" + plain + "\\n" + plain + "\"]");
    EXPECT_EQ(document->root().items()[0].text(), plain);
    EXPECT_EQ(document->root().items()[1].text(), plain + "\n" + plain);
  }
}

TEST(ParseJsonDuplicatesTest, LastWinsInTheFirstPlace) {
  const auto document = MustParse("{\"a\":1,\n\"b\":2,\n\"a\":3,\"a\":4}");
  EXPECT_EQ(WriteJson(document->root()), R"({"a":4,"b":2})");
  ASSERT_EQ(document->duplicates().size(), 1u);
  EXPECT_EQ(document->duplicates()[0].path, "a");
  EXPECT_EQ(document->duplicates()[0].line, 3u);
}

std::vector<std::string> DuplicatePaths(std::string text) {
  const auto document = MustParse(std::move(text));
  std::vector<std::string> paths;
  for (const DuplicateKey& duplicate : document->duplicates()) {
    paths.push_back(duplicate.path);
  }
  return paths;
}

TEST(ParseJsonDuplicatesTest, AreNamedByPathInOrderOfTheSource) {
  EXPECT_THAT(
      DuplicatePaths(R"({"spec":{"containers":[{"name":"a"},{"name":"b","name":"c"}],"x":1,"x":2},
                         "metadata":{"labels":{"a.b/c":"1","a.b/c":"2"}},"spec":{}})"),
      testing::ElementsAre("spec.containers[1].name", "spec.x", "metadata.labels.a.b/c", "spec"));
  EXPECT_THAT(DuplicatePaths(R"([[{"a":1,"\u0061":2}]])"), testing::ElementsAre("[0][0].a"));
  EXPECT_THAT(DuplicatePaths(R"({"":1,"":2})"), testing::ElementsAre(""));
  EXPECT_THAT(DuplicatePaths(R"({"x":{"a":1,"a":2},"x":{"a":1,"a":2}})"),
              testing::ElementsAre("x.a", "x"));
}

TEST(ParseJsonDuplicatesTest, AreFoundInLargeObjects) {
  std::string text = "{";
  for (int key = 0; key < 1000; ++key) text += "\"k" + std::to_string(key) + "\":0,";
  text += R"("k7":1,"last":2,"k7":3})";
  const auto document = MustParse(text);
  EXPECT_EQ(document->root().members().size(), 1001u);
  EXPECT_EQ(document->root().members()[7].value.AsInt(), 3);
  ASSERT_EQ(document->duplicates().size(), 1u);
  EXPECT_EQ(document->duplicates()[0].path, "k7");
}

TEST(ParseJsonDuplicatesTest, AreToldUpToALimit) {
  std::string text = "[";
  for (int item = 0; item < 150; ++item) text += R"({"a":1,"a":2},)";
  text += "0]";
  EXPECT_EQ(DuplicatePaths(text).size(), 100u);
}

TEST(ParseJsonLimitsTest, HoldOnBothSides) {
  const std::string text = R"({"a":[[1,2]]})";
  const auto parse = [&](ParseLimits limits) { return ParseJson(text, limits); };
  EXPECT_TRUE(parse({.bytes_max = 13, .depth_max = 3, .values_max = 5}).has_value());

  const auto too_long = parse({.bytes_max = 12});
  ASSERT_FALSE(too_long.has_value());
  EXPECT_EQ(too_long.error(),
            (Error{Reason::RequestEntityTooLarge, "", "Request entity too large: limit is 12"}));
  const auto too_deep = parse({.depth_max = 2});
  ASSERT_FALSE(too_deep.has_value());
  EXPECT_EQ(too_deep.error().Text(), "line 1, column 7: nested deeper than 2 levels");
  const auto too_many = parse({.values_max = 4});
  ASSERT_FALSE(too_many.has_value());
  EXPECT_EQ(too_many.error().Text(), "line 1, column 10: more than 4 values");
}

TEST(ParseJsonLimitsTest, TheDefaultsStopBombs) {
  EXPECT_FALSE(ParseJson(std::string(1u << 20, '[')).has_value());
  std::string many = "[0";
  for (std::size_t count = 0; count < (1u << 20); ++count) many += ",0";
  EXPECT_FALSE(ParseJson(many).has_value());
}

struct SkippedCase {
  std::string name;
  std::string text;
  std::string want;  // the remaining tree, or the error
};

class ParseJsonSkippedTest : public testing::TestWithParam<SkippedCase> {};

TEST_P(ParseJsonSkippedTest, PassesOverWhatTheKeysLeadTo) {
  constexpr std::array<std::string_view, 2> kKeys{"a", "b"};
  constexpr std::array<std::string_view, 3> kMore{"a", "c", "d"};
  constexpr std::array<std::string_view, 1> kShort{"e"};
  const std::array<KeyPath, 3> paths{kKeys, kMore, kShort};
  const auto parsed = ParseJson(GetParam().text, {}, paths);
  EXPECT_EQ(parsed ? WriteJson((*parsed)->root()) : parsed.error().Text(), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, ParseJsonSkippedTest,
    testing::ValuesIn<SkippedCase>({
        {"Array", R"({"a":{"x":1,"b":[{"k":["]"]},[2]],"y":2}})", R"({"a":{"x":1,"y":2}})"},
        {"Object", R"({"a":{"b":{"k":"}"}},"z":3})", R"({"a":{},"z":3})"},
        {"Empty", R"({"a":{"b":[]}})", R"({"a":{}})"},
        {"Every", R"({"a":{"b":[1],"x":1,"b":[2]}})", R"({"a":{"x":1}})"},
        {"QuotesInStrings", R"({"a":{"b":["\"]","\\"],"x":1}})", R"({"a":{"x":1}})"},
        {"Several", R"({"a":{"b":[1],"c":{"x":1,"d":{},"y":{"d":[2]}}},"e":{"e":1},"f":{"e":[3]}})",
         R"({"a":{"c":{"x":1,"y":{"d":[2]}}},"f":{"e":[3]}})"},
        {"NotAScalar", R"({"a":{"b":1}})", R"({"a":{"b":1}})"},
        {"NotElsewhere", R"({"b":[1],"x":{"b":[2]},"a":{"x":{"b":[3]}}})",
         R"({"b":[1],"x":{"b":[2]},"a":{"x":{"b":[3]}}})"},
        {"NotDeeper", R"({"x":{"a":{"b":[1]}}})", R"({"x":{"a":{"b":[1]}}})"},
        {"NotInAnArray", R"([{"a":{"b":[1]}}])", R"([{"a":{"b":[1]}}])"},
        {"NotBehindAnArray", R"({"a":[{"b":[1]}]})", R"({"a":[{"b":[1]}]})"},
        {"LinesAreCounted", "{\"a\":{\"b\":[\n\n]\n}x",
         "line 4, column 2: expected ',' or '}' after a member, found 'x'"},
        {"Unclosed", R"({"a":{"b":[1)",
         "line 1, column 13: expected ',' or a closing bracket, found the end of the text"},
        {"UnclosedString", R"({"a":{"b":["1)",
         R"(line 1, column 14: expected '"' at the end of a string, found the end of the text)"},
        {"EndsInABackslash", R"({"a":{"b":["\)",
         R"(line 1, column 14: expected '"' at the end of a string, found the end of the text)"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::codec
