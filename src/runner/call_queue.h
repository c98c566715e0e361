#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "base/worker_pool.h"

namespace plimsoll::runner {

/// Calls that have not begun, as too many run. Queues in one process share one of these, so that
/// the calls of some give way to those of others.
struct CallBacklog {
  std::atomic<std::size_t> calls = 0;
};

struct CallQueueOptions {
  std::size_t calls_max = 64;  // at one time
  bool are_fibers = false;     // they wait as fibers do, so that few threads are enough for all
  bool only_wait = false;      // all the work is another process's
  ThreadRole role = {};
  std::shared_ptr<CallBacklog> backlog = {};  // of this queue's calls, and perhaps of others'
  std::shared_ptr<const CallBacklog> gives_way_to = {};
};

enum class Haste : std::uint8_t {
  Now,
  Yielding,  // while others have a backlog only a few at one time
};

/// Calls that wait for a server. Those under one key are made one after the other, in order, so
/// that a later change of an object is not overtaken by an earlier one; all others at once, up to a
/// bound. Safe for use by many threads.
class CallQueue {
 public:
  static constexpr std::size_t kYieldingMax = 4;

  explicit CallQueue(CallQueueOptions options);
  /// Stops.
  ~CallQueue();
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;

  void Run(std::string key, Task call, Haste haste = Haste::Now);
  /// Makes no further call, and returns when those that run have ended.
  void Stop();

 private:
  class Lines;
  struct Ready {
    std::string key;
    Task call;
    Haste haste = Haste::Now;
  };

  bool MustYield() const;
  void Begin(Ready ready);
  void Work(Ready ready);

  const std::shared_ptr<CallBacklog> backlog_;
  const std::shared_ptr<const CallBacklog> gives_way_to_;
  std::mutex mutex_;
  bool is_stopped_ = false;
  std::size_t yielding_ = 0;      // calls that have begun and can yield
  std::deque<Ready> after_them_;  // that do
  const std::unique_ptr<Lines> lines_;
  std::mutex stopping_;
  std::unique_ptr<WorkerPool> pool_;
};

}  // namespace plimsoll::runner
