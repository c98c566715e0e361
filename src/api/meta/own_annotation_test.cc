#include "api/meta/own_annotation.h"

#include <gtest/gtest.h>

namespace plimsoll::api {
namespace {

TEST(OwnAnnotationTest, IsReadUnderBothPrefixes) {
  EXPECT_EQ(OwnAnnotationName("plimsoll.io/run-time.web"), "run-time.web");
  EXPECT_EQ(OwnAnnotationName("plimsoll.dev/run-time.web"), "run-time.web");
  EXPECT_EQ(OwnAnnotationName("example.com/run-time"), std::nullopt);
  EXPECT_EQ(FindOwnAnnotation({{"plimsoll.dev/ready", "false"}}, "ready"), "false");
  EXPECT_EQ(FindOwnAnnotation({{"plimsoll.io/ready", "true"}}, "ready"), "true");
  EXPECT_EQ(FindOwnAnnotation({{"plimsoll.io/ready", "true"}}, "read"), std::nullopt);
}

TEST(OwnAnnotationTest, CountsUnderTheCurrentPrefixIfBothAreSet) {
  const StringMap both = {{"plimsoll.io/ready", "true"}, {"plimsoll.dev/ready", "false"}};
  EXPECT_EQ(FindOwnAnnotation(both, "ready"), "true");
}

TEST(OwnAnnotationTest, AdvisesTheCurrentPrefix) {
  EXPECT_EQ(DeprecationOf("plimsoll.dev/ready"), R"(deprecated; use "plimsoll.io/ready" instead)");
  EXPECT_EQ(DeprecationOf("plimsoll.io/ready"), "");
}

}  // namespace
}  // namespace plimsoll::api
