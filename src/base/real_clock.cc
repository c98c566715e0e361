#include "base/real_clock.h"

#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace plimsoll {
namespace {

Instant WallTime() {
  return Instant(
      std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch()));
}

/// Blocks SIGINT, SIGTERM and SIGHUP for the calling thread during its lifetime. A thread that is
/// started meanwhile never takes them.
class NoSignals {
 public:
  NoSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
    pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

class RealClock::Timers {
 public:
  void Add(Instant when, Task task) {
    {
      const std::lock_guard lock(mutex_);
      // Equal keys keep their insertion order.
      waiting_.emplace(when, std::move(task));
    }
    changed_.notify_one();
  }

 private:
  void Run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      if (waiting_.empty()) {
        changed_.wait(lock, stop, [this] { return !waiting_.empty(); });
        continue;
      }
      const Instant next = waiting_.begin()->first;
      if (next > WallTime()) {
        Wait(lock, stop, next);
        continue;
      }
      auto due = waiting_.extract(waiting_.begin());
      lock.unlock();
      due.mapped()();
      // Destroy the task without the lock: its captures may be large, or may call At.
      due = {};
      lock.lock();
    }
  }

  /// Waits until the wall clock, which may be adjusted meanwhile, shows `until`, or an earlier task
  /// is added.
  void Wait(std::unique_lock<std::mutex>& lock, const std::stop_token& stop, Instant until) {
    const std::chrono::sys_time<Duration> wall(until.time_since_epoch());
    changed_.wait_until(lock, stop, wall, [&] { return waiting_.begin()->first < until; });
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::multimap<Instant, Task> waiting_;
  // Last member: it is stopped and joined before the members that it uses are destroyed.
  std::jthread thread_{[this](const std::stop_token& stop) { Run(stop); }};
};

RealClock::RealClock() {
  // A signal ends the program if any thread accepts it. The program may wait for it later.
  const NoSignals no_signals;
  timers_ = std::make_unique<Timers>();
}
RealClock::~RealClock() = default;

Instant RealClock::Now() const { return WallTime(); }

void RealClock::At(Instant when, Task task) { timers_->Add(when, std::move(task)); }

Duration SteadyTime() { return std::chrono::steady_clock::now().time_since_epoch(); }

Duration BootTime() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace plimsoll
