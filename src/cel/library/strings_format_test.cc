#include <gtest/gtest.h>

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
