#include "cli/signals.h"

#include <signal.h>

#include <chrono>

namespace plimsoll::cli {
namespace {

sigset_t EndSet() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

EndSignals::EndSignals() {
  const sigset_t set = EndSet();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

EndSignals::~EndSignals() {
  const sigset_t set = EndSet();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

int EndSignals::Wait() {
  const sigset_t set = EndSet();
  int signal = 0;
  sigwait(&set, &signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  return signal;
}

std::optional<int> EndSignals::WaitFor(Duration time) {
  const sigset_t set = EndSet();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const timespec limit{.tv_sec = seconds.count(), .tv_nsec = (time - seconds).count()};
  const int signal = sigtimedwait(&set, nullptr, &limit);
  if (signal < 0) return std::nullopt;
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  return signal;
}

}  // namespace plimsoll::cli
