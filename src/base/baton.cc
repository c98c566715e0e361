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
  // It may have been woken by now: only its own thread resumes it, and that is here.
  fiber->Suspend();
}

void Baton::Post() {
  Fiber* fiber = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    is_posted_ = true;
    fiber = waiting_;
    // Under the lock, behind which the one who waits may destroy this.
    if (fiber == nullptr) changed_.notify_one();
  }
  // It goes on by this alone, so that it is still there.
  if (fiber != nullptr) fiber->Wake();
}

}  // namespace plimsoll
