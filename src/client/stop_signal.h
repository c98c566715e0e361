#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/async.h"
#include "base/clock.h"
#include "net/client.h"

namespace plimsoll::client {

/// Ends the calls and waits of other threads, for good. Safe for use by many
/// threads.
class StopSignal {
 public:
  /// `canceller` is that of the calls; may be null.
  explicit StopSignal(std::shared_ptr<net::Canceller> canceller = nullptr);
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// May be called several times.
  void Stop();
  bool is_stopped() const;

  /// Returns false if it was stopped first. A fiber is suspended meanwhile. The clock may outlive
  /// the signal.
  bool WaitUntil(Clock& clock, Instant when);

  const std::shared_ptr<net::Canceller>& canceller() const { return canceller_; }

 private:
  /// A waiting caller; notified once, by the clock or by Stop.
  struct Waiter {
    OneShotEvent event;
    bool is_notified = false;  // guarded by the state's mutex
  };
  /// Shared with the clock's tasks, because they cannot be cancelled.
  struct State {
    void Notify(Waiter& waiter);

    std::mutex mutex;
    std::vector<std::shared_ptr<Waiter>> waiters;
    bool is_stopped = false;
  };

  const std::shared_ptr<net::Canceller> canceller_;
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace plimsoll::client
