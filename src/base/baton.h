#pragma once

#include <condition_variable>
#include <mutex>

namespace plimsoll {

class Fiber;

/// Something to wait for, once: one waits, another posts, in whichever order. A thread that waits
/// sleeps; a fiber gives its thread to others meanwhile. The one who waits may destroy it as soon
/// as it has returned from Wait.
class Baton {
 public:
  void Wait();
  void Post();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_posted_ = false;
  Fiber* waiting_ = nullptr;
};

}  // namespace plimsoll
