#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/allocation_meter.h"
#include "base/clock.h"
#include "base/thread_role.h"
#include "base/wake_batch.h"

namespace plimsoll::runner {

/// Runs one core on its own thread: passes posted events in order, and wakes it when it wants
/// to. `Core` has `Observe(event, now, actions)`, `Wake(now, actions)` and `NextWake()`.
template <class Core, class Event, class Actions>
class CoreLoop {
 public:
  /// Called on the loop's thread with the core's actions; must return soon.
  using CarryOut = std::function<void(Actions&&)>;

  /// Called on the loop's thread if the core throws, with the event, or null if it was woken, and
  /// the fault. The core continues with the next event.
  using OnFault = std::function<void(const Event*, std::string_view)>;

  /// Maximum bytes that a core may allocate per event. Wake, for many objects, has no limit.
  static constexpr std::uint64_t kBytesMax = std::uint64_t{2} << 30;
  /// Pause before the next Wake after one that threw.
  static constexpr Duration kPauseAfterFault = std::chrono::seconds(1);

  /// The core and the clock must outlive the loop.
  CoreLoop(Core& core, Clock& clock, CarryOut carry_out, ThreadRole role = {},
           OnFault on_fault = {})
      : core_(core),
        clock_(clock),
        carry_out_(std::move(carry_out)),
        on_fault_(std::move(on_fault)),
        role_(std::move(role)) {}
  ~CoreLoop() { Stop(); }
  CoreLoop(const CoreLoop&) = delete;
  CoreLoop& operator=(const CoreLoop&) = delete;

  /// Call it once.
  void Start() {
    thread_ = std::jthread([this] {
      TakeRole(role_);
      Run();
    });
  }
  /// Returns when the thread has ended. May be called several times, except from the loop's thread.
  void Stop() {
    {
      const std::scoped_lock lock(mailbox_->mutex);
      mailbox_->is_stopped = true;
    }
    mailbox_->changed.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  /// May be called from any thread; events after Stop are dropped.
  void Post(Event event) {
    const std::scoped_lock lock(mailbox_->mutex);
    mailbox_->events.push_back(std::move(event));
    // The loop sleeps only while there are no events, so only the first needs a wake-up.
    if (mailbox_->events.size() == 1) {
      Wake([mailbox = mailbox_] { mailbox->changed.notify_all(); });
    }
  }

 private:
  /// Shared with timers, because they cannot be cancelled.
  struct Mailbox {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<Event> events;
    bool is_due = false;
    bool is_stopped = false;
  };

  void Run() {
    std::vector<Event> events;
    while (Take(events)) {
      const WakeBatch held;  // wakes the callees once for all actions
      Actions actions;
      const Instant now = clock_.Now();
      for (const Event& event : events) {
        Guard(&event, [&] {
          const AllocationBudget budget(kBytesMax);
          core_.Observe(event, now, actions);
        });
      }
      events.clear();
      if (const std::optional<Instant> next = NextWake(); next && *next <= now) {
        paused_until_.reset();
        if (!Guard(nullptr, [&] { core_.Wake(now, actions); })) {
          paused_until_ = now + kPauseAfterFault;
        }
      }
      if (!actions.empty()) carry_out_(std::move(actions));
      Arm();
    }
  }

  /// Catches exceptions: an object that the core cannot handle must not stop it. False: it threw.
  template <class Call>
  bool Guard(const Event* event, const Call& call) {
    std::string fault;
    try {
      call();
      return true;
    } catch (const std::bad_alloc&) {
      fault = "it takes too much memory";
    } catch (const std::exception& error) {
      fault = error.what();
    }
    if (on_fault_) on_fault_(event, fault);
    return false;
  }

  std::optional<Instant> NextWake() const {
    const std::optional<Instant> next = core_.NextWake();
    return next && paused_until_ ? std::max(*next, *paused_until_) : next;
  }

  /// Blocks until there is something to do. Returns false after Stop.
  bool Take(std::vector<Event>& events) {
    std::unique_lock lock(mailbox_->mutex);
    mailbox_->changed.wait(lock, [&] {
      return mailbox_->is_stopped || mailbox_->is_due || !mailbox_->events.empty();
    });
    mailbox_->is_due = false;
    events.swap(mailbox_->events);
    return !mailbox_->is_stopped;
  }

  /// Sets a timer unless an earlier one is set.
  void Arm() {
    const std::optional<Instant> next = NextWake();
    if (!next) return;
    const Instant now = clock_.Now();
    if (*next <= now) {
      const std::scoped_lock lock(mailbox_->mutex);
      mailbox_->is_due = true;
      return;
    }
    if (armed_ && *armed_ > now && *armed_ <= *next) return;
    armed_ = *next;
    clock_.At(*next, [mailbox = mailbox_] {
      const std::scoped_lock lock(mailbox->mutex);
      mailbox->is_due = true;
      mailbox->changed.notify_all();
    });
  }

  Core& core_;
  Clock& clock_;
  const CarryOut carry_out_;
  const OnFault on_fault_;
  std::optional<Instant> paused_until_;
  const std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
  std::optional<Instant> armed_;  // used by the loop's thread only
  const ThreadRole role_;
  std::jthread thread_;
};

}  // namespace plimsoll::runner
