#include "cel/syntax/lexer.h"

#include <gtest/gtest.h>

#include <string>

#include "cel/syntax/issue_list.h"

namespace plimsoll::cel {
namespace {

/// Returns the texts of the tokens, separated by `|`, and after `!` the offsets of invalid tokens.
std::string Lexed(std::string_view source) {
  IssueList issues;
  std::string out;
  for (const Token& token : Tokenize(source, issues)) {
    if (token.kind == TokenKind::End) break;
    out += (out.empty() ? "" : "|") + std::string(token.text);
  }
  const auto shared = std::make_shared<const std::string>(source);
  for (const Issue& issue : issues.Finish(Issues::Stage::Parse, shared).list) {
    out += "!" + std::to_string(issue.offset);
  }
  return out;
}

struct LexCase {
  std::string_view source;
  std::string_view want;
};

TEST(LexerTest, CutsTheLongestToken) {
  for (const LexCase& test : {
           LexCase{"a.b(1)", "a|.|b|(|1|)"},
           LexCase{"a<=b", "a|<=|b"},
           LexCase{" 1 // rest\n2", "1|2"},
           LexCase{"1.5e3 .5 1e+2 1.e3 1.", "1.5e3|.5|1e+2|1|.|e3|1|."},
           LexCase{"0x1F 0xg 1u 0x1U 007", "0x1F|0|xg|1u|0x1U|007"},
           LexCase{"'a' \"b'\" r'\\' b'x' rb'y' bR\"z\"", "'a'|\"b'\"|r'\\'|b'x'|rb|'y'|bR\"z\""},
           LexCase{"'''a'b\n''' ''", "'''a'b\n'''|''"},
           LexCase{"'''a", "''!2"},
           LexCase{"x.`a-b/c.d e`", "x|.|`a-b/c.d e`"},
           LexCase{"``", "!0"},
           LexCase{"inn in _x", "inn|in|_x"},
       }) {
    EXPECT_EQ(Lexed(test.source), test.want) << test.source;
  }
}

TEST(LexerTest, WhatIsNoTokenIsReportedOnceAndSkipped) {
  EXPECT_EQ(Lexed("1 & 2"), "1|2!2");
  EXPECT_EQ(Lexed("a = b"), "a|b!2");
  EXPECT_EQ(Lexed("'\\8'"), "!0!3");
  EXPECT_EQ(Lexed("'\\12'"), "!0");
  EXPECT_EQ(Lexed("b'a\nb'"), "b|b!1!5");
  EXPECT_EQ(Lexed("日$本"), "!0!1!2");
}

TEST(LexerTest, OffsetsCountCodePoints) {
  IssueList issues;
  const auto tokens = Tokenize("'日本' == é", issues);
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[1].offset, 5u);
  EXPECT_EQ(tokens[2].offset, 9u);
  EXPECT_EQ(issues.count(), 1u);
}

}  // namespace
}  // namespace plimsoll::cel
