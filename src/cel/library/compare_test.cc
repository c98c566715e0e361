#include "cel/library/compare.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace plimsoll::cel {
namespace {

TEST(CompareTest, ScalarsHaveAnOrderAndOthersNot) {
  for (const Value& value :
       {Value::Bool(true), Value::Int(1), Value::Uint(1), Value::Double(1), Value::String("a"),
        Value::Bytes("a"), Value::Duration(1), Value::Timestamp(1, 0)}) {
    EXPECT_TRUE(IsOrdered(value));
  }
  for (const Value& value : {Value::Null(), Value::List({}), Value::Optional(nullptr)}) {
    EXPECT_FALSE(IsOrdered(value));
  }
}

struct LessCase {
  Value less;
  Value greater;
};

TEST(CompareTest, ValuesOfOneKindAreOrdered) {
  Evaluation evaluation;
  for (const LessCase& test : {
           LessCase{Value::Bool(false), Value::Bool(true)},
           LessCase{Value::Int(-1), Value::Int(0)},
           LessCase{Value::Uint(1), Value::Uint(UINT64_MAX)},
           LessCase{Value::Double(-0.5), Value::Double(0)},
           LessCase{Value::String("a"), Value::String("aa")},
           LessCase{Value::String("z"), Value::String("é")},
           LessCase{Value::Bytes("\x7f"), Value::Bytes("\x80")},
           LessCase{Value::Duration(-1), Value::Duration(1)},
           LessCase{Value::Timestamp(1, 999'999'999), Value::Timestamp(2, 0)},
           LessCase{Value::Timestamp(1, 1), Value::Timestamp(1, 2)},
       }) {
    EXPECT_TRUE(IsLess(test.less, test.greater));
    EXPECT_FALSE(IsLess(test.greater, test.less));
    EXPECT_EQ(CompareOrdered(evaluation, test.less, test.greater), -1);
    EXPECT_EQ(CompareOrdered(evaluation, test.greater, test.less), 1);
    EXPECT_EQ(CompareOrdered(evaluation, test.less, test.less), 0);
  }
}

TEST(CompareTest, PairsWithoutOrderTie) {
  Evaluation evaluation;
  const Value nan = Value::Double(std::nan(""));
  EXPECT_EQ(CompareOrdered(evaluation, nan, Value::Double(1)), 0);
  EXPECT_EQ(CompareOrdered(evaluation, Value::Int(1), Value::String("a")), 0);
  EXPECT_EQ(CompareOrdered(evaluation, Value::Int(1), Value::Double(1.5)), -1);
}

TEST(CompareTest, IncludesComparesNumbersByValue) {
  Evaluation evaluation;
  const std::array<Value, 2> elements{Value::String("a"), Value::Uint(2)};
  EXPECT_TRUE(Includes(evaluation, elements, Value::Int(2)));
  EXPECT_TRUE(Includes(evaluation, elements, Value::Double(2)));
  EXPECT_FALSE(Includes(evaluation, elements, Value::String("b")));
  EXPECT_FALSE(Includes(evaluation, {}, Value::Int(2)));
}

}  // namespace
}  // namespace plimsoll::cel
