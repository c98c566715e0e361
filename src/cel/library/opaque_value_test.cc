#include "cel/library/opaque_value.h"

#include <gtest/gtest.h>

#include "cel/library/ip_value.h"
#include "cel/library/semver_value.h"

namespace plimsoll::cel {
namespace {

TEST(OpaqueValueTest, ATypeHasTheNameItWasMadeWith) {
  const OpaqueType type("test.A");
  EXPECT_EQ(type.get()->name(), "test.A");
  EXPECT_EQ(type.get()->kind(), TypeKind::Opaque);
}

TEST(OpaqueValueTest, OnlyItsOwnKindIsFoundBehindAValue) {
  Arena arena;
  const Value version = MakeOpaque<SemverValue>(arena, SemverView{.major = 1});
  ASSERT_NE(Find<SemverValue>(version), nullptr);
  EXPECT_EQ(As<SemverValue>(version).version().major, 1u);
  EXPECT_EQ(Find<IpValue>(version), nullptr);
  EXPECT_EQ(Find<IpValue>(Value::Int(1)), nullptr);
}

}  // namespace
}  // namespace plimsoll::cel
