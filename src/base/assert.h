#pragma once

namespace plimsoll {

/// Prints the place and the condition, and aborts.
[[noreturn]] void AssertFailed(const char* file, int line, const char* condition);

}  // namespace plimsoll

/// For the programmer's errors, never for a client's. On in release builds as well.
#define PL_ASSERT(condition)                                    \
  do {                                                          \
    if (!(condition)) [[unlikely]] {                            \
      ::plimsoll::AssertFailed(__FILE__, __LINE__, #condition); \
    }                                                           \
  } while (false)
