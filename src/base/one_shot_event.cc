#include "base/async.h"

namespace plimsoll {

void OneShotEvent::Wait() {
  std::unique_lock lock(mutex_);
  if (is_set_) return;
  Fiber* const fiber = Fiber::Current();
  if (fiber == nullptr) {
    changed_.wait(lock, [this] { return is_set_; });
    return;
  }
  waiting_ = fiber;
  lock.unlock();
  // Set may have called Wake already. Only this thread resumes the fiber, so no wake-up is lost.
  fiber->Suspend();
}

void OneShotEvent::Set() {
  Fiber* fiber = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    is_set_ = true;
    fiber = waiting_;
    // Notify under the lock: once it is released, the waiting thread may destroy this OneShotEvent.
    if (fiber == nullptr) changed_.notify_one();
  }
  // The fiber still exists: it can continue only after this Wake.
  if (fiber != nullptr) fiber->Wake();
}

}  // namespace plimsoll
