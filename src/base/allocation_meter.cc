#include "base/allocation_meter.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

namespace plimsoll {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

thread_local constinit std::uint64_t allocated_bytes = 0;
thread_local constinit std::uint64_t allocated_limit = kUnlimited;

}  // namespace

std::uint64_t AllocatedBytes() { return allocated_bytes; }

bool CountsAllocations() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
  return false;
#else
  return true;
#endif
}

AllocationBudget::AllocationBudget(std::uint64_t bytes) : outer_(allocated_limit) {
  allocated_limit = std::min(allocated_limit, allocated_bytes + bytes);
}

AllocationBudget::~AllocationBudget() { allocated_limit = outer_; }

}  // namespace plimsoll

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
namespace {

void* Allocate(std::size_t bytes) {
  using plimsoll::allocated_bytes;
  using plimsoll::allocated_limit;
  allocated_bytes += bytes;
  if (allocated_bytes > allocated_limit) [[unlikely]] {
    allocated_limit = plimsoll::kUnlimited;
    throw std::bad_alloc();
  }
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);  // NOLINT: this is operator new
  if (memory == nullptr) [[unlikely]]
    throw std::bad_alloc();
  return memory;
}

}  // namespace

// The standard operator delete stays in use; it frees memory of malloc.
void* operator new(std::size_t bytes) { return Allocate(bytes); }
void* operator new[](std::size_t bytes) { return Allocate(bytes); }
#endif
