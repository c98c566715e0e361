#pragma once

#include "base/clock.h"

namespace plimsoll {

/// While one lives, the calling thread does not wake others: they would look at what it has for
/// them one piece at a time, and wake and sleep for each. They are woken when it ends, or when it
/// lets go.
///
/// Whoever wakes another that way must not then wait for it, except as fibers do.
class HeldWakes {
 public:
  HeldWakes();
  ~HeldWakes();
  HeldWakes(const HeldWakes&) = delete;
  HeldWakes& operator=(const HeldWakes&) = delete;

  /// Wakes those that are to be woken by now.
  static void LetGo();

 private:
  const bool is_outer_;
};

/// Now, or when the thread lets go of the wakes that it holds. Soon: the task only wakes.
void Wake(Task task);

}  // namespace plimsoll
