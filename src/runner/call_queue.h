#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "base/worker_pool.h"

namespace plimsoll::runner {

/// Calls that wait for a server. Those under one key are made one after the other, in order, so
/// that a later change of an object is not overtaken by an earlier one; all others at once, up to a
/// bound. Safe for use by many threads.
class CallQueue {
 public:
  /// `are_fibers`: the calls wait as fibers do, so that few threads are enough for all of them.
  explicit CallQueue(std::size_t calls_max, bool are_fibers = false, ThreadRole role = {});
  /// Stops.
  ~CallQueue();
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;

  void Run(std::string key, Task call);
  /// Makes no further call, and returns when those that run have ended.
  void Stop();

 private:
  class Lines;

  void Work(const std::string& key, Task call);

  std::mutex mutex_;
  bool is_stopped_ = false;
  const std::unique_ptr<Lines> lines_;
  std::mutex stopping_;
  std::unique_ptr<WorkerPool> pool_;
};

}  // namespace plimsoll::runner
