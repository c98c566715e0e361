#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"
#include "cel/eval/steps.h"
#include "cel/eval/well_known_value.h"

namespace plimsoll::cel {
namespace {

TEST(LiteralTest, ConstantsAreFree) {
  EXPECT_EQ(Differences({
                {"[1, 2]", "[1, 2] @0"},
                {"{'a': [1]}", "{\"a\": [1]} @0"},
                {"[]", "[] @0"},
            }),
            "");
}

TEST(LiteralTest, ChargesWhatIsMade) {
  EXPECT_EQ(Differences({
                {"[taint.key]", "[\"gpu\"] @12"},
                {"{taint.key: 1}", "{\"gpu\": 1} @32"},
                {"[1 / 0, 1 % 0]", "error: division by zero @11"},
                {"{'a': 1 / 0}", "error: division by zero @31"},
            }),
            "");
}

/// Variables of comprehensions can be used directly in literals and calls; values computed from
/// them and accumulators may be errors.
TEST(LiteralTest, TakesVariablesOfComprehensions) {
  EXPECT_EQ(Differences({
                {"[1, 2].map(x, [x, x])", "[[1, 1], [2, 2]] @49"},
                {"[1, 0].map(x, [x, 1 / x])", "error: division by zero @51"},
                {"[1].map(x, {x: x, 2: 3})", "[{1: 1, 2: 3}] @45"},
                {"{'a': 'b'}.transformList(k, v, [k, v])", "[[\"a\", \"b\"]] @25"},
                {"['a'].map(x, 'aba'.replace(x, x))", "[\"aba\"] @16"},
                {"['a'].map(x, 'aba'.replace(x, string(1 / 0)))", "error: division by zero @17"},
                {"cel.bind(v, 1 / 0, [1, v])", "error: division by zero @12"},
                {"[1].map(x, cel.bind(v, x / 0, [x, v]))", "error: division by zero @27"},
                {"[1, 0].exists(x, [x, 2 / x] == [1, 2])", "true @22"},
                {"[1].map(x, [?optional.of(x), x])", "[[1, 1]] @26"},
            }),
            "");
}

TEST(LiteralTest, LeavesOutAbsentParts) {
  EXPECT_EQ(Differences({
                {"[?optional.of(1), ?optional.none(), 2]", "[1, 2] @12"},
                {"{?'a': optional.of(1), ?'b': optional.none()}", "{\"a\": 1} @32"},
                {"{'a': 1, ?'a': optional.none()}", "{} @31"},
            }),
            "");
}

TEST(LiteralTest, KeepsTheLastOfEqualKeys) {
  EXPECT_EQ(Differences({
                {"{'a': 1, taint.key: 2, 'gpu': 3}", "{\"a\": 1, \"gpu\": 3} @32"},
                {"size({dyn(1): 'a', dyn(1u): 'b', dyn(1.0): 'c'})", "3 @1"},
            }),
            "");
}

TEST(LiteralTest, CannotMakeStructures) {
  EXPECT_EQ(Differences({
                {"kubernetes.Taint{}", "error: unknown type 'kubernetes.Taint' @40"},
                {"kubernetes.Taint{key: 'gpu'}.key", "error: unknown type 'kubernetes.Taint' @41"},
                {"kubernetes.Taint{key: string(1 / 0)}", "error: division by zero @42"},
            }),
            "");
}

TEST(LiteralTest, MakesTheMessagesThatAreValues) {
  EXPECT_EQ(
      Differences({
          {"google.protobuf.Struct{}", "{} @40"},
          {"google.protobuf.ListValue{values: [1]}", "[1.0] @40"},
          {"google.protobuf.Value{}", "null @40"},
          {"google.protobuf.Value{string_value: taint.key}", "\"gpu\" @42"},
          {"google.protobuf.Int64Value{}", "0 @40"},
          {"google.protobuf.Int32Value{value: 2147483648}", "error: integer overflow @40"},
          {"google.protobuf.UInt32Value{value: 7u}", "7u @40"},
          {"google.protobuf.FloatValue{value: 0.1}", "0.10000000149011612 @40"},
          {"google.protobuf.Duration{seconds: 1, nanos: 500000000}", "duration(\"1.5s\") @40"},
          {"google.protobuf.Timestamp{seconds: -1, nanos: 1}",
           "timestamp(\"1969-12-31T23:59:59.000000001Z\") @40"},
          {"google.protobuf.StringValue{value: string(1 / 0)}", "error: division by zero @42"},
          {"google.protobuf.Int64Value{?value: optional.of(5)}", "5 @41"},
          {"google.protobuf.Int64Value{?value: optional.none()}", "0 @41"},
          {"google.protobuf.Int64Value{?value: dyn(5)}",
           "error: cannot initialize optional entry 'value' from non-optional value 5 @40"},
          {"google.protobuf.Int64Value{value: dyn('5')}",
           "error: field type conversion error for google.protobuf.Int64Value.value value type: "
           "string @40"},
          {"google.protobuf.Any{}", "error: conversion error: got Any with empty type-url @40"},
      }),
      "");
}

}  // namespace
}  // namespace plimsoll::cel
