#pragma once

namespace plimsoll {

/// Prints the file, the line and the condition, then aborts.
[[noreturn]] void AssertFailed(const char* file, int line, const char* condition);

}  // namespace plimsoll

/// Aborts if the condition is false. For bugs in this program, never for bad input from a client.
#define PL_ASSERT(condition)                                    \
  do {                                                          \
    if (!(condition)) [[unlikely]] {                            \
      ::plimsoll::AssertFailed(__FILE__, __LINE__, #condition); \
    }                                                           \
  } while (false)
