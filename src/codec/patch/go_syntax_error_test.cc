#include "codec/patch/go_syntax_error.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plimsoll::codec {
namespace {

TEST(GoSyntaxErrorTest, SaysWhatGoSays) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "unexpected end of JSON input"},
      {"  ", "unexpected end of JSON input"},
      {"not json", "invalid character 'o' in literal null (expecting 'u')"},
      {"truX", "invalid character 'X' in literal true (expecting 'e')"},
      {"x", "invalid character 'x' looking for beginning of value"},
      {"'", "invalid character '\\'' looking for beginning of value"},
      {"[\"]", "unexpected end of JSON input"},
      {"[1 2]", "invalid character '2' after array element"},
      {"[1,]", "invalid character ']' looking for beginning of value"},
      {"[,1]", "invalid character ',' looking for beginning of value"},
      {"{1:2}", "invalid character '1' looking for beginning of object key string"},
      {"{\"a\":1,}", "invalid character '}' looking for beginning of object key string"},
      {"{\"a\" 1}", "invalid character '1' after object key"},
      {"{\"a\":1 \"b\"}", "invalid character '\"' after object key:value pair"},
      {"{\"a\":[{}]", "unexpected end of JSON input"},
      {"1 2", "invalid character '2' after top-level value"},
      {"01", "invalid character '1' after top-level value"},
      {"-x", "invalid character 'x' in numeric literal"},
      {"1.x", "invalid character 'x' after decimal point in numeric literal"},
      {"1ex", "invalid character 'x' in exponent of numeric literal"},
      {"\"\n\"", "invalid character '\\n' in string literal"},
      {"\"\\x\"", "invalid character 'x' in string escape code"},
      {"\"\\u00g0\"", "invalid character 'g' in \\u hexadecimal character escape"},
      {"\xe9", "invalid character 'é' looking for beginning of value"},
      {std::string(10'001, '['), "exceeded max depth"},
  };
  for (const auto& [text, want] : cases) {
    const auto got = GoSyntaxError(text);
    ASSERT_TRUE(got.has_value()) << text;
    EXPECT_EQ(*got, want) << text;
  }
}

TEST(GoSyntaxErrorTest, HasNothingToSayAboutJson) {
  for (const std::string text :
       {"{}", " [ ] ", "{\"a\":[1,-0.5e+3,\"\\u00e9\\n\"],\"b\":{\"c\":null}}", "true", "\"x\"",
        "[[],{},[{}]]", "0"}) {
    EXPECT_EQ(GoSyntaxError(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace plimsoll::codec
