#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(StringsFormatV2Test, WritesNumbersForReaders) {
  EXPECT_EQ(
      Differences({
          {"'%f'.format([1234567.891])", "\"1,234,567.891000\" @1"},
          {"'%.2f'.format([3.14159])", "\"3.14\" @1"},
          {"'%.0f'.format([2.5])", "\"2\" @1"},
          {"'%f'.format([-0.5])", "\"-0.500000\" @1"},
          {"'%f'.format([double('-inf')])", "\"-∞\" @1"},
          {"'%f'.format(['NaN'])", "\"NaN\" @1"},
          {"'%.300f'.format([0.5])", "\"0.50000000000000000000000000000000000000000000\" @1"},
          {"'%.40000f'.format([0.5])",
           "\"0.5000000000000000000000000000000000000000000000000000000000000000\" @1"},
          {"'%e'.format([1234.5678])", "\"1.234568×10⁰³\" @1"},
          {"'%.2e'.format([-0.00012])", "\"-1.200000×10⁻⁰⁴\" @1"},
          {"'%.15e'.format([1.5])", "\"  1.500000×10⁰⁰\" @1"},
          {"'%e'.format([double('NaN')])", "\"   NaN\" @1"},
          {"'%.40e'.format([1e300])", "\"                          1.000000×10³⁰⁰\" @1"},
          {"'%.31f|%.33f'.format([0.5, 0.5])",
           "\"0.5000000000000000000000000000000|0.500000000000000000000000000000000\" @2"},
          {"'%f'.format([1e20])", "\"100,000,000,000,000,000,000.000000\" @1"},
          {"'%d|%d'.format([-5, 5u])", "\"-5|5\" @1"},
          {"'%b|%b|%b'.format([-5, 5u, true])", "\"-101|101|1\" @1"},
          {"'%x|%X|%x|%X'.format([-26, 255u, 'hello', b'\\xab'])", "\"-1a|FF|68656c6c6f|AB\" @2"},
          {"'%o'.format([30])", "\"36\" @1"},
      }),
      "");
}

TEST(StringsFormatV2Test, WritesValuesAsLiterals) {
  EXPECT_EQ(
      Differences({
          {"'%s'.format([[1.5, 2.0]])", "\"[1.500000, 2.000000]\" @1"},
          {"'%s'.format([1.5])", "\"1.5\" @1"},
          {"'%s'.format([['a', 'b\\n']])", "\"[\\\"a\\\", \\\"b\\\\n\\\"]\" @1"},
          {"'%s'.format([{'b': 1, 'a': [true, null]}])",
           "\"{\\\"a\\\":[true, null], \\\"b\\\":1}\" @1"},
          {"'%s'.format([[timestamp(0)]])", "\"[timestamp(\\\"1970-01-01T00:00:00Z\\\")]\" @1"},
          {"'%s'.format([[duration('1s')]])", "\"[duration(\\\"1s\\\")]\" @1"},
          {"'%s'.format([[b'a', b'\\n']])", "\"[b\\\"a\\\", b\\\"\\\\n\\\"]\" @1"},
          {"'%s'.format([[double('NaN')]])", "\"[\\\"NaN\\\"]\" @1"},
          {"'%s'.format([int])", "\"int\" @1"},
          {"'%s'.format([dyn(taint)])",
           "\"{\\\"effect\\\":\\\"NoSchedule\\\", \\\"key\\\":\\\"gpu\\\", "
           "\\\"value\\\":\\\"42\\\"}\" @13"},
      }),
      "");
}

TEST(StringsFormatV2Test, RefusesTheRest) {
  EXPECT_EQ(
      Differences({
          {"taint.key.format([1])", "\"gpu\" @3"},
          {"('%' + 'd').format([dyn('a')])",
           "error: error during formatting: decimal clause can only be used on integers, was given "
           "string @2"},
          {"('%' + 'f').format([dyn(1)])",
           "error: error during formatting: fixed-point clause can only be used on doubles, was "
           "given int @2"},
          {"('%' + 'e').format([dyn(1)])",
           "error: error during formatting: scientific clause can only be used on doubles, was "
           "given int @2"},
          {"('%' + 'b').format([dyn('a')])",
           "error: error during formatting: only integers and bools can be formatted as binary, "
           "was given string @2"},
          {"('%' + 'x').format([dyn(1.5)])",
           "error: error during formatting: only integers, byte buffers, and strings can be "
           "formatted as hex, was given double @2"},
          {"('%' + 'o').format([dyn('a')])",
           "error: error during formatting: octal clause can only be used on integers, was given "
           "string @2"},
          {"('%' + 's').format([dyn(quantity('1'))])",
           "error: error during formatting: string clause can only be used on strings, bools, "
           "bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given "
           "kubernetes.Quantity @14"},
          {"('%' + 's').format([[dyn(quantity('1'))]])",
           "error: error during formatting: no formatting function for kubernetes.Quantity @24"},
          {"('%' + 's').format([dyn(b'\\xff')])",
           "error: error during formatting: could not convert argument \"invalid UTF-8 in bytes, "
           "cannot convert to string\" to string @2"},
      }),
      "");
}

}  // namespace
}  // namespace plimsoll::cel
