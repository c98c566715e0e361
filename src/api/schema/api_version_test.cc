#include "api/schema/api_version.h"

#include <gtest/gtest.h>

namespace plimsoll::api {
namespace {

TEST(ApiVersionOfTest, TheCoreGroupHasNoName) {
  EXPECT_EQ(ApiVersionOf("", "v1"), "v1");
  EXPECT_EQ(ApiVersionOf("apps", "v1"), "apps/v1");
  EXPECT_EQ(ApiVersionOf(*FindKind("", "v1", "Pod")), "v1");
  EXPECT_EQ(ApiVersionOf(*FindKind("apps", "v1", "Deployment")), "apps/v1");
}

}  // namespace
}  // namespace plimsoll::api
