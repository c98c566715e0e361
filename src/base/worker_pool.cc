#include "base/worker_pool.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace plimsoll {

WorkerPool::WorkerPool(std::size_t threads_max, ThreadRole role)
    : threads_max_(threads_max), role_(std::move(role)) {
  PL_ASSERT(threads_max > 0);
}

WorkerPool::~WorkerPool() {
  {
    const std::scoped_lock lock(mutex_);
    is_closing_ = true;
  }
  wake_.notify_all();
  // No thread is made any more, so the list stands still while its threads end.
  threads_.clear();
}

void WorkerPool::Run(Task task) {
  {
    const std::scoped_lock lock(mutex_);
    PL_ASSERT(!is_closing_);
    tasks_.push_back(std::move(task));
    if (tasks_.size() > idle_ && threads_.size() < threads_max_) {
      threads_.emplace_back([this] { Work(); });
      return;  // the new thread looks at the queue before it sleeps
    }
  }
  wake_.notify_one();
}

std::size_t WorkerPool::threads() const {
  const std::scoped_lock lock(mutex_);
  return threads_.size();
}

int HardwareThreads() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

void WorkerPool::Work() {
  TakeRole(role_);
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [this] { return is_closing_ || !tasks_.empty(); });
    --idle_;
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // what it holds is let go outside the lock
    lock.lock();
  }
}

}  // namespace plimsoll
