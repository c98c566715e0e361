#include "cli/explain/resource_text.h"

#include <gtest/gtest.h>

namespace plimsoll::cli {
namespace {

TEST(ResourceTextTest, UsesTheUnitOfTheResource) {
  EXPECT_EQ(AmountText("cpu", 300), "300m");
  EXPECT_EQ(AmountText("cpu", -2000), "-2");
  EXPECT_EQ(AmountText("memory", std::int64_t{1} << 30), "1Gi");
  EXPECT_EQ(AmountText("hugepages-2Mi", std::int64_t{4} << 20), "4Mi");
  EXPECT_EQ(AmountText("example.com/gpu", 8), "8");
}

}  // namespace
}  // namespace plimsoll::cli
