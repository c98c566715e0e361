#include "cel/cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cel/ast.h"
#include "cel/eval/code.h"
#include "cel/kubernetes.h"

namespace plimsoll::cel {
namespace {

TEST(ProgramCacheTest, CompilesOnceAndKeepsFailures) {
  ProgramCache cache(TolerationEnvironment());
  const auto good = cache.Get("taint.key == 'a'");
  EXPECT_EQ(good->stage, Compilation::Stage::Done);
  EXPECT_EQ(OutputText(good->type), "bool");
  EXPECT_EQ(cache.Get("taint.key == 'a'"), good);

  const auto bad = cache.Get("taint.nope");
  EXPECT_EQ(bad->stage, Compilation::Stage::Compile);
  EXPECT_NE(bad->error.find("undefined field 'nope'"), std::string::npos) << bad->error;
  EXPECT_EQ(cache.Get("taint.nope"), bad);

  EXPECT_EQ(cache.Get("int('x') == 1")->stage, Compilation::Stage::Plan);
  EXPECT_EQ(cache.counters().hits, 2u);
  EXPECT_EQ(cache.counters().misses, 3u);
}

TEST(ProgramCacheTest, StaysWithinItsBound) {
  ProgramCache cache(TolerationEnvironment(), {.entries_max = 16, .key_bytes_max = 1024});
  for (int i = 0; i < 200; ++i) cache.Get("taint.key == '" + std::to_string(i) + "'");
  EXPECT_EQ(cache.counters().entries, 16u);
  EXPECT_LE(cache.counters().key_bytes, 1024u);
}

TEST(ProgramCacheTest, StaysWithinItsBoundWhateverIsAsked) {
  ProgramCache cache(TolerationEnvironment(), {.value_bytes_max = 4u << 20});
  std::size_t most = 0;
  for (int i = 0; i < 100'000; ++i) {
    cache.Get("taint.key == '" + std::to_string(i) + "'");
    most = std::max(most, cache.counters().value_bytes);
  }
  EXPECT_LE(most, 4u << 20);
  EXPECT_GE(most, 3u << 20);
  EXPECT_EQ(cache.counters().misses, 100'000u);
}

TEST(ProgramCacheTest, KnowsWhatLongExpressionsHold) {
  // The memory of the compiled expression is a hundred times the size of its text.
  std::string sum = "0";
  for (int i = 0; i < 200; ++i) sum += "+1";
  std::string expression = sum + " == 1";
  for (int i = 0; i < 20; ++i) expression += " || " + sum + " == 1";
  const Compilation compiled = CompileProgram(expression, TolerationEnvironment());
  EXPECT_GT(compiled.bytes(), 100 * expression.size());
  EXPECT_LT(compiled.bytes(), 300 * expression.size());
}

}  // namespace
}  // namespace plimsoll::cel
