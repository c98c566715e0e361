#pragma once

#include <string>

namespace plimsoll {

/// Name and priority of a thread. The name is visible in top, perf and debuggers. Background
/// threads run at a lower priority (nice value) than others.
struct ThreadRole {
  std::string name;  // at most 15 bytes; a longer name is truncated
  bool is_background = false;
};

/// Sets the role of the calling thread. Threads that it starts later inherit it, unless they set
/// their own. A thread cannot leave the background.
void SetThreadRole(const ThreadRole& role);

}  // namespace plimsoll
