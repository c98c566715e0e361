#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/worker_pool.h"

namespace plimsoll::runner {

/// Calls that wait for a server. Those under one key are made one after the other, in order, so
/// that a later change of an object is not overtaken by an earlier one; all others at once, up to a
/// bound. Safe for use by many threads.
class CallQueue {
 public:
  explicit CallQueue(std::size_t calls_max, ThreadRole role = {})
      : pool_(std::make_unique<WorkerPool>(calls_max, std::move(role))) {}
  /// Stops.
  ~CallQueue() { Stop(); }
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;

  void Run(std::string key, Task call);
  /// Makes no further call, and returns when those that run have ended.
  void Stop();

 private:
  void Work(const std::string& key);

  std::mutex mutex_;
  bool is_stopped_ = false;
  std::map<std::string, std::deque<Task>> waiting_;  // by key; the first one runs
  std::mutex stopping_;
  std::unique_ptr<WorkerPool> pool_;
};

}  // namespace plimsoll::runner
