#include "cel/library/regex_engine.h"

#include <gtest/gtest.h>

namespace plimsoll::cel {
namespace {

TEST(RegexEngineTest, FindsTheLeftmostFromAPlaceOn) {
  const auto regex = *Regex::Read("a+|^b");
  EXPECT_TRUE(regex->Matches("xxa"));
  EXPECT_FALSE(regex->Matches("xxb"));
  EXPECT_EQ(regex->Find("baab", 0), "b");
  EXPECT_EQ(regex->Find("baab", 1), "aa");
  EXPECT_EQ(regex->Find("baab", 3), std::nullopt);
  EXPECT_EQ((*Regex::Read(""))->Find("", 0), "");
}

TEST(RegexEngineTest, CatastrophesTakeLinearTime) {
  const auto regex = *Regex::Read("^(([a-z])+.)+[A-Z]([a-z])+$");
  EXPECT_FALSE(regex->Matches(std::string(100'000, 'a')));
}

TEST(RegexEngineTest, WhatCanBeReadCompiles) {
  // As large as can be in each way.
  for (const std::string_view pattern :
       {"\\pL{120}", "(?i)x{1000}", ".{1000}.{1000}", "[^a]{1000}", "(x?){1000}", "(\\PL|x){60}"}) {
    const auto regex = Regex::Read(pattern);
    ASSERT_TRUE(regex.has_value()) << pattern;
    EXPECT_TRUE((*regex)->Matches(std::string(2000, 'x')));
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

TEST(RegexEngineTest, KeepsTheLastPattern) {
  const Regex* const first = *RecentRegex("a");
  EXPECT_EQ(*RecentRegex("a"), first);
  EXPECT_TRUE((*RecentRegex("b"))->Matches("b"));
  EXPECT_FALSE(RecentRegex("(").has_value());
  EXPECT_TRUE((*RecentRegex("b"))->Matches("b"));
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
