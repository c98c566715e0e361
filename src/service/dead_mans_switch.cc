#include "service/dead_mans_switch.h"

#include <algorithm>
#include <csignal>

#include "base/assert.h"

namespace plimsoll::service {

DeadMansSwitch::DeadMansSwitch() {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  PL_ASSERT(timer_create(CLOCK_BOOTTIME, &event, &timer_) == 0);
}

DeadMansSwitch::~DeadMansSwitch() { timer_delete(timer_); }

void DeadMansSwitch::KillAt(Duration when) {
  // Zero would disarm the timer.
  const auto count = std::max<Duration::rep>(when.count(), 1);
  const itimerspec once{
      .it_interval = {},
      .it_value = {.tv_sec = count / 1'000'000'000, .tv_nsec = count % 1'000'000'000}};
  PL_ASSERT(timer_settime(timer_, TIMER_ABSTIME, &once, nullptr) == 0);
}

}  // namespace plimsoll::service
