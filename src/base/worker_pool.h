#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "base/clock.h"
#include "base/thread_role.h"

namespace plimsoll {

/// Threads for work that waits: for a disk, for another server. They are made when all that there
/// are have something to do, up to a bound; beyond it work queues up. Safe for use by many threads.
///
/// With more than one task per thread, tasks are fibers: where one waits for a Baton, its thread
/// goes on with another, which costs far less than to put a thread to sleep and wake the next. What
/// waits in any other way holds up its thread, and with it the tasks that stand still there, but
/// for what its thread can look out for in a RestingPlace.
class WorkerPool {
 public:
  explicit WorkerPool(std::size_t threads_max, ThreadRole role = {},
                      std::size_t tasks_per_thread = 1);
  /// Finishes what was handed in.
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

  mutable std::mutex mutex_;  // of all below, and of what the workers share with others
  std::deque<Task> tasks_;
  std::vector<Worker*> idle_;  // asleep, the last to fall asleep at the end
  bool is_closing_ = false;
  std::vector<std::unique_ptr<Worker>> workers_;
};

/// How many threads the machine can run at once; at least 1.
int HardwareThreads();

}  // namespace plimsoll
