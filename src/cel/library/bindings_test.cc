#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"
#include "cel/kubernetes.h"

namespace plimsoll::cel {
namespace {

TEST(BindingsTest, ANameStandsForAValueInsideOnly) {
  const auto& environment = *DeviceEnvironment(DeviceMode::New);
  const auto type = [&](std::string_view text) {
    const auto compiled = environment.Compile(text);
    return compiled ? OutputText(compiled->type) : compiled.error().list[0].message;
  };
  EXPECT_EQ(type("cel.bind(a, [1], a.map(x, x + a[0]))"), "list(int)");
  EXPECT_EQ(type("cel.bind(a, 1, a) + a"), "undeclared reference to 'a' (in container '')");
  EXPECT_EQ(type("cel.bind(a.b, 1, a)"), "cel.bind() variable names must be simple identifiers");
}

TEST(BindingsTest, AValueIsComputedOnceAndOnlyWhenUsed) {
  EXPECT_EQ(Differences({
                {"cel.bind(x, 2, x + x)", "4 @3"},
                {"cel.bind(x, taint.key + '!', x == x)", "true @6"},
                {"cel.bind(x, 1 / 0, true)", "true @0"},
                {"cel.bind(x, 1 / 0, x == 1 || true)", "true @3"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
