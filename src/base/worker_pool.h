#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/thread_role.h"

namespace plimsoll {

/// Threads for work that waits: for a disk, for another server. They are made when all that there
/// are have something to do, up to a bound; beyond it work queues up. Safe for use by many threads.
class WorkerPool {
 public:
  explicit WorkerPool(std::size_t threads_max, ThreadRole role = {});
  /// Finishes what was handed in.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void Run(Task task);

  std::size_t threads() const;

 private:
  void Work();

  const std::size_t threads_max_;
  const ThreadRole role_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  std::size_t idle_ = 0;
  bool is_closing_ = false;
  std::vector<std::jthread> threads_;
};

/// How many threads the machine can run at once; at least 1.
int HardwareThreads();

}  // namespace plimsoll
