#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace plimsoll::store::etcd {

/// A thread that runs tasks one after another, in the order of Post. State that only its tasks use
/// needs no lock. Safe for use by many threads.
class Loop {
 public:
  using Task = std::move_only_function<void()>;

  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Queues the task. After Stop it drops the task instead.
  void Post(Task task);
  /// Queues the task and blocks until it has run. Must not be called from a task, nor after Stop.
  void PostAndWait(Task task);
  /// Runs all tasks that are already queued, then ends the thread.
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
