#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/thread_role.h"

/// Waiting, waking, fibers, thread pools and repeated calls. The rules for their use are in
/// async.md.

namespace plimsoll {

class Fiber;

/// One-shot event: one caller waits, another sets it, in either order. Wait blocks a thread; a
/// fiber is suspended instead, so that its thread can run other fibers. The waiting side may
/// destroy the event as soon as Wait has returned.
class OneShotEvent {
 public:
  void Wait();
  void Set();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_set_ = false;
  Fiber* waiting_ = nullptr;
};

/// Delays the wake-ups that the calling thread sends to other threads, as long as it lives. A woken
/// thread then finds all its work at once, instead of waking and sleeping for each piece. Wake-ups
/// are sent by the destructor of the outermost WakeBatch, or by Flush.
///
/// After a delayed wake-up the thread must not block until the woken thread answers; a fiber may.
class WakeBatch {
 public:
  WakeBatch();
  ~WakeBatch();
  WakeBatch(const WakeBatch&) = delete;
  WakeBatch& operator=(const WakeBatch&) = delete;

  /// Sends the wake-ups that are delayed so far.
  static void Flush();

 private:
  const bool is_outer_;
};

/// Runs `task` now, or at WakeBatch::Flush if the thread delays wake-ups. The task must only wake a
/// thread.
void Wake(Task task);

/// Blocks a pool thread until one of its fibers can continue, for example because a socket is
/// ready. Otherwise a separate poller thread would have to wake it each time.
class ThreadPoller {
 public:
  virtual ~ThreadPoller() = default;

  /// Blocks the owning thread until something is ready or Interrupt is called. If `may_block` is
  /// false, returns at once.
  virtual void Poll(bool may_block) = 0;
  /// Wakes the fibers whose wait is over. The owning thread calls it after Poll.
  virtual void WakeReadyFibers() = 0;
  /// Ends the current Poll, or the next one. May be called from any thread.
  virtual void Interrupt() = 0;
};

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
  void SetTask(Task task);
  /// Runs the task until it suspends or finishes. Returns true if it has finished.
  bool Resume();

  /// Suspends the task until the next Resume. Call it from within the fiber.
  void Suspend();
  /// Asks the owner of the fiber to resume it. May be called from any thread, exactly once per
  /// Suspend, also shortly before that Suspend.
  virtual void Wake() = 0;
  /// Makes the fiber's thread block in `poller` from now on. Call it from within the fiber. Returns
  /// false if the owner does not support pollers.
  virtual bool SetPoller(std::shared_ptr<ThreadPoller> poller);

  /// Returns the fiber that the calling thread runs, or null if it runs none.
  static Fiber* Current();

 private:
  class Stack;

  const std::unique_ptr<Stack> stack_;
  Task task_;
};

/// Threads for tasks that block, for example on a disk or another server. A thread is created when
/// all are busy, up to a limit; beyond it tasks are queued. Safe for use by many threads.
///
/// With more than one task per thread, tasks run as fibers. If a task waits for a OneShotEvent, its
/// thread runs another one, which is far cheaper than a switch between threads. A task that blocks
/// in any other way blocks its thread with all its fibers. Only waits that a ThreadPoller supports,
/// such as for sockets, do not.
class WorkerPool {
 public:
  explicit WorkerPool(std::size_t threads_max, ThreadRole role = {},
                      std::size_t tasks_per_thread = 1);
  /// Waits until all tasks have run.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void Run(Task task);

  std::size_t threads() const;

 private:
  class Worker;

  const std::size_t threads_max_;
  const ThreadRole role_;
  const std::size_t tasks_per_thread_;

  mutable std::mutex mutex_;  // guards all members below, and the shared state of the workers
  std::deque<Task> tasks_;
  std::vector<Worker*> idle_;  // sleeping workers, the last to fall asleep at the end
  bool is_closing_ = false;
  std::vector<std::unique_ptr<Worker>> workers_;
};

/// Returns how many threads the machine can run at once; at least 1.
int HardwareThreads();

struct PeriodicOptions {
  Duration interval;                         // from the end of a call to the next
  std::optional<Duration> first_delay = {};  // before the first call; default: the interval
  WorkerPool* workers =
      nullptr;  // where calls are made; null: on the clock's thread, so they must be short
};

/// Repeats a call until it is destroyed. Calls never overlap.
class Periodic {
 public:
  /// The clock and the workers must outlive it.
  Periodic(Clock& clock, PeriodicOptions options, std::function<void(Instant now)> call);
  /// Waits for a call that is being made. Afterwards the clock may still fire once, without effect.
  ~Periodic();
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

  /// Does the same as the destructor. No call is made after it has returned.
  void Stop();

 private:
  class Timer;
  std::shared_ptr<Timer> timer_;
};

}  // namespace plimsoll
