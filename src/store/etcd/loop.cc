#include "store/etcd/loop.h"

#include <utility>

#include "base/async.h"
#include "base/thread_role.h"

namespace plimsoll::store::etcd {

Loop::Loop()
    : thread_([this] {
        SetThreadRole({.name = "store-etcd"});
        Run();
      }) {}

Loop::~Loop() { Stop(); }

void Loop::Post(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (is_stopped_) return;
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void Loop::PostAndWait(Task task) {
  OneShotEvent done;
  Post([&] {
    task();
    done.Set();
  });
  done.Wait();
}

void Loop::Stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Loop::Run() {
  std::vector<Task> tasks;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return is_stopped_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      tasks.swap(tasks_);
    }
    for (Task& task : tasks) task();
    tasks.clear();
  }
}

}  // namespace plimsoll::store::etcd
