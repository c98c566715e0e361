#include "apiserver/request/query_flag.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

TEST(QueryFlagTest, EverythingButZeroAndFalseIsTrue) {
  for (const std::string_view text : {"", "true", "True", "1", "yes", "2"}) {
    EXPECT_TRUE(IsTrueText(text)) << text;
  }
  for (const std::string_view text : {"0", "false", "False", "FALSE", "fAlSe"}) {
    EXPECT_FALSE(IsTrueText(text)) << text;
  }
}

TEST(QueryFlagTest, TheFirstValueCountsAndNoneIsFalse) {
  const auto flag = [](std::string_view target) {
    return QueryFlag(*net::ParseTarget(target), "watch");
  };
  EXPECT_FALSE(flag("/pods"));
  EXPECT_FALSE(flag("/pods?watches=1"));
  EXPECT_TRUE(flag("/pods?watch"));
  EXPECT_TRUE(flag("/pods?watch="));
  EXPECT_TRUE(flag("/pods?watch=true&watch=false"));
  EXPECT_FALSE(flag("/pods?watch=false&watch=true"));
}

}  // namespace
}  // namespace plimsoll::apiserver
