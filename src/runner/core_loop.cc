#include "runner/core_loop.h"

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "base/allocation_meter.h"
#include "base/async.h"
#include "runner/limits.h"

namespace plimsoll::runner {

CoreLoop::CoreLoop(api::PureCore& core, Clock& clock, Perform perform, ThreadRole role,
                   OnFault on_fault)
    : core_(core),
      clock_(clock),
      perform_(std::move(perform)),
      on_fault_(std::move(on_fault)),
      role_(std::move(role)) {}

CoreLoop::~CoreLoop() { Stop(); }

void CoreLoop::Start() {
  thread_ = std::jthread([this] {
    SetThreadRole(role_);
    Run();
  });
}

void CoreLoop::Stop() {
  {
    const std::scoped_lock lock(mailbox_->mutex);
    mailbox_->is_stopped = true;
  }
  mailbox_->changed.notify_all();
  if (thread_.joinable()) thread_.join();
}

void CoreLoop::Post(api::CoreInput input) {
  const std::scoped_lock lock(mailbox_->mutex);
  mailbox_->inputs.push_back(std::move(input));
  // The loop sleeps only while there are no inputs, so only the first needs a wake-up.
  if (mailbox_->inputs.size() == 1) {
    Wake([mailbox = mailbox_] { mailbox->changed.notify_all(); });
  }
}

void CoreLoop::Run() {
  std::vector<api::CoreInput> inputs;
  while (WaitForInputs(inputs)) {
    const WakeBatch held;  // wakes the callees once for all actions
    api::Actions actions;
    const Instant now = clock_.Now();
    for (const api::CoreInput& input : inputs) {
      Guard(&input, [&] {
        const AllocationBudget budget(kInputBytesMax);
        core_.Observe(input, {now, actions});
      });
    }
    inputs.clear();
    if (const std::optional<Instant> next = NextWake(); next && *next <= now) {
      paused_until_.reset();
      if (!Guard(nullptr, [&] { core_.Wake({now, actions}); })) {
        paused_until_ = now + kPauseAfterFault;
      }
    }
    if (!actions.empty()) perform_(std::move(actions));
    SetTimer();
  }
}

template <class Call>
bool CoreLoop::Guard(const api::CoreInput* input, const Call& call) {
  std::string fault;
  try {
    call();
    return true;
  } catch (const std::bad_alloc&) {
    fault = "it takes too much memory";
  } catch (const std::exception& error) {
    fault = error.what();
  }
  if (on_fault_) on_fault_(input, fault);
  return false;
}

std::optional<Instant> CoreLoop::NextWake() const {
  const std::optional<Instant> next = core_.NextWake();
  return next && paused_until_ ? std::max(*next, *paused_until_) : next;
}

bool CoreLoop::WaitForInputs(std::vector<api::CoreInput>& inputs) {
  std::unique_lock lock(mailbox_->mutex);
  mailbox_->changed.wait(
      lock, [&] { return mailbox_->is_stopped || mailbox_->is_due || !mailbox_->inputs.empty(); });
  mailbox_->is_due = false;
  inputs.swap(mailbox_->inputs);
  return !mailbox_->is_stopped;
}

void CoreLoop::SetTimer() {
  const std::optional<Instant> next = NextWake();
  if (!next) return;
  const Instant now = clock_.Now();
  if (*next <= now) {
    const std::scoped_lock lock(mailbox_->mutex);
    mailbox_->is_due = true;
    return;
  }
  if (timer_ && *timer_ > now && *timer_ <= *next) return;
  timer_ = *next;
  clock_.At(*next, [mailbox = mailbox_] {
    const std::scoped_lock lock(mailbox->mutex);
    mailbox->is_due = true;
    mailbox->changed.notify_all();
  });
}

}  // namespace plimsoll::runner
