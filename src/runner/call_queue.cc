#include "runner/call_queue.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <deque>
#include <utility>

#include "runner/limits.h"

namespace plimsoll::runner {
namespace {

// Calls that only wait: the fewer threads they share, the more of them one wake-up serves.
constexpr std::size_t kWaitingPerThread = 128;

std::size_t RoundedUp(std::size_t all, std::size_t part) { return (all + part - 1) / part; }

std::unique_ptr<WorkerPool> PoolFor(const CallQueueOptions& options) {
  const std::size_t calls = options.calls_max;
  std::size_t threads = calls;
  if (options.are_fibers) {
    threads = options.only_wait ? RoundedUp(calls, kWaitingPerThread)
                                : std::min(calls, static_cast<std::size_t>(HardwareThreads()));
  }
  return std::make_unique<WorkerPool>(threads, options.role, RoundedUp(calls, threads));
}

}  // namespace

/// Waiting calls by key, while a call of that key runs. Most keys have none, and then use no memory
/// for them.
class CallQueue::KeyQueues {
 public:
  /// Returns false if no call of this key runs, so that this one can start.
  bool Join(const std::string& key, Task& call) {
    const auto [line, is_new] = by_key_.try_emplace(key);
    if (is_new) return false;
    if (line->second == nullptr) line->second = std::make_unique<std::deque<Task>>();
    line->second->push_back(std::move(call));
    return true;
  }
  /// Returns the next call after one has ended; null: none.
  Task Next(const std::string& key) {
    const auto line = by_key_.find(key);
    if (line->second == nullptr || line->second->empty()) {
      by_key_.erase(line);
      return nullptr;
    }
    Task next = std::move(line->second->front());
    line->second->pop_front();
    return next;
  }

 private:
  boost::unordered_flat_map<std::string, std::unique_ptr<std::deque<Task>>> by_key_;
};

CallQueue::CallQueue(CallQueueOptions options)
    : backlog_(std::move(options.backlog)),
      yields_to_(std::move(options.yields_to)),
      key_queues_(std::make_unique<KeyQueues>()),
      pool_(PoolFor(options)) {}

CallQueue::~CallQueue() { Stop(); }

void CallQueue::Run(std::string key, Task call, CallPriority priority) {
  const std::scoped_lock lock(mutex_);
  if (is_stopped_ || key_queues_->Join(key, call)) return;
  Ready ready{std::move(key), std::move(call), priority};
  if (priority == CallPriority::Yielding && (!yielding_queue_.empty() || MustYield())) {
    yielding_queue_.push_back(std::move(ready));
  } else {
    Begin(std::move(ready));
  }
}

/// Waiting calls are checked again when a started one ends, so at least one must have started.
bool CallQueue::MustYield() const {
  return yields_to_ != nullptr && yielding_ >= kYieldingCallsMax && yields_to_->calls > 0;
}

void CallQueue::Begin(Ready ready) {
  if (ready.priority == CallPriority::Yielding) ++yielding_;
  if (backlog_ != nullptr) ++backlog_->calls;
  pool_->Run([this, ready = std::move(ready)]() mutable { Work(std::move(ready)); });
}

/// Runs the calls of a key until none is left.
void CallQueue::Work(Ready ready) {
  if (backlog_ != nullptr) --backlog_->calls;
  std::unique_lock lock(mutex_);
  while (!is_stopped_ && ready.call != nullptr) {
    lock.unlock();
    ready.call();
    ready.call = nullptr;  // destroy its captures without the lock
    lock.lock();
    ready.call = key_queues_->Next(ready.key);
  }
  if (ready.priority == CallPriority::Yielding) --yielding_;
  while (!is_stopped_ && !yielding_queue_.empty() && !MustYield()) {
    Ready next = std::move(yielding_queue_.front());
    yielding_queue_.pop_front();
    Begin(std::move(next));
  }
}

void CallQueue::Stop() {
  {
    const std::scoped_lock lock(mutex_);
    is_stopped_ = true;
  }
  const std::scoped_lock lock(stopping_);
  pool_.reset();
}

}  // namespace plimsoll::runner
