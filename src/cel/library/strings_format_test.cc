#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(StringsFormatTest, ReadsClauses) {
  EXPECT_EQ(Differences({
                {"('100%' + '%').format([])", "\"100%\" @2"},
                {"('%' + 's').format(['a'])", "\"a\" @2"},
                {"('%' + '.3f').format([1.5])", "\"1.500\" @2"},
                {"('é%' + 's日').format(['a'])", "\"éa日\" @2"},
            }),
            "");
}

TEST(StringsFormatTest, WritesWholeNumbersToEveryBase) {
  EXPECT_EQ(Differences({
                {"'%d|%s'.format([-9223372036854775808, 18446744073709551615u])",
                 "\"-9223372036854775808|18446744073709551615\" @1"},
                {"'%d%d%d'.format([0, -1, 10u])", "\"0-110\" @1"},
                {"'%.3d|%.0s'.format([7, 7])", "\"7|7\" @1"},
                {"'%x|%X'.format([-9223372036854775808, 18446744073709551615u])",
                 "\"-8000000000000000|FFFFFFFFFFFFFFFF\" @1"},
                {"'%x|%X|%X'.format([48879, -48879, 0u])", "\"beef|-BEEF|0\" @1"},
                {"'%o|%o'.format([-9223372036854775808, 18446744073709551615u])",
                 "\"-1000000000000000000000|1777777777777777777777\" @1"},
                {"'%b'.format([-9223372036854775808])",
                 "\"-1000000000000000000000000000000000000000000000000000000000000000\" @1"},
                {"'%b%b|%b'.format([true, false, 18446744073709551615u])",
                 "\"10|1111111111111111111111111111111111111111111111111111111111111111\" @1"},
            }),
            "");
}

TEST(StringsFormatTest, WritesTextsAndTruths) {
  EXPECT_EQ(Differences({
                {"'%s%s%s'.format(['', 'a', 'more than eight letters'])",
                 "\"amore than eight letters\" @1"},
                {"'%s %s %s'.format([true, false, null])", "\"true false null\" @1"},
                {"'a%X|%x'.format(['j\\xff', b'\\xff\\x0a'])", "\"a6AC3BF|ff0a\" @1"},
                {"'%x'.format([''])", "\"\" @1"},
                {"'100%%'.format([])", "\"100%\" @1"},
            }),
            "");
}

/// The output is much longer than its format.
TEST(StringsFormatTest, GrowsAsNeeded) {
  const std::string part(300, 'a');
  std::string format;
  std::string list;
  std::string joined;
  for (int i = 0; i < 50; ++i) {
    format += "%s%x";
    list += (i == 0 ? "'" : ", '") + part + "', 255";
    joined += part + "ff";
  }
  EXPECT_EQ(Answer("'" + format + "'.format([" + list + "]) == '" + joined + "'"), "true @1530");
}

/// Clauses cost 0.2 each, regardless of their output; the rest counts as work.
TEST(StringsFormatTest, ManyClausesForNothingEnd) {
  const auto format = [](std::string_view clause, std::string_view value) {
    std::string clauses;
    std::string values(value);
    for (int i = 0; i < 500; ++i) {
      clauses += clause;
      if (i > 0) values += ", " + std::string(value);
    }
    return "lists.range(100).all(x, '" + clauses + "'.format([" + values + "]) != '')";
  };
  EXPECT_EQ(Answer(format("%d", "1")), "true @10412");
  EXPECT_TRUE(Answer(format("%e", "1.5")).starts_with("error: operation cancelled: work limit"));
  EXPECT_TRUE(Answer(format("%s", "1.5")).starts_with("error: operation cancelled: work limit"));
}

/// Formatting a long value that fails at its end counts as work.
TEST(StringsFormatTest, FailuresAreCountedToo) {
  const std::string loop = "lists.range(3000).map(x, dyn(x)) + [dyn(quantity('1'))]";
  for (const std::string_view value : {"l", "{1: l}", "[[l]]"}) {
    const std::string expression = "[" + loop + "].all(l, lists.range(100).all(x, '%s'.format([" +
                                   std::string(value) + "]) == '' || true))";
    EXPECT_TRUE(Answer(expression).starts_with("error: operation cancelled: work limit"))
        << Answer(expression);
  }
}

TEST(StringsFormatTest, RefusesOthers) {
  EXPECT_EQ(
      Differences({
          {"('%' + '').format([1])", "error: unexpected end of string @2"},
          {"('%' + 's').format([])", "error: index 0 out of range @2"},
          {"('%' + 'q').format([1])",
           "error: could not parse formatting clause: unrecognized formatting clause \"q\" @2"},
          {"('%' + 'é').format([1])",
           "error: could not parse formatting clause: unrecognized formatting clause \"Ã\" @2"},
          {"('%' + '.').format([1])",
           "error: could not parse formatting clause: error while parsing precision: could not "
           "find end of precision specifier @2"},
          {"('%' + '.f').format([1.5])",
           "error: could not parse formatting clause: error while parsing precision: error while "
           "converting precision to integer: strconv.Atoi: parsing \"\": invalid syntax @2"},
          {"('%' + '.99999999999999999999f').format([1.5])",
           "error: could not parse formatting clause: error while parsing precision: error while "
           "converting precision to integer: strconv.Atoi: parsing \"99999999999999999999\": value "
           "out of range @6"},
          {"('%' + '.2000000f').format([1.5])",
           "error: could not parse formatting clause: error while parsing precision: too large: "
           "2000000 @2"},
      }),
      "");
}

}  // namespace
}  // namespace plimsoll::cel
