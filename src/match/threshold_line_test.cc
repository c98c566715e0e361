#include "match/threshold_line.h"

#include <gtest/gtest.h>

namespace plimsoll::match {
namespace {

struct DistanceCase {
  std::string name;
  api::Toleration toleration;
  std::string value;
  std::string text;  // empty: no distance
  bool is_inside = false;
  bool is_near = false;
};

class DistanceToLineTest : public testing::TestWithParam<DistanceCase> {};

TEST_P(DistanceToLineTest, MeasuresTheDistance) {
  const DistanceCase& test = GetParam();
  const auto distance = DistanceToLine(test.toleration, test.value);
  ASSERT_EQ(distance.has_value(), !test.text.empty());
  if (!distance) return;
  EXPECT_EQ(distance->text, test.text);
  EXPECT_EQ(distance->is_inside, test.is_inside);
  EXPECT_EQ(distance->is_near, test.is_near);
  EXPECT_EQ(distance->share > 0, test.is_inside);
}

api::Toleration Line(std::string_view op, std::string_view value) {
  api::Toleration toleration;
  toleration.key = "k";
  toleration.op = op;
  toleration.value = value;
  return toleration;
}

INSTANTIATE_TEST_SUITE_P(
    All, DistanceToLineTest,
    testing::ValuesIn<DistanceCase>({
        {"Far", Line("Lt", "100"), "50", "50", true, false},
        {"TenPercent", Line("Lt", "100"), "90", "10", true, true},
        {"MoreThanTenPercent", Line("Lt", "100"), "89", "11", true, false},
        {"OneStep", Line("Lt", "5"), "4", "1", true, true},
        {"AtTheLine", Line("Lt", "5"), "5", "0", false, false},
        {"Beyond", Line("Lt", "5"), "7", "-2", false, false},
        {"Gt", Line("Gt", "10"), "12", "2", true, false},
        {"GtOneStep", Line("Gt", "10"), "11", "1", true, true},
        {"GtZero", Line("Gt", "0"), "1", "1", true, true},
        {"Negative", Line("Gt", "-100"), "-95", "5", true, true},
        {"NoNumber", Line("Lt", "5"), "high", ""},
        {"NoThreshold", Line("Exists", ""), "4", ""},
        {"Minor", Line("SemverGt", "5.15.0"), "5.17.1", "2 minor", true, false},
        {"Patch", Line("SemverGt", "5.15.0"), "5.15.3", "3 patch", true, true},
        {"PreRelease", Line("SemverLt", "6.0.0"), "6.0.0-rc.1", "1 pre-release", true, true},
        {"OldVersion", Line("SemverGt", "5.15.0"), "4.19.0", "-1 major", false, false},
        {"EqualVersion", Line("SemverGt", "5.15.0"), "5.15.0", "equal", false, false},
        {"SemverEq", Line("SemverEq", "5.15.0"), "5.15.0", "equal", true, false},
        {"SemverEqDiffers", Line("SemverEq", "5.15.0"), "5.15.1", "1 patch", false, false},
    }),
    [](const auto& test) { return test.param.name; });

TEST(CompareValuesTest, OrdersNumbersThenVersionsThenTexts) {
  EXPECT_LT(CompareValues("9", "10"), 0);
  EXPECT_EQ(CompareValues("9", "9"), 0);
  EXPECT_GT(CompareValues("1.10.0", "1.9.0"), 0);
  EXPECT_LT(CompareValues("9", "1.2.3"), 0);
  EXPECT_LT(CompareValues("1.2.3", "red"), 0);
  EXPECT_LT(CompareValues("blue", "red"), 0);
}

Crossings Cross(std::string_view value, const std::vector<api::Toleration>& tolerations) {
  api::Taint taint;
  taint.key = "k";
  taint.value = value;
  taint.effect = "NoExecute";
  return FindCrossings(taint, tolerations, {});
}

TEST(FindCrossingsTest, FindsTheLinesAtWhichNoTolerationIsLeft) {
  EXPECT_EQ(Cross("3", {Line("Lt", "5")}).up, "5");
  EXPECT_FALSE(Cross("3", {Line("Lt", "5")}).down);
  EXPECT_EQ(Cross("3", {Line("Lt", "5"), Line("Lt", "9")}).up, "9");
  EXPECT_EQ(Cross("7", {Line("Gt", "2"), Line("Lt", "9")}).up, std::nullopt)
      << "Gt tolerates all greater values";
  EXPECT_EQ(Cross("7", {Line("Gt", "2")}).down, "2");
  EXPECT_FALSE(Cross("3", {Line("Lt", "5"), Line("Exists", "")}).up);
  EXPECT_FALSE(Cross("8", {Line("Lt", "5")}).up) << "it is not tolerated now";
  EXPECT_EQ(Cross("5.15.3", {Line("SemverGt", "5.15.0")}).down, "5.15.0");
  EXPECT_FALSE(Cross("5.15.0", {Line("SemverEq", "5.15.0")}).down);
}

TEST(ConcernsTest, ComparesKeyAndEffect) {
  api::Taint taint;
  taint.key = "k";
  taint.effect = "NoSchedule";
  api::Toleration toleration = Line("Lt", "5");
  EXPECT_TRUE(Concerns(toleration, taint));
  toleration.effect = "NoExecute";
  EXPECT_FALSE(Concerns(toleration, taint));
  toleration = Line("Lt", "5");
  toleration.key = "other";
  EXPECT_FALSE(Concerns(toleration, taint));
  toleration.key = "";
  EXPECT_TRUE(Concerns(toleration, taint));
}

}  // namespace
}  // namespace plimsoll::match
