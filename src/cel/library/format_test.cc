#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(FormatTest, AFormatSaysWhatIsWrong) {
  EXPECT_EQ(
      Differences({
          {"format.dns1123Label().validate('gpu-1')", "optional.none() @9"},
          {"format.dns1123Label().validate('Gpu').value()[0].substring(0, 27)",
           R"("a lowercase RFC 1123 label " @36)"},
          {"format.named('dns1123Label').hasValue()", "true @2"},
          {"format.named('nope')", "optional.none() @1"},
          {"format.uuid().validate('123e4567-e89b-12d3-a456-426614174000')", "optional.none() @73"},
          {"format.date().validate('2024-02-30')", R"(optional.of(["invalid date"]) @37)"},
          {"format.dns1035LabelPrefix().validate('a-')", "optional.none() @9"},
          {"format.byte().validate('YQ==')", "optional.none() @22"},
          {"format.dns1123Label() == format.dns1123Label()", "true @3"},
      }),
      "");
}

}  // namespace
}  // namespace plimsoll::cel
