#include "service/server_kind.h"

#include <gtest/gtest.h>

namespace plimsoll::service {
namespace {

TEST(ServerKindTest, OursIsKnownByItsVersion) {
  EXPECT_EQ(KindOfVersion("v1.37.0+plimsoll"), ServerKind::Own);
  EXPECT_EQ(KindOfVersion("v1.38.1+plimsoll.2"), ServerKind::Own);
  EXPECT_EQ(KindOfVersion("v1.37.0"), ServerKind::Stock);
  EXPECT_EQ(KindOfVersion("v1.33.1+k3s1"), ServerKind::Stock);
  EXPECT_EQ(KindOfVersion("plimsoll"), ServerKind::Stock);
  EXPECT_EQ(KindOfVersion(""), ServerKind::Stock);
}

TEST(ServerKindTest, OnlyObjectsOfOtherServersAreReadWithTheirAnnotations) {
  EXPECT_FALSE(AnnotationTransformFor(ServerKind::Own, {}));
  EXPECT_TRUE(AnnotationTransformFor(ServerKind::Stock, {}));
}

}  // namespace
}  // namespace plimsoll::service
