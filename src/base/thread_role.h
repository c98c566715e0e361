#pragma once

#include <string>

namespace plimsoll {

/// What a thread is there for. The name is seen in top, perf and debuggers. Where processors are
/// short, those of the background take what the others leave.
struct ThreadRole {
  std::string name;  // of at most 15 bytes; a longer one is cut
  bool is_background = false;
};

/// Of the calling thread, and of those that it starts from now on, as far as they do not take one
/// of their own: a thread cannot leave the background.
void TakeRole(const ThreadRole& role);

}  // namespace plimsoll
