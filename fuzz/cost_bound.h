#pragma once

#include <time.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/assert.h"

// Declared here because the headers of the sanitizers' run-time library are not installed with
// every compiler.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                             std::size_t),
                                                         void (*free_hook)(const volatile void*));

namespace plimsoll::fuzz {

/// Returns the bytes that the process has allocated so far. Freed bytes count as well, so that this
/// measures work.
inline std::atomic<std::size_t>& AllocatedBytes() {
  static std::atomic<std::size_t> bytes = 0;
  return bytes;
}

inline void CountAllocation(const volatile void*, std::size_t size) {
  AllocatedBytes().fetch_add(size, std::memory_order_relaxed);
}
inline void IgnoreFree(const volatile void*) {}

inline std::int64_t CpuMilliseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
}

/// The cost that an input may have: a constant, and an amount for each of its bytes.
struct CostLimits {
  std::size_t bytes_min = 4u << 20;
  std::size_t bytes_per_byte = 4096;
  std::int64_t milliseconds_min = 1000;
  std::int64_t milliseconds_per_kilobyte = 100;
};

/// Aborts at the end of its scope if the process exceeded the cost for an input of that size. The
/// cost is the bytes that it allocated in the scope, and its CPU time.
class CostBound {
 public:
  explicit CostBound(std::size_t input_bytes, const CostLimits& limits = {})
      : bytes_max_(limits.bytes_min + limits.bytes_per_byte * input_bytes),
        milliseconds_max_(limits.milliseconds_min + limits.milliseconds_per_kilobyte *
                                                        static_cast<std::int64_t>(input_bytes) /
                                                        1024) {
    static const int kInstalled =
        __sanitizer_install_malloc_and_free_hooks(CountAllocation, IgnoreFree);
    PL_ASSERT(kInstalled != 0);
    bytes_before_ = AllocatedBytes();
    milliseconds_before_ = CpuMilliseconds();
  }
  ~CostBound() {
    PL_ASSERT(AllocatedBytes() - bytes_before_ <= bytes_max_);
    PL_ASSERT(CpuMilliseconds() - milliseconds_before_ <= milliseconds_max_);
  }
  CostBound(const CostBound&) = delete;
  CostBound& operator=(const CostBound&) = delete;

 private:
  const std::size_t bytes_max_;
  const std::int64_t milliseconds_max_;
  std::size_t bytes_before_ = 0;
  std::int64_t milliseconds_before_ = 0;
};

}  // namespace plimsoll::fuzz
