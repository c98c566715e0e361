#include "cel/render.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "cel/cache.h"
#include "cel/kubernetes.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

struct RenderCase {
  std::string expression;
  std::string want;
};

// Rendered values parse to the same values.
TEST(RenderTest, WritesValuesAsExpressions) {
  for (const auto& [expression, want] : std::vector<RenderCase>{
           {"null", "null"},
           {"true", "true"},
           {"-1", "-1"},
           {"1u", "1u"},
           {"2.0", "2.0"},
           {"1e100", "1e+100"},
           {"'a\"b'", "\"a\\\"b\""},
           {"b'a\\x00'", "b\"a\\x00\""},
           {"[1, 2]", "[1, 2]"},
           {"{'a': [true]}", "{\"a\": [true]}"},
           {"duration('90s')", "duration(\"90s\")"},
           {"timestamp('2024-01-01T00:00:00Z')", "timestamp(\"2024-01-01T00:00:00Z\")"},
           {"quantity('1Gi')", "quantity(\"1Gi\")"},
           {"semver('1.2.3')", "semver(\"1.2.3\")"},
           {"optional.of(1)", "optional.of(1)"},
           {"optional.none()", "optional.none()"},
           {"type(1)", "int"},
           {"[1][3]", "index out of bounds: 3"},
       }) {
    const Compilation compiled = CompileProgram(expression, TolerationEnvironment());
    ASSERT_EQ(compiled.stage, Compilation::Stage::Done) << expression << compiled.error;
    Evaluation evaluation;
    const Value unused;
    EXPECT_EQ(Render(evaluation.Evaluate(*compiled.program, {&unused, 1}).value), want);
  }
}

}  // namespace
}  // namespace plimsoll::cel
