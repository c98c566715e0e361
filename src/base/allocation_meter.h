#pragma once

#include <cstdint>

namespace plimsoll {

/// Returns how many bytes this thread has requested from operator new since it started. Freed bytes
/// are not subtracted. Always 0 in sanitizer and clang builds, which keep their own operator new.
std::uint64_t AllocatedBytes();

/// Returns true if AllocatedBytes counts in this build.
bool CountsAllocations();

/// Limits how much this thread allocates during the lifetime of the budget. The allocation that
/// exceeds it throws std::bad_alloc, before the system kills the process for one huge object. That
/// failure lifts the limit, so that error handling can allocate. A nested budget cannot raise the
/// limit of the outer one. Has no effect in sanitizer and clang builds.
class AllocationBudget {
 public:
  explicit AllocationBudget(std::uint64_t bytes);
  ~AllocationBudget();
  AllocationBudget(const AllocationBudget&) = delete;
  AllocationBudget& operator=(const AllocationBudget&) = delete;

 private:
  std::uint64_t outer_;  // limit of the enclosing budget
};

}  // namespace plimsoll
