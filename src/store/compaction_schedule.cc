#include "store/compaction_schedule.h"

#include <algorithm>
#include <chrono>

namespace plimsoll::store {

Duration CompactionSchedule::interval() const {
  const std::chrono::seconds tenth(bounds_.seconds_min / 10);
  return std::clamp(tenth, std::chrono::seconds(1), std::chrono::seconds(10));
}

Revision CompactionSchedule::Sample(Instant now, Revision latest) {
  // A clock that was set back must not make young marks look old once it is corrected.
  while (!marks_.empty() && marks_.back().time > now) marks_.pop_back();
  marks_.push_back({now, latest});
  while (!marks_.empty() &&
         now - marks_.front().time >= std::chrono::seconds(bounds_.seconds_min)) {
    old_ = marks_.front().latest;
    marks_.pop_front();
  }
  const std::int64_t wanted = std::min(Number(old_), Number(latest) - bounds_.changes_min);
  const std::int64_t forced = Number(latest) - bounds_.changes_max;
  return Revision{std::max({wanted, forced, std::int64_t{0}})};
}

}  // namespace plimsoll::store
