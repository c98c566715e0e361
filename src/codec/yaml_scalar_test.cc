#include "codec/yaml_scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace plimsoll::codec {
namespace {

using Type = YamlScalar::Type;

TEST(ResolveYamlScalarTest, TellsTypes) {
  struct Case {
    std::string text;
    Type want;
  };
  // yaml_parser_test.cc checks the meaning as JSON; these are the edge cases.
  for (const Case& test : {
           Case{"", Type::Null},
           Case{"nulL", Type::String},
           Case{"TRUE", Type::Bool},
           Case{"9223372036854775807", Type::Int},
           Case{"9223372036854775808", Type::Uint},
           Case{"+9223372036854775808", Type::Float},
           Case{"-9223372036854775808", Type::Int},
           Case{"-9223372036854775809", Type::Float},
           Case{"18446744073709551616", Type::Float},
           Case{"0xffffffffffffffff", Type::Uint},
           Case{"0x10000000000000000", Type::String},
           Case{"0b", Type::String},
           Case{"-0b101", Type::Int},
           Case{"+0o7", Type::Int},
           Case{"0xg", Type::String},
           Case{"--1", Type::String},
           Case{"1__0", Type::Int},
           Case{"_1", Type::String},
           Case{"1e5", Type::Float},
           Case{"1e+", Type::String},
           Case{".e1", Type::String},
           Case{"1.e1", Type::Float},
           Case{"1e400", Type::String},
           Case{"1e-400", Type::Float},
           Case{"2024-02-29", Type::Timestamp},
           Case{"2023-02-29", Type::String},
           Case{"<<", Type::String},
       }) {
    EXPECT_EQ(ResolveYamlScalar(test.text).type, test.want) << test.text;
  }
}

TEST(ResolveYamlScalarTest, KeepsValues) {
  EXPECT_EQ(ResolveYamlScalar("-0x8000000000000000").integer, INT64_MIN);
  EXPECT_EQ(ResolveYamlScalar("18446744073709551615").natural, UINT64_MAX);
  EXPECT_EQ(ResolveYamlScalar("-1_0.5").real, -10.5);
  EXPECT_TRUE(std::isnan(ResolveYamlScalar(".NaN").real));
  EXPECT_EQ(ResolveYamlScalar("1e-400").real, 0);
}

TEST(GoJsonFloatTest, WritesAsGoDoes) {
  EXPECT_EQ(GoJsonFloat(0), "0");
  EXPECT_EQ(GoJsonFloat(-0.0), "-0");
  EXPECT_EQ(GoJsonFloat(1), "1");
  EXPECT_EQ(GoJsonFloat(-1.25), "-1.25");
  EXPECT_EQ(GoJsonFloat(0.1), "0.1");
  EXPECT_EQ(GoJsonFloat(1e-6), "0.000001");
  EXPECT_EQ(GoJsonFloat(9.5e-7), "9.5e-7");
  EXPECT_EQ(GoJsonFloat(1.2345678901234567e20), "123456789012345670000");
  EXPECT_EQ(GoJsonFloat(1e21), "1e+21");
  EXPECT_EQ(GoJsonFloat(5e-324), "5e-324");
}

TEST(GoKeyFloatTest, WritesAsGoDoes) {
  EXPECT_EQ(GoKeyFloat(1.1), "1.1");
  EXPECT_EQ(GoKeyFloat(100000), "100000");
  EXPECT_EQ(GoKeyFloat(1e6), "1e+06");
  EXPECT_EQ(GoKeyFloat(1234567), "1.234567e+06");
  EXPECT_EQ(GoKeyFloat(0.0001), "0.0001");
  EXPECT_EQ(GoKeyFloat(0.00001), "1e-05");
  EXPECT_EQ(GoKeyFloat(1e300), ".inf");
}

}  // namespace
}  // namespace plimsoll::codec
