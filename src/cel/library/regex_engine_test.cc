#include "cel/library/regex_engine.h"

#include <gtest/gtest.h>

#include "cel/library/regex_class.h"
#include "cel/library/regex_syntax.h"

namespace plimsoll::cel {
namespace {

std::string Refusal(std::string_view pattern) {
  const auto regex = Regex::Compile(pattern);
  return regex ? "" : regex.error();
}

struct RefusalCase {
  std::string_view pattern;
  std::string_view fault;
};

TEST(RegexEngineTest, RefusalsAreGos) {
  for (const RefusalCase& test : {
           RefusalCase{"a(b", "missing closing ): `a(b`"},
           RefusalCase{"a)b", "unexpected ): `a)b`"},
           RefusalCase{"a[b", "missing closing ]: `[b`"},
           RefusalCase{"[z-a]", "invalid character class range: `z-a`"},
           RefusalCase{"[[:nope:]]", "invalid character class range: `[:nope:]`"},
           RefusalCase{"*a", "missing argument to repetition operator: `*`"},
           RefusalCase{"a**", "invalid nested repetition operator: `**`"},
           RefusalCase{"a{1001}", "invalid repeat count: `{1001}`"},
           RefusalCase{"a{2,1}", "invalid repeat count: `{2,1}`"},
           RefusalCase{"a\\", "trailing backslash at end of expression: ``"},
           RefusalCase{"\\C", "invalid escape sequence: `\\C`"},
           RefusalCase{"\\1", "invalid escape sequence: `\\1`"},
           RefusalCase{"\\p{Nope}", "invalid character class range: `\\p{Nope}`"},
           RefusalCase{"(?i", "invalid or unsupported Perl syntax: `(?i`"},
           RefusalCase{"(?=a)", "invalid or unsupported Perl syntax: `(?=`"},
       }) {
    const std::string fault(test.fault);
    EXPECT_EQ(Refusal(test.pattern), fault.empty() ? "" : "error parsing regexp: " + fault)
        << test.pattern;
  }
}

TEST(RegexEngineTest, WhatGoTakesIsTaken) {
  for (const std::string_view pattern :
       {"", "a|", "()", "a{,2}", "a{x}", "[]a]", "[a-]", "[[:alpha:]]", "\\pL\\p{Greek}",
        "\\x{1F600}", "(?i)a(?-i:b)", "(?P<1>a)(?<n>b)(?<n>c)", "\\Qa(b\\E", "(?s).", "a+?",
        "(a{2}){3}", "\\z", "[^\\n]"}) {
    EXPECT_EQ(Refusal(pattern), "") << pattern;
    EXPECT_TRUE(IsRegex(pattern)) << pattern;
  }
}

TEST(RegexEngineTest, MatchesAreLeftmostAndByCodePoint) {
  const auto regex = *Regex::Compile("é.?");
  EXPECT_TRUE(regex->Matches("caféx"));
  EXPECT_FALSE(regex->Matches("cafe"));
  EXPECT_EQ(regex->Find("aé世é", 0), "é世");
  EXPECT_EQ(regex->Find("aé世é", 2), "é");
  EXPECT_EQ(regex->Find("abc", 0), std::nullopt);
}

TEST(RegexEngineTest, PiecesOfOneCharacter) {
  EXPECT_EQ(ReadRegexClass("[^]a-c\\d]x")->bytes, 9u);
  EXPECT_EQ(ReadRegexEscape("\\x{67}z")->bytes, 6u);
  EXPECT_EQ(ReadRegexEscape("\\x{67}z")->value, U'g');
  EXPECT_EQ(ReadRegexEscape("\\.")->value, U'.');
  EXPECT_EQ(ReadRegexEscape("\\q").error(), "invalid escape sequence: `\\q`");
  EXPECT_EQ(RegexFault("what", "where"), "what: `where`");
  EXPECT_TRUE(IsRegexAlphanumeric('0'));
  EXPECT_FALSE(IsRegexAlphanumeric('_'));
}

TEST(RegexEngineTest, HostilePatternsAreBounded) {
  std::string nested;
  for (int i = 0; i < 1001; ++i) nested = "(" + nested + ")";
  EXPECT_EQ(Refusal(nested), "error parsing regexp: expression nests too deeply: `" + nested + "`");
  EXPECT_EQ(Refusal("((a{100}){100}){100}"), "error parsing regexp: invalid repeat count: `{100}`");
  const auto quadratic = *Regex::Compile("(a*)*b");
  EXPECT_FALSE(quadratic->Matches(std::string(100'000, 'a')));
}

}  // namespace
}  // namespace plimsoll::cel
