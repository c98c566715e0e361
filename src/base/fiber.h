#pragma once

#include <memory>

#include "base/clock.h"
#include "base/resting_place.h"

namespace plimsoll {

/// Runs tasks on a stack of its own, so that a task can stop in the middle, let its thread do
/// something else, and go on later. It stays on one thread: what a task remembers of that thread
/// stays true. A lock that is held while a task stands still is a lock that the next task of the
/// thread may wait for in vain; so none may be.
class Fiber {
 public:
  Fiber();
  /// It must have finished its task.
  virtual ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// What the next Resume begins. It must have finished the task before.
  void Give(Task task);
  /// Lets the task go on until it stands still or is finished. True: it is finished.
  bool Resume();

  /// From within: stands still until it is resumed.
  void Suspend();
  /// From any thread, once for each time that it stands still or is about to: whoever has it is to
  /// resume it.
  virtual void Wake() = 0;
  /// From within: its thread is to sleep there from now on. False: it cannot.
  virtual bool RestAt(std::shared_ptr<RestingPlace> place);

  /// The one that the calling thread is in; null: in none.
  static Fiber* Current();

 private:
  class Stack;

  const std::unique_ptr<Stack> stack_;
  Task task_;
};

}  // namespace plimsoll
