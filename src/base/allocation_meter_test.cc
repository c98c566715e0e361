#include "base/allocation_meter.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <vector>

namespace plimsoll {
namespace {

TEST(AllocationMeterTest, CountsWhatTheThreadAllocates) {
  const std::uint64_t before = AllocatedBytes();
  const std::vector<char> bytes(100'000);
  EXPECT_GE(AllocatedBytes() - before, CountsAllocations() ? bytes.size() : 0);
}

TEST(AllocationMeterTest, MoreThanTheBudgetFailsOnceAndTheWayOutMayAllocate) {
  if (!CountsAllocations()) GTEST_SKIP() << "sanitizers have an operator new of their own";
  const AllocationBudget budget(1 << 20);
  EXPECT_THROW(std::vector<char>(2 << 20), std::bad_alloc);
  const std::vector<char> on_the_way_out(2 << 20);
  EXPECT_EQ(on_the_way_out.size(), std::size_t{2} << 20);
}

TEST(AllocationMeterTest, TheBudgetEndsWithItsScope) {
  {
    const AllocationBudget budget(1);
  }
  const auto allocated = std::make_unique<std::vector<char>>(1 << 20);
  EXPECT_EQ(allocated->size(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace plimsoll
