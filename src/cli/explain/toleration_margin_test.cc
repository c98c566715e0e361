#include "cli/explain/toleration_margin.h"

#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

struct MarginCase {
  const char* op;
  const char* threshold;
  const char* value;
  const char* want;
};

TEST(TolerationMarginTest, MeasuresTheDistanceToTheThreshold) {
  constexpr MarginCase kCases[] = {
      {"Lt", "5", "3", "2"},
      {"Lt", "5", "5", "0"},
      {"Lt", "5", "15", "-10"},
      {"Gt", "950", "990", "40"},
      {"Gt", "950", "900", "-50"},
      {"Lt", "9223372036854775807", "-1", ">9223372036854775807"},
      {"Gt", "9223372036854775807", "-2", "<-9223372036854775808"},
      {"Lt", "5", "high", ""},
      {"Lt", "05", "3", ""},
      {"Equal", "5", "5", ""},
      {"", "5", "5", ""},
      {"SemverGt", "1.2.3", "1.3.0", ""},
      {"Near", "5", "5", ""},
  };
  for (const MarginCase& test : kCases) {
    EXPECT_EQ(MarginOf({.key = "k", .op = test.op, .value = test.threshold}, test.value), test.want)
        << test.op << " " << test.threshold << " " << test.value;
  }
}

TEST(TolerationMarginTest, NamesTheOperator) {
  EXPECT_EQ(TolerationText({.key = "k", .op = "Lt", .value = "5", .effect = "NoExecute"}),
            "k Lt 5:NoExecute");
  EXPECT_EQ(TolerationText({.key = "k", .value = "v"}), "k Equal v");
  EXPECT_EQ(TolerationText({.key = "k"}), "k Equal \"\"");
  EXPECT_EQ(TolerationText({.key = "k", .op = "Exists"}), "k Exists");
  EXPECT_EQ(TolerationText({.op = "Exists"}), "any key Exists");
  EXPECT_EQ(TolerationText({.expression = "true"}), "expression true");
}

TEST(TolerationMarginTest, FindsTheFirstThatTolerates) {
  const api::Taint taint{.key = "k", .value = "3", .effect = "NoSchedule"};
  const std::vector<api::Toleration> tolerations = {
      {.key = "k", .op = "Lt", .value = "3"},
      {.key = "k", .op = "Lt", .value = "5"},
      {.op = "Exists"},
  };
  const auto found = FindTolerance(taint, tolerations, match::Rules());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->toleration, &tolerations[1]);
  EXPECT_EQ(found->margin, "2");
  EXPECT_FALSE(FindTolerance(taint, std::span(tolerations).first(1), match::Rules()).has_value());
}

}  // namespace
}  // namespace plimsoll::cli
