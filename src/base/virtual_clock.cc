#include "base/virtual_clock.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace plimsoll {

void VirtualClock::At(Instant when, Task task) { waiting_.emplace(when, std::move(task)); }

bool VirtualClock::Step() {
  if (waiting_.empty()) return false;
  auto next = waiting_.extract(waiting_.begin());
  now_ = std::max(now_, next.key());
  next.mapped()();
  return true;
}

void VirtualClock::RunUntil(Instant when) {
  PL_ASSERT(when >= now_);
  while (!waiting_.empty() && waiting_.begin()->first <= when) Step();
  now_ = when;
}

}  // namespace plimsoll
