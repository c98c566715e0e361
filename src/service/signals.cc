#include "service/signals.h"

#include <signal.h>

#include <chrono>

namespace plimsoll::service {
namespace {

sigset_t EndSet() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

ShutdownSignals::ShutdownSignals(Hangup hangup) : hangup_(hangup) {
  sigset_t set = EndSet();
  if (hangup_ == Hangup::Reloads) sigaddset(&set, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

ShutdownSignals::~ShutdownSignals() {
  sigset_t set = EndSet();
  if (hangup_ == Hangup::Reloads) sigaddset(&set, SIGHUP);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

int ShutdownSignals::Wait(const std::function<void()>& reload) {
  const sigset_t set = EndSet();
  sigset_t awaited = set;
  if (hangup_ == Hangup::Reloads) sigaddset(&awaited, SIGHUP);
  int signal = 0;
  while (sigwait(&awaited, &signal) == 0 && signal == SIGHUP) {
    if (reload != nullptr) reload();
  }
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  return signal;
}

std::optional<int> ShutdownSignals::WaitFor(Duration time) {
  const sigset_t set = EndSet();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const timespec limit{.tv_sec = seconds.count(), .tv_nsec = (time - seconds).count()};
  const int signal = sigtimedwait(&set, nullptr, &limit);
  if (signal < 0) return std::nullopt;
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  return signal;
}

}  // namespace plimsoll::service
