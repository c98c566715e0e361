#include <algorithm>
#include <condition_variable>
#include <optional>
#include <thread>
#include <utility>

#include "base/assert.h"
#include "base/async.h"

namespace plimsoll {
namespace {

// A thread delays wake-ups of other threads until it is idle or has run this many tasks. So a
// store, for example, gets many writes at once and syncs once.
constexpr std::size_t kTasksPerWakeBatch = 32;

}  // namespace

/// One thread. It first resumes fibers that are ready, then starts new tasks, then sleeps.
class WorkerPool::Worker {
 public:
  explicit Worker(WorkerPool& pool) : pool_(pool) {
    thread_ = std::jthread([this] {
      SetThreadRole(pool_.role_);
      Work();
    });
  }

  // REQUIRES: the pool's lock is held.
  bool HasRoom() const { return running_ < pool_.tasks_per_thread_; }
  void Notify() {
    WakeUp();
    // Shared ownership: the worker may wake up for another reason and be gone before this runs.
    if (poller_ != nullptr) return plimsoll::Wake([poller = poller_] { poller->Interrupt(); });
    plimsoll::Wake([wake = wake_] { wake->notify_one(); });
  }

 private:
  class PooledFiber final : public Fiber {
   public:
    explicit PooledFiber(Worker& worker) : worker_(worker) {}
    void Wake() override {
      const std::scoped_lock lock(worker_.pool_.mutex_);
      worker_.ready_.push_back(this);
      // A worker that is awake checks `ready_` before it sleeps.
      if (worker_.is_asleep_) worker_.Notify();
    }
    bool SetPoller(std::shared_ptr<ThreadPoller> poller) override {
      const std::scoped_lock lock(worker_.pool_.mutex_);
      worker_.poller_ = std::move(poller);
      return true;
    }

   private:
    Worker& worker_;
  };

  void Work() {
    std::optional<WakeBatch> wake_batch;
    if (pool_.tasks_per_thread_ > 1) wake_batch.emplace();
    std::unique_lock lock(pool_.mutex_);
    std::size_t served = 0;  // tasks run since the last flush
    while (true) {
      if (served >= kTasksPerWakeBatch) {
        served = FlushWakeUps(lock);
        Poll(lock, /*may_block=*/false);
      }
      if (!ready_.empty()) {
        served += ResumeReady(lock);
      } else if (!pool_.tasks_.empty() && HasRoom()) {
        BeginNext(lock);
        ++served;
      } else if (served > 0) {
        served = FlushWakeUps(lock);  // and check again, because others may have added work
      } else if (pool_.is_closing_ && running_ == 0) {
        break;
      } else {
        Sleep(lock);
      }
    }
    lock.unlock();
    fibers_.clear();  // on this thread, to which they belong
  }

  using Lock = std::unique_lock<std::mutex>;

  static std::size_t FlushWakeUps(Lock& lock) {
    lock.unlock();
    WakeBatch::Flush();
    lock.lock();
    return 0;
  }

  std::size_t ResumeReady(Lock& lock) {
    resumed_.clear();
    resumed_.swap(ready_);
    lock.unlock();
    std::size_t finished = 0;
    for (PooledFiber* fiber : resumed_) finished += Resume(*fiber) ? 1 : 0;
    lock.lock();
    running_ -= finished;
    return resumed_.size();
  }

  void BeginNext(Lock& lock) {
    Task task = std::move(pool_.tasks_.front());
    pool_.tasks_.pop_front();
    ++running_;
    lock.unlock();
    const bool is_finished = Begin(std::move(task));
    lock.lock();
    if (is_finished) --running_;
  }

  void Sleep(Lock& lock) {
    is_asleep_ = true;
    pool_.idle_.push_back(this);
    if (poller_ != nullptr) return Poll(lock, /*may_block=*/true);
    wake_->wait(lock);
    WakeUp();  // the wait may end spuriously
  }
  void Poll(Lock& lock, bool may_block) {
    if (poller_ == nullptr) return;
    lock.unlock();
    poller_->Poll(may_block);
    lock.lock();
    WakeUp();  // before the fibers are woken, so that it need not notify this worker
    lock.unlock();
    poller_->WakeReadyFibers();
    lock.lock();
  }
  void WakeUp() {
    if (!std::exchange(is_asleep_, false)) return;
    std::erase(pool_.idle_, this);
  }

  /// Returns true if the task has finished.
  bool Begin(Task task) {
    if (pool_.tasks_per_thread_ == 1) {
      task();
      return true;
    }
    if (free_.empty()) {
      fibers_.push_back(std::make_unique<PooledFiber>(*this));
      free_.push_back(fibers_.back().get());
    }
    PooledFiber& fiber = *free_.back();
    free_.pop_back();
    fiber.SetTask(std::move(task));
    return Resume(fiber);
  }

  bool Resume(PooledFiber& fiber) {
    if (!fiber.Resume()) return false;
    free_.push_back(&fiber);
    return true;
  }

  WorkerPool& pool_;
  const std::shared_ptr<std::condition_variable> wake_ =
      std::make_shared<std::condition_variable>();
  std::shared_ptr<ThreadPoller> poller_;  // blocks here, not on wake_; changed by its thread only
  bool is_asleep_ = false;
  std::size_t running_ = 0;  // tasks started and not finished
  std::vector<PooledFiber*> ready_;
  std::vector<PooledFiber*> resumed_;  // the fibers resumed last; a member only to reuse its memory

  // Used by its own thread only.
  std::vector<std::unique_ptr<PooledFiber>> fibers_;
  std::vector<PooledFiber*> free_;

  std::jthread thread_;
};

WorkerPool::WorkerPool(std::size_t threads_max, ThreadRole role, std::size_t tasks_per_thread)
    : threads_max_(threads_max), role_(std::move(role)), tasks_per_thread_(tasks_per_thread) {
  PL_ASSERT(threads_max > 0 && tasks_per_thread > 0);
}

WorkerPool::~WorkerPool() {
  {
    const std::scoped_lock lock(mutex_);
    is_closing_ = true;
    while (!idle_.empty()) idle_.back()->Notify();
  }
  WakeBatch::Flush();
  // No thread is created any more, so the list does not change while its threads end.
  workers_.clear();
}

void WorkerPool::Run(Task task) {
  const std::scoped_lock lock(mutex_);
  PL_ASSERT(!is_closing_);
  tasks_.push_back(std::move(task));
  // The worker that fell asleep last has most of its memory still in the CPU cache.
  const auto with_room = std::ranges::find_if(idle_.rbegin(), idle_.rend(),
                                              [](const Worker* it) { return it->HasRoom(); });
  if (with_room != idle_.rend()) {
    (*with_room)->Notify();
  } else if (workers_.size() < threads_max_) {
    workers_.push_back(std::make_unique<Worker>(*this));
  }
}

std::size_t WorkerPool::threads() const {
  const std::scoped_lock lock(mutex_);
  return workers_.size();
}

int HardwareThreads() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace plimsoll
