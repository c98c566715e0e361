#pragma once

#include <cstdint>

namespace plimsoll {

/// Returns how many bytes this thread has asked operator new for since it started. What it freed
/// is not taken off. Always 0 in sanitizer builds, which have an operator new of their own.
std::uint64_t AllocatedBytes();

/// Whether AllocatedBytes counts in this build.
bool CountsAllocations();

/// Limits what this thread allocates while it lives, so that an object that takes far too much
/// memory fails by itself (std::bad_alloc) before the system ends the process. Ends with its first
/// failure, so that the way out may allocate. Without effect in sanitizer builds. The inner of two
/// ends no later than the outer.
class AllocationBudget {
 public:
  explicit AllocationBudget(std::uint64_t bytes);
  ~AllocationBudget();
  AllocationBudget(const AllocationBudget&) = delete;
  AllocationBudget& operator=(const AllocationBudget&) = delete;

 private:
  std::uint64_t outer_;  // limit
};

}  // namespace plimsoll
