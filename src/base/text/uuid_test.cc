#include "base/text/uuid.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(RandomUuidTest, HasItsVersionAndVariant) {
  EXPECT_EQ(RandomUuid(0, 0), "00000000-0000-4000-8000-000000000000");
  EXPECT_EQ(RandomUuid(~std::uint64_t{0}, ~std::uint64_t{0}),
            "ffffffff-ffff-4fff-bfff-ffffffffffff");
  EXPECT_EQ(RandomUuid(0x0123456789abcdef, 0x0123456789abcdef),
            "01234567-89ab-4def-8123-456789abcdef");
}

}  // namespace
}  // namespace plimsoll
