#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

TEST(OrderTest, OrdersNumbersAcrossKinds) {
  EXPECT_EQ(Differences({
                {"1 < 2u", "true @1"},
                {"-1 < 1u", "true @1"},
                {"18446744073709551615u > 1", "true @1"},
                {"1 < 1.5", "true @1"},
                {"2u >= 2.0", "true @1"},
                {"1.5 > 1", "true @1"},
                {"9007199254740993 > 9007199254740992.0", "false @1"},
                {"9223372036854775807 < 1e19", "true @1"},
            }),
            "");
}

TEST(OrderTest, OrdersTheRest) {
  EXPECT_EQ(
      Differences({
          {"'a' < 'b'", "true @1"},
          {"b'a' <= b'a'", "true @1"},
          {"false < true", "true @1"},
          {"duration('1s') < duration('2s')", "true @1"},
          {"timestamp('2024-01-01T00:00:00Z') > timestamp('2023-01-01T00:00:00Z')", "true @1"},
      }),
      "");
}

TEST(OrderTest, RefusesNaN) {
  EXPECT_EQ(Differences({
                {"double('NaN') < 1.0", "error: NaN values cannot be ordered @1"},
                {"1 < double('NaN')", "error: NaN values cannot be ordered @1"},
                {"1u < double('NaN')", "error: NaN values cannot be ordered @1"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
