#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(EvaluationTest, StopsPastTheLimitAtTheFirstStepBeyondIt) {
  constexpr std::string_view kExpression = "[1, 2, 3].all(x, x > 0)";
  EXPECT_EQ(Answer(kExpression, 16), "true @16");
  EXPECT_EQ(Answer(kExpression, 15), "error: operation cancelled: actual cost limit exceeded @16");
  EXPECT_EQ(Answer(kExpression, 1), "error: operation cancelled: actual cost limit exceeded @2");
  EXPECT_EQ(Answer("[taint.key]", 2), "error: operation cancelled: actual cost limit exceeded @12");
}

TEST(EvaluationTest, IsLinearInCost) {
  EXPECT_EQ(Answer("lists.range(100000).all(x, x >= 0)"), "true @600012");
  EXPECT_EQ(Answer("lists.range(60000).map(x, x).size() == 60000"), "true @840014");
  EXPECT_EQ(Answer("lists.range(10000).transformMapEntry(i, v, {v: i}).size() == 10000"),
            "true @350014");
}

TEST(EvaluationTest, RefusesToGrowPastItsMemory) {
  EXPECT_EQ(Answer("[lists.range(90000)].map(b, lists.range(50000).map(i, b + b).size())"),
            "error: operation cancelled: memory limit exceeded @140366");
}

TEST(EvaluationTest, RefusesWorkOutOfProportionToItsCost) {
  constexpr std::string_view kCancelled = "error: operation cancelled: work limit exceeded";
  // A thousand free terms in every iteration.
  std::string terms = "1 in [1]";
  for (int i = 0; i < 1000; ++i) terms += " && 1 in [1]";
  EXPECT_TRUE(Answer("lists.range(100000).all(x, " + terms + ")").starts_with(kCancelled));
  // Lists that hold the same list twice, twenty times over: a million elements for each of b.
  std::string expression = "b == b";
  for (int i = 0; i < 20; ++i) expression = "[[b, b]].all(b, " + expression + ")";
  EXPECT_TRUE(Answer("[lists.range(1000)].all(b, " + expression + ")").starts_with(kCancelled));
}

TEST(EvaluationTest, AnArenaServesOneEvaluationAfterTheOther) {
  const auto& environment = TolerationEnvironment();
  const auto program =
      *Program::Plan(*environment->Compile("taint.key + taint.value"), environment);
  const std::array<Value, 3> fields{Value::String("gpu"), Value::String("42"), Value::String("")};
  const ObjectValue object(&kTaintType, fields.data());
  const Value taint = Value::Object(&object);
  Evaluation evaluation;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(evaluation.Evaluate(*program, {&taint, 1}).value.text(), "gpu42");
    EXPECT_EQ(evaluation.arena().bytes_used(), 5u);
  }
}

TEST(EvaluationTest, TakesAMapWhereAStructureWasDeclared) {
  const auto& environment = TolerationEnvironment();
  const auto program = *Program::Plan(*environment->Compile("taint.key"), environment);
  Arena arena;
  const std::array<MapValue::Entry, 1> entries{
      MapValue::Entry{Value::String("key"), Value::String("gpu")}};
  const Value taint = Value::Map(MapValue::Make(entries, arena));
  Evaluation evaluation;
  const Outcome outcome = evaluation.Evaluate(*program, {&taint, 1});
  EXPECT_EQ(outcome.value.text(), "gpu");
  EXPECT_EQ(outcome.cost, 2u);
}

}  // namespace
}  // namespace plimsoll::cel
