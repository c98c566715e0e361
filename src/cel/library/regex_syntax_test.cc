#include "cel/library/regex_syntax.h"

#include <gtest/gtest.h>

#include <utility>

#include "cel/library/regex_class.h"

namespace plimsoll::cel {
namespace {

std::string Repeated(std::string_view text, int times) {
  std::string out;
  for (; times > 0; --times) out += text;
  return out;
}

TEST(RegexSyntaxTest, TakesWhatGoTakes) {
  for (const std::string_view pattern :
       {"a|", "()", "[]a]", "[^]a]", "[a-]", "[\\d-z]", "a{,3}", "a{01}", "\\_\\#\\.",
        "\\012\\x67\\x{10FFFF}", "\\pL\\P{^Lu}", "(?i)(?-s:a)(?U)b+?", "^*", "a(?i)*",
        "[[:^alpha:]]", "[:alpha:]", "(x*)*", "(a{10}){100}", "x{1000}"}) {
    EXPECT_TRUE(TranslateRegex(pattern).has_value()) << pattern;
  }
  EXPECT_TRUE(TranslateRegex(Repeated("(", 900) + Repeated(")", 900)).has_value());
}

TEST(RegexSyntaxTest, RewritesWhatRe2WouldMisread) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"(?P<n>a)(?<n>b)", "(a)(b)"},
      {"\\Qa.b\\E+", "a\\.b+"},
      {"\\Qa(", "a\\("},
      {"(?)a", "a"},
      {"a{01}", "a\\{01}"},
      {"\\p{greek}[\\P{Uppercase-Letter}x]", "\\p{Greek}[\\P{Lu}x]"},
      {"\\pL\\p{^old italic}", "\\p{L}\\p{^Old_Italic}"},
  };
  for (const auto& [pattern, translated] : kCases)
    EXPECT_EQ(TranslateRegex(pattern)->pattern, translated);
}

TEST(RegexSyntaxTest, RefusesInGosWords) {
  const std::pair<std::string, std::string_view> kCases[] = {
      {"g(", "missing closing ): `g(`"},
      {"a)", "unexpected ): `a)`"},
      {"a++", "invalid nested repetition operator: `++`"},
      {"a**?", "invalid nested repetition operator: `**?`"},
      {"a{2}{3}", "invalid nested repetition operator: `{2}{3}`"},
      {"*a", "missing argument to repetition operator: `*`"},
      {"(|+?)", "missing argument to repetition operator: `+?`"},
      {"(?i)*", "missing argument to repetition operator: `*`"},
      {"a{1001}", "invalid repeat count: `{1001}`"},
      {"a{2,1}", "invalid repeat count: `{2,1}`"},
      {"a{99999999999}", "invalid repeat count: `{99999999999}`"},
      {"((a{100}){10}){10}", "invalid repeat count: `{10}`"},
      {"(?z)", "invalid or unsupported Perl syntax: `(?z`"},
      {"(?!a)", "invalid or unsupported Perl syntax: `(?!`"},
      {"(?i-)a", "invalid or unsupported Perl syntax: `(?i-)`"},
      {"(?<=a)b", "invalid named capture: `(?<=a)b`"},
      {"(?P<a-b>c)", "invalid named capture: `(?P<a-b>`"},
      {"(?<>c)", "invalid named capture: `(?<>`"},
      {"[z-a]", "invalid character class range: `z-a`"},
      {"[[:foo:]]", "invalid character class range: `[:foo:]`"},
      {"\\p{Foo}", "invalid character class range: `\\p{Foo}`"},
      {"\\pX", "invalid character class range: `\\pX`"},
      {"[a", "missing closing ]: `[a`"},
      {"[]", "missing closing ]: `[]`"},
      {"\\C", "invalid escape sequence: `\\C`"},
      {"\\8", "invalid escape sequence: `\\8`"},
      {"(a)\\1", "invalid escape sequence: `\\1`"},
      {"\\x{110000}", "invalid escape sequence: `\\x{110000`"},
      {"\\xg0", "invalid escape sequence: `\\xg0`"},
      {"\\Z", "invalid escape sequence: `\\Z`"},
      {"a\\", "trailing backslash at end of expression: ``"},
      {"a\xff", "invalid UTF-8: `\xff`"},
  };
  for (const auto& [pattern, fault] : kCases) {
    const auto translated = TranslateRegex(pattern);
    ASSERT_FALSE(translated.has_value()) << pattern;
    EXPECT_EQ(translated.error(), "error parsing regexp: " + std::string(fault));
  }
  const std::string deep = Repeated("(", 1001) + Repeated(")", 1001);
  EXPECT_EQ(TranslateRegex(deep).error(),
            "error parsing regexp: " + RegexFault("expression nests too deeply", deep));
}

}  // namespace
}  // namespace plimsoll::cel
