#pragma once

#include <condition_variable>
#include <mutex>

namespace plimsoll {

class Fiber;

/// One-shot event: one caller waits, another posts, in either order. Wait blocks a thread; a fiber
/// is suspended instead, so that its thread can run other fibers. The waiting side may destroy the
/// Baton as soon as Wait has returned.
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
