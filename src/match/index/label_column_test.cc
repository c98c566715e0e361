#include "match/index/label_column.h"

#include <gtest/gtest.h>

#include <string>

namespace plimsoll::match {
namespace {

/// Both forms of a column must give the same answers: few nodes of many, and all of few.
class LabelColumnTest : public testing::TestWithParam<std::size_t> {};

TEST_P(LabelColumnTest, KeepsTheNodesWhoseValueFits) {
  const std::size_t labelled = GetParam();
  constexpr std::size_t kSlots = 1000;
  LabelColumn column;
  column.NeedNumbers();
  for (NodeSlot slot = 0; slot < labelled; ++slot) {
    EXPECT_TRUE(column.Set(slot, std::to_string(slot % 10), kSlots));
    EXPECT_FALSE(column.Set(slot, std::to_string(slot % 10), kSlots));
  }
  const auto count = [&](const LabelColumn::Answers& answers) {
    Bitmap nodes(kSlots);
    nodes.Fill(true);
    column.Retain(answers, nodes);
    return nodes.Count();
  };
  EXPECT_EQ(count(column.NewAnswers(true, false)), kSlots - labelled);
  EXPECT_EQ(count(column.NewAnswers(false, true)), labelled);
  auto answers = column.NewAnswers(false, false);
  column.MarkNumbers(Comparison::Greater, 6, answers);
  EXPECT_EQ(count(answers), labelled * 3 / 10);
  answers[0] = 1;
  EXPECT_EQ(count(answers), kSlots - labelled * 7 / 10);
}

INSTANTIATE_TEST_SUITE_P(All, LabelColumnTest, testing::Values(10, 60, 70, 990));

TEST(LabelColumnTest, ForgetsTheValuesOfClearedNodes) {
  LabelColumn column;
  column.NeedVersions();
  column.Set(0, "1.2.3", 1);
  const ValueId value = column.Get(0);
  ASSERT_NE(column.version(value), nullptr);
  EXPECT_EQ(column.version(value)->minor, 2u);
  column.Clear(0, 1);
  EXPECT_EQ(column.Get(0), Interner::kNone);
  // The id is reused for the next value, which is not a version.
  EXPECT_EQ(column.AcquireValue("x"), value);
  EXPECT_EQ(column.version(value), nullptr);
  auto answers = column.NewAnswers(false, false);
  column.MarkVersions(Comparison::Greater, Semver{}, answers);
  EXPECT_EQ(answers[value + 1], 0);
}

TEST(LabelColumnTest, ParsesWhatWasThereBefore) {
  LabelColumn column;
  column.Set(0, "007", 2);
  column.Set(1, "x", 2);
  column.NeedNumbers();
  EXPECT_EQ(column.number(column.Get(0)), 7);
  EXPECT_EQ(column.number(column.Get(1)), std::nullopt);
}

}  // namespace
}  // namespace plimsoll::match
