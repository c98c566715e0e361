#pragma once

#include "base/clock.h"

namespace plimsoll {

/// Delays the wake-ups that the calling thread sends to other threads, as long as it lives. A woken
/// thread then finds all its work at once, instead of waking and sleeping for each piece. Wake-ups
/// are sent by the destructor of the outermost WakeBatch, or by LetGo.
///
/// After a delayed wake-up the thread must not block until the woken thread answers; a fiber may.
class WakeBatch {
 public:
  WakeBatch();
  ~WakeBatch();
  WakeBatch(const WakeBatch&) = delete;
  WakeBatch& operator=(const WakeBatch&) = delete;

  /// Sends the wake-ups that are delayed so far.
  static void LetGo();

 private:
  const bool is_outer_;
};

/// Runs `task` now, or at LetGo if the thread delays wake-ups. The task must only wake a thread.
void Wake(Task task);

}  // namespace plimsoll
