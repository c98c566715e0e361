#include "apiserver/response/media_range.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

TEST(MediaRangeTest, ReadsKubectlsAcceptHeader) {
  const auto ranges = ParseAccept(
      "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;"
      "g=meta.k8s.io,application/json");
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[0].Parameter("as"), "Table");
  EXPECT_EQ(ranges[1].Parameter("v"), "v1beta1");
  EXPECT_TRUE(ranges[2].parameters.empty());
}

TEST(MediaRangeTest, TheHigherQualityComesFirst) {
  const auto ranges = ParseAccept("a/b;q=0.5, c/d , e/f;q=0, bad, g/h; q=0.9");
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[0].type, "c/d");
  EXPECT_EQ(ranges[1].type, "g/h");
  EXPECT_EQ(ranges[2].type, "a/b");
}

TEST(MediaRangeTest, WildcardsCover) {
  EXPECT_TRUE(ParseMediaType("*/*").Covers("application/json"));
  EXPECT_TRUE(ParseMediaType("application/*").Covers("application/json"));
  EXPECT_FALSE(ParseMediaType("text/*").Covers("application/json"));
  EXPECT_TRUE(ParseMediaType("Application/JSON; charset=\"utf-8\"").Covers("application/json"));
}

TEST(MediaRangeTest, NothingGivesNothing) {
  EXPECT_TRUE(ParseAccept("").empty());
  EXPECT_EQ(ParseMediaType("").type, "");
}

}  // namespace
}  // namespace plimsoll::apiserver
