#include "runner/call_queue.h"

#include <utility>

namespace plimsoll::runner {

void CallQueue::Run(std::string key, Task call) {
  const std::scoped_lock lock(mutex_);
  if (is_stopped_) return;
  std::deque<Task>& calls = waiting_[key];
  calls.push_back(std::move(call));
  if (calls.size() == 1) pool_->Run([this, key = std::move(key)] { Work(key); });
}

/// Makes the calls of a key until there is none left. The one that runs stays at the front, so that
/// others see that the key is taken.
void CallQueue::Work(const std::string& key) {
  while (true) {
    Task call;
    {
      const std::scoped_lock lock(mutex_);
      std::deque<Task>& calls = waiting_[key];
      if (is_stopped_) return;
      call = std::move(calls.front());
    }
    call();
    const std::scoped_lock lock(mutex_);
    const auto found = waiting_.find(key);
    found->second.pop_front();
    if (!found->second.empty()) continue;
    waiting_.erase(found);
    return;
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
