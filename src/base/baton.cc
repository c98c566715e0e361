#include "base/baton.h"

#include "base/fiber.h"

namespace plimsoll {

void Baton::Wait() {
  std::unique_lock lock(mutex_);
  if (is_posted_) return;
  Fiber* const fiber = Fiber::Current();
  if (fiber == nullptr) {
    changed_.wait(lock, [this] { return is_posted_; });
    return;
  }
  waiting_ = fiber;
  lock.unlock();
  // Post may have called Wake already. Only this thread resumes the fiber, so no wake-up is lost.
  fiber->Suspend();
}

void Baton::Post() {
  Fiber* fiber = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    is_posted_ = true;
    fiber = waiting_;
    // Notify under the lock: once it is released, the waiting thread may destroy this Baton.
    if (fiber == nullptr) changed_.notify_one();
  }
  // The fiber still exists: it can continue only after this Wake.
  if (fiber != nullptr) fiber->Wake();
}

}  // namespace plimsoll
