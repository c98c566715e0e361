#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace plimsoll::store::etcd {

/// A thread that runs what it is given, one after the other, in the order of asking. Whatever only
/// its tasks touch needs no lock. Safe for use by many threads.
class Loop {
 public:
  using Task = std::move_only_function<void()>;

  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// After Stop it drops the task.
  void Post(Task task);
  /// The same, and waits until it has run. Not to be called from a task, nor after Stop.
  void PostAndWait(Task task);
  /// Runs what was posted before, then no more.
  void Stop();

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Task> tasks_;
  bool is_stopped_ = false;
  std::thread thread_;
};

}  // namespace plimsoll::store::etcd
