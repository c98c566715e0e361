#include "cel/value_text.h"

#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(ValueTextTest, WritesValuesInTheLanguageItself) {
  for (const std::string_view text :
       {"null", "true", "-1", "1u", "1.5", "2.0", "1e+06", "\"a\\nb\"", "b\"ab\"",
        "duration(\"1.5s\")", "timestamp(\"2024-01-01T00:00:00Z\")", "[1, 2]", "{\"a\": [1u]}",
        "int"}) {
    EXPECT_EQ(Answer(text), std::string(text) + " @0");
  }
  EXPECT_EQ(Answer("optional.of(1)"), "optional.of(1) @1");
  EXPECT_EQ(Answer("optional.none()"), "optional.none() @1");
  EXPECT_EQ(Answer("1 / 0"), "error: division by zero @1");
}

}  // namespace
}  // namespace plimsoll::cel
