#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/baton.h"
#include "base/clock.h"
#include "net/client.h"

namespace plimsoll::client {

/// Ends the calls and waits that other threads are in, once and for all. Safe for use by many
/// threads.
class StopSignal {
 public:
  /// The canceller, which may be null, is that of the calls.
  explicit StopSignal(std::shared_ptr<net::Canceller> canceller = nullptr);
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// Any number of times.
  void Stop();
  bool is_stopped() const;

  /// False when it was stopped first. A fiber leaves its thread to others meanwhile. The clock may
  /// outlive the signal.
  bool WaitUntil(Clock& clock, Instant when);

  const std::shared_ptr<net::Canceller>& canceller() const { return canceller_; }

 private:
  /// One who waits, to be told once: of the time, or of the stop.
  struct Waiter {
    Baton baton;
    bool is_told = false;  // guarded by the state's mutex
  };
  /// The clock's tasks hold it too, as they cannot be called back.
  struct State {
    void Tell(Waiter& waiter);

    std::mutex mutex;
    std::vector<std::shared_ptr<Waiter>> waiters;
    bool is_stopped = false;
  };

  const std::shared_ptr<net::Canceller> canceller_;
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace plimsoll::client
