#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(StandardConversionsTest, NumbersAreCutAndChecked) {
  EXPECT_EQ(Differences({
                {"[int('-7'), int(3.9), int(-3.9), int(5u)]", "[-7, 3, -3, 5] @0"},
                {"[uint('7'), uint(7.9), uint(7)]", "[7u, 7u, 7u] @0"},
                {"[double('1e3'), double('0x1p-2'), double(3)]", "[1000.0, 0.25, 3.0] @0"},
                {"int(9223372036854775807u + 1u)", "error: integer overflow @2"},
                {"int(-9223372036854775808.0)", "plan: integer overflow"},
                {"uint(-1)", "plan: unsigned integer overflow"},
                {"int(taint.value)", "42 @3"},
                {"int(taint.key)", "error: type conversion error from 'string' to 'int' @3"},
                {"uint(taint.key)", "error: type conversion error from 'string' to 'uint' @3"},
                {"double(taint.key)", "error: type conversion error from 'string' to 'double' @3"},
            }),
            "");
}

TEST(StandardConversionsTest, TruthHasSixSpellings) {
  EXPECT_EQ(Differences({
                {"['1', 't', 'T', 'true', 'TRUE', 'True'].all(x, bool(x))", "true @31"},
                {"['0', 'f', 'F', 'false', 'FALSE', 'False'].exists(x, bool(x))", "false @37"},
                {"bool('yes')", "plan: type conversion error from 'string' to 'bool'"},
            }),
            "");
}

TEST(StandardConversionsTest, TextsOfValues) {
  EXPECT_EQ(Differences({
                {"[string(1), string(2u), string(1.0), string(1e6), string(true), string(b'x')]",
                 R"(["1", "2", "1", "1e+06", "true", "x"] @0)"},
                {"string(timestamp('2024-05-06T07:08:09.5+02:00'))",
                 R"("2024-05-06T07:08:09.5+02:00" @0)"},
                {"string(duration('90m'))", R"("5400s" @0)"},
                {R"(bytes('aé') == b'a\xc3\xa9')", "true @1"},
                {R"(string(b'\xff'))", "plan: invalid UTF-8 in bytes, cannot convert to string"},
                {"bytes(taint.effect)", R"(b"NoSchedule" @3)"},
            }),
            "");
}

TEST(StandardConversionsTest, TimesAndTypes) {
  EXPECT_EQ(Differences({
                {"timestamp(60)", R"(timestamp("1970-01-01T00:01:00Z") @0)"},
                {"int(timestamp('1970-01-01T00:01:00Z'))", "60 @0"},
                {"int(duration('1m'))", "60000000000 @0"},
                {"[dyn(1), dyn('a'), dyn([1]), dyn(null)].map(x, type(x))",
                 "[int, string, list, null_type] @57"},
                {"type(taint)", "map @2"},
                {"type(type(1)) == type", "true @1"},
                {"dyn(1) == dyn('a')", "false @1"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
