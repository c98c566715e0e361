#include "cel/unparse.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cel/kubernetes.h"

namespace plimsoll::cel {
namespace {

std::string Rewritten(const std::string& text) {
  const auto compiled = TolerationEnvironment()->Compile(text);
  if (!compiled) return compiled.error().Text();
  return Unparse(*compiled->ast, compiled->ast->root);
}

TEST(UnparseTest, WritesOneSpelling) {
  struct Case {
    std::string text;
    std::string want;
  };
  for (const auto& [text, want] : std::vector<Case>{
           {"taint.key=='a'&&taint.value!='b'", R"(taint.key == "a" && taint.value != "b")"},
           {"(1+2)*3 == 9", "(1 + 2) * 3 == 9"},
           {"1-(2-3)==2", "1 - (2 - 3) == 2"},
           {"!(true||false)", "!(true || false)"},
           {"true ? 1 : (false ? 2 : 3)", "true ? 1 : false ? 2 : 3"},
           {"taint.key.startsWith('x')", R"(taint.key.startsWith("x"))"},
           {"taint.key in ['a','b']", R"(taint.key in ["a", "b"])"},
           {"{'a':1}['a']", R"({"a": 1}["a"])"},
           {"has(taint.value)", "has(taint.value)"},
           {"['a'].exists(p, taint.key.startsWith(p))",
            R"(["a"].exists(p, taint.key.startsWith(p)))"},
           {"[1].all(x, x > 0)", "[1].all(x, x > 0)"},
           {"optional.of(taint).?key.orValue('x')", R"(optional.of(taint).?key.orValue("x"))"},
           {"-(1)", "-1"},
       }) {
    EXPECT_EQ(Rewritten(text), want);
    EXPECT_EQ(Rewritten(want), want) << "does not read back as itself";
  }
}

}  // namespace
}  // namespace plimsoll::cel
