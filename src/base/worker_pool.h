#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "base/clock.h"
#include "base/thread_role.h"

namespace plimsoll {

/// Threads for tasks that block, for example on a disk or another server. A thread is created when
/// all are busy, up to a limit; beyond it tasks are queued. Safe for use by many threads.
///
/// With more than one task per thread, tasks run as fibers. If a task waits for a Baton, its thread
/// runs another one, which is far cheaper than a switch between threads. A task that blocks in any
/// other way blocks its thread with all its fibers. Only waits that a ThreadPoller supports, such
/// as for sockets, do not.
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

}  // namespace plimsoll
