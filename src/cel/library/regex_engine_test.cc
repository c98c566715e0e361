#include "cel/library/regex_engine.h"

#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(RegexEngineTest, FindsTheLeftmostFromAPlaceOn) {
  Evaluation evaluation;
  const auto regex = *Regex::Read("a+|^b");
  EXPECT_TRUE(regex->Matches(evaluation, "xxa"));
  EXPECT_FALSE(regex->Matches(evaluation, "xxb"));
  EXPECT_EQ(regex->Find(evaluation, "baab", 0), "b");
  EXPECT_EQ(regex->Find(evaluation, "baab", 1), "aa");
  EXPECT_EQ(regex->Find(evaluation, "baab", 3), std::nullopt);
  EXPECT_EQ((*Regex::Read(""))->Find(evaluation, "", 0), "");
}

TEST(RegexEngineTest, CatastrophesTakeLinearTime) {
  Evaluation evaluation;
  const auto regex = *Regex::Read("^(([a-z])+.)+[A-Z]([a-z])+$");
  EXPECT_FALSE(regex->Matches(evaluation, std::string(100'000, 'a')));
}

TEST(RegexEngineTest, WhatCanBeReadCompiles) {
  Evaluation evaluation;
  // Patterns of maximum size, each in a different way.
  for (const std::string_view pattern :
       {"\\pL{120}", "(?i)x{1000}", ".{1000}.{1000}", "[^a]{1000}", "(x?){1000}", "(\\PL|x){60}"}) {
    const auto regex = Regex::Read(pattern);
    ASSERT_TRUE(regex.has_value()) << pattern;
    EXPECT_TRUE((*regex)->Matches(evaluation, std::string(2000, 'x')));
  }
}

TEST(RegexEngineTest, RefusesWhatWouldTakeSeconds) {
  std::string long_pattern;
  for (int i = 0; i < 20; ++i) long_pattern += "(.{1000}|b)";
  for (const std::string& pattern : {std::string("\\pL{1000}"), long_pattern}) {
    const auto regex = Regex::Read(pattern);
    ASSERT_FALSE(regex.has_value()) << pattern;
    EXPECT_EQ(regex.error(), "error parsing regexp: expression too large: `" + pattern + '`');
  }
  EXPECT_FALSE(IsRegex("("));
  EXPECT_TRUE(IsRegex("a"));
}

TEST(RegexEngineTest, KeepsTheLastPatterns) {
  Evaluation evaluation;
  const Regex* const first = *CachedRegex(evaluation, "a");
  EXPECT_TRUE((*CachedRegex(evaluation, "b"))->Matches(evaluation, "b"));
  EXPECT_FALSE(CachedRegex(evaluation, "(").has_value());
  EXPECT_EQ(*CachedRegex(evaluation, "a"), first);
  // A large pattern is kept only until the next one, and does not evict the others.
  EXPECT_TRUE((*CachedRegex(evaluation, "x{900}x{900}x{900}|b"))->Matches(evaluation, "b"));
  EXPECT_TRUE((*CachedRegex(evaluation, "c"))->Matches(evaluation, "c"));
  EXPECT_EQ(*CachedRegex(evaluation, "a"), first);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE((*CachedRegex(evaluation, std::to_string(i)))
                    ->Matches(evaluation, "0123456789" + std::to_string(i)));
  }
}

TEST(RegexEngineTest, SpendsTheSameInEveryRun) {
  const std::string_view expression =
      "[0, 1, 0].map(i, taint.key.matches('(a{900}a{900}a{900}a{900}){0,' + string(i) + '}'))";
  const std::string first = Answer(expression);
  EXPECT_EQ(Answer(expression), first);
  EXPECT_EQ(Answer("lists.range(17).all(x, taint.key.matches(string(x % 17) + '|'))"),
            Answer("lists.range(17).all(x, taint.key.matches(string(x % 17) + '|'))"));
}

TEST(RegexEngineTest, EndsWhatCostsDoNotSee) {
  EXPECT_EQ(Differences({
                // Many large patterns.
                {"lists.range(1000).all(x, !taint.key.matches('((a{9}){9}){9}' + string(x)))",
                 "error: operation cancelled: work limit exceeded @1146"},
                // A long text with a large pattern.
                {"lists.range(1000).map(x, 'ab').join('').replace('ab', 'abababab')"
                 ".replace('ab', 'abababab').matches('(a|b){999}c')",
                 "error: operation cancelled: work limit exceeded @5412"},
                {"lists.range(1000).map(x, 'ab').join('').replace('ab', 'abababab')"
                 ".replace('ab', 'abababab').matches('(a|b){9}c')",
                 "false @15015"},
            }),
            "");
}

TEST(RegexEngineTest, PreparesConstantPatternsOnly) {
  Arena arena;
  const Value pattern = Value::String("a");
  const Value wrong = Value::String("(");
  const Value number = Value::Int(1);
  const auto call = [](Evaluation&, const void*, const Value*) { return Value::Null(); };
  const auto prepared = [&](const Value* constant) {
    const Value* constants[] = {nullptr, constant};
    return PrepareRegex(constants, arena, call);
  };
  EXPECT_NE(prepared(&pattern)->state, nullptr);
  EXPECT_EQ(prepared(nullptr)->call, nullptr);
  EXPECT_EQ(prepared(&number)->call, nullptr);
  EXPECT_EQ(prepared(&wrong).error(), "error parsing regexp: missing closing ): `(`");
}

}  // namespace
}  // namespace plimsoll::cel
