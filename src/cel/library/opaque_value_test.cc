#include "cel/library/opaque_value.h"

#include <gtest/gtest.h>

namespace plimsoll::cel {
namespace {

TEST(OpaqueValueTest, ATypeIsMadeOncePerName) {
  EXPECT_EQ(OpaqueType("test.A"), OpaqueType("test.A"));
  EXPECT_NE(OpaqueType("test.A"), OpaqueType("test.B"));
  EXPECT_EQ(OpaqueType("test.A")->name(), "test.A");
}

}  // namespace
}  // namespace plimsoll::cel
