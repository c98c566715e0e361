#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(ConversionsTest, ToInt) {
  EXPECT_EQ(Differences({
                {"int(1.9)", "1 @0"},
                {"int(9223372036854774784.0)", "9223372036854774784 @0"},
                {"int(-9223372036854775808.0)", "plan: integer overflow"},
                {"int(double('NaN'))", "plan: integer overflow"},
                {"int(9223372036854775808u)", "plan: integer overflow"},
                {"int('+1')", "1 @0"},
                {"int('+-1')", "plan: type conversion error from 'string' to 'int'"},
                {"int('0x1F')", "plan: type conversion error from 'string' to 'int'"},
                {"int('')", "plan: type conversion error from 'string' to 'int'"},
                {"int(taint.value)", "42 @3"},
                {"int(taint.key)", "error: type conversion error from 'string' to 'int' @3"},
                {"int(timestamp('2024-01-01T00:00:00Z'))", "1704067200 @0"},
                {"int(duration('1s'))", "1000000000 @0"},
                {"int(dyn(true))", "plan: no such overload: int(bool)"},
            }),
            "");
}

TEST(ConversionsTest, ToUint) {
  EXPECT_EQ(Differences({
                {"uint(-0.5)", "plan: unsigned integer overflow"},
                {"uint(18446744073709549568.0)", "18446744073709549568u @0"},
                {"uint(18446744073709551615.0)", "plan: unsigned integer overflow"},
                {"uint(-1)", "plan: unsigned integer overflow"},
                {"uint('+1')", "plan: type conversion error from 'string' to 'uint'"},
                {"uint('18446744073709551615')", "18446744073709551615u @0"},
            }),
            "");
}

TEST(ConversionsTest, ToDouble) {
  EXPECT_EQ(Differences({
                {"double('1_000')", "1000.0 @0"},
                {"double('0x1p-2')", "0.25 @0"},
                {"double('1e400')", "plan: type conversion error from 'string' to 'double'"},
                {"double('-inf')", "-Inf @0"},
                {"double(18446744073709551615u)", "1.8446744073709552e+19 @0"},
                {"double(' 1')", "plan: type conversion error from 'string' to 'double'"},
            }),
            "");
}

TEST(ConversionsTest, ToString) {
  EXPECT_EQ(Differences({
                {"string(1e6)", "\"1e+06\" @0"},
                {"string(1.0)", "\"1\" @0"},
                {"string(-5)", "\"-5\" @0"},
                {"string(18446744073709551615u)", "\"18446744073709551615\" @0"},
                {"string(b'\\xff')", "plan: invalid UTF-8 in bytes, cannot convert to string"},
                {"string(true)", "\"true\" @0"},
                {"string(timestamp('2024-02-29T12:34:56.789+01:00'))",
                 "\"2024-02-29T12:34:56.789+01:00\" @0"},
                {"string(duration('1ns'))", "\"0.000000001s\" @0"},
                {"string(dyn(null))", "plan: no such overload: string(null_type)"},
            }),
            "");
}

TEST(ConversionsTest, ToOthers) {
  EXPECT_EQ(Differences({
                {"bool('T')", "true @0"},
                {"bool('tRUE')", "plan: type conversion error from 'string' to 'bool'"},
                {"bytes('é')", "b\"\\xc3\\xa9\" @0"},
                {"timestamp(253402300799)", "timestamp(\"9999-12-31T23:59:59Z\") @0"},
                {"timestamp('2024-01-01T00:00:00Z')", "timestamp(\"2024-01-01T00:00:00Z\") @0"},
                {"timestamp(int(taint.value) * 1000000000000)", "error: timestamp overflow @5"},
                {"duration(taint.value)",
                 "error: type conversion error from 'string' to 'google.protobuf.Duration' @3"},
                {"duration('1m1h')", "duration(\"3660s\") @0"},
                {"type(1)", "int @0"},
                {"type(taint)", "map @2"},
                {"dyn(1)", "1 @0"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
