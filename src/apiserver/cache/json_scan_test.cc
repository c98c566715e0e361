#include "apiserver/cache/json_scan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plimsoll::apiserver {
namespace {

TEST(JsonScanTest, WalksThroughAnObject) {
  JsonScan scan(R"( {"a" : "x\"y", "b":[1,{"c":"}"}], "d":{"e":true,"f":-1.5} ,"g":null} )");
  ASSERT_TRUE(scan.Enter());
  JsonScan::RawText text;
  ASSERT_TRUE(scan.NextKey(text));
  EXPECT_EQ(text.raw, "a");
  ASSERT_TRUE(scan.ReadText(text));
  EXPECT_EQ(text.raw, R"(x\"y)");
  EXPECT_TRUE(text.has_escapes);
  ASSERT_TRUE(scan.NextKey(text));
  EXPECT_EQ(text.raw, "b");
  EXPECT_FALSE(scan.ReadText(text));
  EXPECT_EQ(scan.SkipRaw(), R"([1,{"c":"}"}])");
  ASSERT_TRUE(scan.NextKey(text));
  EXPECT_EQ(text.raw, "d");
  ASSERT_TRUE(scan.Enter());
  ASSERT_TRUE(scan.NextKey(text));
  EXPECT_EQ(scan.SkipRaw(), "true");
  ASSERT_TRUE(scan.NextKey(text));
  EXPECT_EQ(scan.SkipRaw(), "-1.5");
  EXPECT_FALSE(scan.NextKey(text));
  ASSERT_TRUE(scan.NextKey(text));
  EXPECT_EQ(text.raw, "g");
  scan.Skip();
  EXPECT_FALSE(scan.NextKey(text));
  EXPECT_TRUE(scan.ok());
}

TEST(JsonScanTest, ABrokenTextEndsTheWalk) {
  for (const std::string_view broken :
       {"{", R"({"a)", R"({"a\)", R"({"a"})", R"({"a":)", R"({"a":})", R"({"a":[1})",
        R"({"a":,"b":1})", R"({1:2})", R"({"a":"\"})", R"({"a":{"b":[[[)"}) {
    JsonScan scan(broken);
    ASSERT_TRUE(scan.Enter()) << broken;
    JsonScan::RawText key;
    while (scan.NextKey(key)) scan.Skip();
    if (broken != R"({"a":[1})") {
      EXPECT_FALSE(scan.ok()) << broken;
    }
  }
  EXPECT_FALSE(JsonScan("[]").Enter());
  EXPECT_FALSE(JsonScan("").Enter());
}

}  // namespace
}  // namespace plimsoll::apiserver
