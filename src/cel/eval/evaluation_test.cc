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
  // Each iteration allocates a megabyte, for a few hundred units of cost.
  const std::string text(1000, 'a');
  EXPECT_TRUE(Answer("['" + text + "'].all(t, lists.range(1000).all(i, t.replace('a', t) != ''))")
                  .starts_with("error: operation cancelled: memory limit exceeded"));
}

TEST(EvaluationTest, RefusesWorkOutOfProportionToItsCost) {
  constexpr std::string_view kCancelled = "error: operation cancelled: work limit exceeded";
  // A thousand free terms in each iteration.
  std::string terms = "1 in [1]";
  for (int i = 0; i < 1000; ++i) terms += " && 1 in [1]";
  EXPECT_TRUE(Answer("lists.range(100000).all(x, " + terms + ")").starts_with(kCancelled));
  // Lists that contain the same list twice, nested twenty times: each has a million elements.
  std::string expression = "b == b";
  for (int i = 0; i < 20; ++i) expression = "[[b, b]].all(b, " + expression + ")";
  EXPECT_TRUE(Answer("[lists.range(1000)].all(b, " + expression + ")").starts_with(kCancelled));
}

TEST(EvaluationTest, LongTextsAreNoWayAroundCosts) {
  const std::string text(9000, '1');
  const std::string letters(1000, 'a');
  for (const std::string& heavy : std::initializer_list<std::string>{
           "['" + letters + "'.replace('a', '" + letters + "')].all(t, lists.range(30000).all(x, " +
               "t.size() > 0 && [t] == [t] && t.charAt(5) == 'a' && t in {t: 1}))",
           "['" + text + "'].all(t, lists.range(30000).all(x, double(t) > 0.0 || true))",
           "lists.range(50000).all(x, isURL('https://a/" + text + "'))",
           "[quantity('" + text.substr(0, 4000) + "')].all(q, lists.range(30000).all(x, " +
               "q.add(quantity('1n')).isGreaterThan(q)))",
           "[url('https://a/?" + text + "')].all(u, lists.range(30000).all(x, u == u))",
           "['" + text + "'].all(t, lists.range(30000).all(x, t.findAll('1').size() > 0))",
           "[lists.range(9000).map(x, '')].all(l, lists.range(30000).all(x, l.join('') == ''))",
           "[lists.range(9000)].all(l, lists.range(30000).all(x, '%s'.format([l]) != ''))",
           "lists.range(30000).all(x, timestamp(x).getHours('No/Where') > 0 || true)",
       }) {
    EXPECT_TRUE(Answer(heavy).starts_with("error: operation cancelled: work limit exceeded"))
        << heavy.substr(heavy.size() - 80) << Answer(heavy);
  }
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
