#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"
#include "cel/eval/operators.h"

namespace plimsoll::cel {
namespace {

TEST(ArithmeticTest, Overflows) {
  EXPECT_EQ(Differences({
                {"9223372036854775807 + 1", "error: integer overflow @1"},
                {"-9223372036854775808 - 1", "error: integer overflow @1"},
                {"9223372036854775807 * 2", "error: integer overflow @1"},
                {"-9223372036854775808 / -1", "error: integer overflow @1"},
                {"-9223372036854775808 % -1", "error: integer overflow @1"},
                {"18446744073709551615u + 1u", "error: unsigned integer overflow @1"},
                {"0u - 1u", "error: unsigned integer overflow @1"},
                {"18446744073709551615u * 2u", "error: unsigned integer overflow @1"},
                {"-(-9223372036854775807 - 1)", "error: integer overflow @2"},
            }),
            "");
}

TEST(ArithmeticTest, DividesByZero) {
  EXPECT_EQ(Differences({
                {"1 / 0", "error: division by zero @1"},
                {"1u / 0u", "error: division by zero @1"},
                {"1 % 0", "error: modulus by zero @1"},
                {"1u % 0u", "error: modulus by zero @1"},
                {"1.0 / 0.0", "+Inf @1"},
                {"-7 / 2", "-3 @1"},
                {"-7 % 2", "-1 @1"},
            }),
            "");
}

TEST(ArithmeticTest, AddsTextsListsAndTimes) {
  EXPECT_EQ(
      Differences({
          {"'a' + taint.key", "\"agpu\" @3"},
          {"b'a' + b'b'", "b\"ab\" @1"},
          {"[1] + [2]", "[1, 2] @1"},
          {"[] + [taint.key]", "[\"gpu\"] @13"},
          {"timestamp('2024-01-01T00:00:00Z') + duration('1h')",
           "timestamp(\"2024-01-01T01:00:00Z\") @1"},
          {"duration('1h') + timestamp('2024-01-01T00:00:00Z')",
           "timestamp(\"2024-01-01T01:00:00Z\") @1"},
          {"timestamp('2024-01-01T00:00:00Z') - duration('0.5s')",
           "timestamp(\"2023-12-31T23:59:59.5Z\") @1"},
          {"timestamp('2024-01-01T00:00:00Z') - timestamp('2023-01-01T00:00:00Z')",
           "duration(\"31536000s\") @1"},
          {"duration('1h') - duration('90m')", "duration(\"-1800s\") @1"},
          {"timestamp('9999-12-31T23:59:59Z') + duration('1s')", "error: timestamp overflow @1"},
          {"timestamp('9999-12-31T23:59:59Z') - timestamp('0001-01-01T00:00:00Z')",
           "error: integer overflow @1"},
          {"-dyn(duration('1s'))", "duration(\"-1s\") @1"},
      }),
      "");
}

}  // namespace
}  // namespace plimsoll::cel
