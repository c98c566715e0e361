#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "api/pure_core.h"
#include "base/clock.h"
#include "base/thread_role.h"
#include "runner/limits.h"

namespace plimsoll::runner {

/// Runs one core on its own thread: passes posted inputs in order, and wakes it when it wants to.
class CoreLoop {
 public:
  /// Called on the loop's thread with the core's actions; must return soon.
  using Perform = std::function<void(api::Actions&&)>;

  /// Called on the loop's thread if the core throws, with the input, or null if it was woken, and
  /// the fault. The core continues with the next input.
  using OnFault = std::function<void(const api::CoreInput*, std::string_view)>;

  /// Pause before the next Wake after one that threw.
  static constexpr Duration kPauseAfterFault = std::chrono::seconds(1);

  /// The core and the clock must outlive the loop.
  CoreLoop(api::PureCore& core, Clock& clock, Perform perform, ThreadRole role = {},
           OnFault on_fault = {});
  /// Calls Stop.
  ~CoreLoop();
  CoreLoop(const CoreLoop&) = delete;
  CoreLoop& operator=(const CoreLoop&) = delete;

  /// Call it once.
  void Start();
  /// Returns when the thread has ended. May be called several times, except from the loop's thread.
  void Stop();

  /// May be called from any thread; inputs after Stop are dropped.
  void Post(api::CoreInput input);

 private:
  /// Shared with timers, because they cannot be cancelled.
  struct Mailbox {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<api::CoreInput> inputs;
    bool is_due = false;
    bool is_stopped = false;
  };

  void Run();
  /// Catches exceptions: an object that the core cannot handle must not stop it. False: it threw.
  template <class Call>
  bool Guard(const api::CoreInput* input, const Call& call);
  std::optional<Instant> NextWake() const;
  /// Blocks until there is something to do. Returns false after Stop.
  bool WaitForInputs(std::vector<api::CoreInput>& inputs);
  /// Sets a timer unless an earlier one is set.
  void SetTimer();

  api::PureCore& core_;
  Clock& clock_;
  const Perform perform_;
  const OnFault on_fault_;
  std::optional<Instant> paused_until_;
  const std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
  std::optional<Instant> timer_;  // used by the loop's thread only
  const ThreadRole role_;
  std::jthread thread_;
};

}  // namespace plimsoll::runner
