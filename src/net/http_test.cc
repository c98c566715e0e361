#include "net/http.h"

#include <gtest/gtest.h>

namespace plimsoll::net {
namespace {

TEST(HeadersTest, NamesAreComparedWithoutCase) {
  Headers headers{{"Accept", "a"}, {"accept", "b"}, {"X-One", "1"}};
  EXPECT_EQ(headers.Find("ACCEPT"), "a");
  EXPECT_EQ(headers.FindAll("accept"), (std::vector<std::string_view>{"a", "b"}));
  headers.Remove("aCCept");
  EXPECT_FALSE(headers.Has("Accept"));
  EXPECT_TRUE(headers.Has("x-one"));
  EXPECT_EQ(headers.Find("none"), "");
}

TEST(ParseTargetTest, TakesPathAndQueryApart) {
  const auto target = ParseTarget("/api/v1/pods%2Fx?labelSelector=a%3Db+c&limit=5&&watch");
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(target->path, "/api/v1/pods/x");
  EXPECT_EQ(target->Query("labelSelector"), "a=b c");
  EXPECT_EQ(target->Query("limit"), "5");
  EXPECT_TRUE(target->HasQuery("watch"));
  EXPECT_FALSE(target->HasQuery("none"));
}

TEST(ParseTargetTest, RefusesBrokenOnes) {
  for (const std::string_view text :
       {"", "api", "http://x/api", "/a%", "/a%2", "/a%zz", "/?a=%1"}) {
    EXPECT_FALSE(ParseTarget(text).has_value()) << text;
  }
}

TEST(PercentEncodeTest, ComesBackThroughParseTarget) {
  const std::string text = "a b/c?d=e&f%+ü";
  const auto target = ParseTarget("/?x=" + PercentEncode(text));
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(target->Query("x"), text);
}

}  // namespace
}  // namespace plimsoll::net
