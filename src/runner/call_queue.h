#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "base/async.h"
#include "base/clock.h"
#include "runner/limits.h"

namespace plimsoll::runner {

/// Number of calls that wait because too many run. Queues in one process share it, so that the
/// calls of some can yield to those of others.
struct CallBacklog {
  std::atomic<std::size_t> calls = 0;
};

struct CallQueueOptions {
  std::size_t calls_max = 64;  // in flight at once
  bool are_fibers = false;     // calls suspend their fibers, so that few threads are enough
  bool only_wait = false;      // another process does all the work
  ThreadRole role = {};
  std::shared_ptr<CallBacklog> backlog = {};  // backlog of this queue, perhaps shared with others
  std::shared_ptr<const CallBacklog> yields_to = {};
};

enum class CallPriority : std::uint8_t {
  Now,
  Yielding,  // only a few at once while others have a backlog
};

/// Calls that block on a server. Calls with the same key run one after the other, in order, so that
/// writes of one object do not overtake each other. All others run at once, up to a
/// limit. Safe for use by many threads.
class CallQueue {
 public:
  explicit CallQueue(CallQueueOptions options);
  /// Calls Stop.
  ~CallQueue();
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;

  void Run(std::string key, Task call, CallPriority priority = CallPriority::Now);
  /// Starts no further call, and returns when the running ones have ended.
  void Stop();

 private:
  class KeyQueues;
  struct Ready {
    std::string key;
    Task call;
    CallPriority priority = CallPriority::Now;
  };

  bool MustYield() const;
  void Begin(Ready ready);
  void Work(Ready ready);

  const std::shared_ptr<CallBacklog> backlog_;
  const std::shared_ptr<const CallBacklog> yields_to_;
  std::mutex mutex_;
  bool is_stopped_ = false;
  std::size_t yielding_ = 0;          // started calls with CallPriority::Yielding
  std::deque<Ready> yielding_queue_;  // calls that wait for others' backlog
  const std::unique_ptr<KeyQueues> key_queues_;
  std::mutex stopping_;
  std::unique_ptr<WorkerPool> pool_;
};

}  // namespace plimsoll::runner
