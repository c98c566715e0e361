#include "match/index/taint_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::match {
namespace {

using testing::ElementsAre;

std::vector<std::uint8_t> Marked(TaintTable& table, const api::Toleration& toleration) {
  std::vector<std::uint8_t> marked(table.id_limit());
  const auto compiled = table.Compile(toleration);
  if (!compiled) return marked;
  table.MarkTolerated(*compiled, marked);
  table.Release(*compiled);
  return marked;
}

TEST(TaintTableTest, OneIdForEachKeyValueAndEffect) {
  TaintTable table{Rules{}};
  const TaintId a = table.Acquire({"k", "v", "NoSchedule", ""});
  EXPECT_EQ(table.Acquire({"k", "v", "NoSchedule", "2026-01-01T00:00:00Z"}), a);
  EXPECT_NE(table.Acquire({"k", "v", "NoExecute", ""}), a);
  EXPECT_NE(table.Acquire({"kv", "", "NoSchedule", ""}), a);
}

TEST(TaintTableTest, KnowsWhatTheEffectMeans) {
  TaintTable table{Rules{}};
  const TaintId preferred = table.Acquire({"k", "", "PreferNoSchedule", ""});
  const TaintId evicting = table.Acquire({"k", "", "NoExecute", ""});
  const TaintId odd = table.Acquire({"k", "", "Odd", ""});
  EXPECT_TRUE(table.IsPreferred(preferred));
  EXPECT_FALSE(table.Blocks(preferred));
  EXPECT_TRUE(table.Blocks(evicting));
  EXPECT_FALSE(table.Blocks(odd));
  EXPECT_FALSE(table.IsPreferred(odd));
}

TEST(TaintTableTest, MarksASetAtATime) {
  TaintTable table{Rules{}};
  for (const auto* value : {"5", "7", "07", "v1.2", "x"}) {
    table.Acquire({"k", value, "NoSchedule", ""});
  }
  table.Acquire({"l", "7", "NoSchedule", ""});
  EXPECT_THAT(Marked(table, {"k", "Gt", "5"}), ElementsAre(0, 1, 0, 0, 0, 0));
  EXPECT_THAT(Marked(table, {"", "Gt", "5"}), ElementsAre(0, 1, 0, 0, 0, 1));
  EXPECT_THAT(Marked(table, {"k", "SemverLt", "6.9"}), ElementsAre(1, 0, 0, 1, 0, 0));
  EXPECT_THAT(Marked(table, {"k", "SemverEq", "7.0.0"}), ElementsAre(0, 1, 1, 0, 0, 0));
  EXPECT_THAT(Marked(table, {"k", "Equal", "7"}), ElementsAre(0, 1, 0, 0, 0, 0));
  EXPECT_THAT(Marked(table, {"k", "Exists", "", "NoSchedule"}), ElementsAre(1, 1, 1, 1, 1, 0));
  EXPECT_THAT(Marked(table, {"k", "Exists", "", "NoExecute"}), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(Marked(table, {"nobody", "Exists"}), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(TaintTableTest, WhatNeverMatchesIsNotCompiled) {
  TaintTable off{Rules{.comparison = false, .semver = false}};
  EXPECT_FALSE(off.Compile({"k", "Gt", "5"}));
  EXPECT_FALSE(off.Compile({"k", "SemverGt", "5"}));
  TaintTable on{Rules{}};
  EXPECT_FALSE(on.Compile({"k", "Gt", "05"}));
  EXPECT_FALSE(on.Compile({"k", "SemverGt", "x"}));
  EXPECT_FALSE(on.Compile({"k", "gt", "5"}));
  EXPECT_FALSE(on.Compile({.expression = "true"}));
  EXPECT_TRUE(on.Compile({"k", "Gt", "5"}));
}

TEST(TaintTableTest, AnIdThatIsGivenOutAgainHasNothingOfItsPast) {
  TaintTable table{Rules{}};
  const TaintId old = table.Acquire({"k", "9", "NoSchedule", ""});
  table.Release(old);
  EXPECT_EQ(table.Acquire({"l", "1", "NoSchedule", ""}), old);
  EXPECT_THAT(Marked(table, {"k", "Gt", "5"}), ElementsAre(0));
  EXPECT_THAT(Marked(table, {"l", "Gt", "5"}), ElementsAre(0));
  EXPECT_THAT(Marked(table, {"l", "Lt", "5"}), ElementsAre(1));
}

}  // namespace
}  // namespace plimsoll::match
