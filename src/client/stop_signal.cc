#include "client/stop_signal.h"

#include <utility>

namespace plimsoll::client {

StopSignal::StopSignal(std::shared_ptr<net::Canceller> canceller)
    : canceller_(std::move(canceller)) {}

void StopSignal::State::Notify(Waiter& waiter) {
  {
    const std::scoped_lock lock(mutex);
    if (std::exchange(waiter.is_notified, true)) return;
  }
  waiter.event.Set();
}

void StopSignal::Stop() {
  std::vector<std::shared_ptr<Waiter>> waiters;
  {
    const std::scoped_lock lock(state_->mutex);
    state_->is_stopped = true;
    waiters.swap(state_->waiters);
  }
  for (const auto& waiter : waiters) state_->Notify(*waiter);
  if (canceller_ != nullptr) canceller_->Cancel();
}

bool StopSignal::is_stopped() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->is_stopped;
}

bool StopSignal::WaitUntil(Clock& clock, Instant when) {
  const auto waiter = std::make_shared<Waiter>();
  {
    const std::scoped_lock lock(state_->mutex);
    if (state_->is_stopped) return false;
    if (clock.Now() >= when) return true;
    state_->waiters.push_back(waiter);
  }
  clock.At(when, [state = state_, waiter] { state->Notify(*waiter); });
  waiter->event.Wait();
  const std::scoped_lock lock(state_->mutex);
  std::erase(state_->waiters, waiter);
  return !state_->is_stopped;
}

}  // namespace plimsoll::client
