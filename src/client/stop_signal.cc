#include "client/stop_signal.h"

#include <utility>

namespace plimsoll::client {

StopSignal::StopSignal(std::shared_ptr<net::Canceller> canceller)
    : canceller_(std::move(canceller)) {}

void StopSignal::Stop() {
  {
    const std::scoped_lock lock(state_->mutex);
    state_->is_stopped = true;
    state_->changed.notify_all();
  }
  if (canceller_ != nullptr) canceller_->Cancel();
}

bool StopSignal::is_stopped() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->is_stopped;
}

bool StopSignal::WaitUntil(Clock& clock, Instant when) {
  if (is_stopped()) return false;
  if (clock.Now() >= when) return true;
  const auto is_due = std::make_shared<bool>(false);  // guarded by the state's mutex
  clock.At(when, [state = state_, is_due] {
    const std::scoped_lock lock(state->mutex);
    *is_due = true;
    state->changed.notify_all();
  });
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [&] { return *is_due || state_->is_stopped; });
  return !state_->is_stopped;
}

}  // namespace plimsoll::client
