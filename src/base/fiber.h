#pragma once

#include <memory>

#include "base/clock.h"
#include "base/thread_poller.h"

namespace plimsoll {

/// Runs tasks on a stack of its own. A task can suspend, let its thread run something else, and
/// continue later. A fiber stays on one thread, so thread-local state stays valid. A task must not
/// hold a lock while it is suspended: another task of the same thread may wait for that lock and
/// deadlock.
class Fiber {
 public:
  Fiber();
  /// REQUIRES: the task has finished.
  virtual ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Sets the task that the next Resume starts. REQUIRES: the previous task has finished.
  void Give(Task task);
  /// Runs the task until it suspends or finishes. Returns true if it has finished.
  bool Resume();

  /// Suspends the task until the next Resume. Call it from within the fiber.
  void Suspend();
  /// Asks the owner of the fiber to resume it. May be called from any thread, exactly once per
  /// Suspend, also shortly before that Suspend.
  virtual void Wake() = 0;
  /// Makes its thread block in `place` from now on. Call it within. Returns false if unsupported.
  virtual bool RestAt(std::shared_ptr<ThreadPoller> place);

  /// Returns the fiber that the calling thread runs, or null if it runs none.
  static Fiber* Current();

 private:
  class Stack;

  const std::unique_ptr<Stack> stack_;
  Task task_;
};

}  // namespace plimsoll
