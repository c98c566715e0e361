#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>

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

  /// False when it was stopped first. The clock may outlive the signal.
  bool WaitUntil(Clock& clock, Instant when);

  const std::shared_ptr<net::Canceller>& canceller() const { return canceller_; }

 private:
  /// The clock's tasks hold it too, as they cannot be called back.
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_stopped = false;
  };

  const std::shared_ptr<net::Canceller> canceller_;
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace plimsoll::client
