#include "cli/signals.h"

#include <signal.h>

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

}  // namespace plimsoll::cli
