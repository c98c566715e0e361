#pragma once

#include <deque>

#include "base/time.h"
#include "store/store.h"

namespace plimsoll::store {

/// Decides how much of the past may go. It looks at the time now and then, so what it keeps is
/// older than it must be by at most one interval.
class CompactionSchedule {
 public:
  explicit CompactionSchedule(HistoryBounds bounds) : bounds_(bounds) {}

  /// How often Look is to be called.
  Duration interval() const;
  /// The revision to compact to; what has been compacted already may lie behind it.
  Revision Look(Instant now, Revision latest);

 private:
  struct Mark {
    Instant time;
    Revision latest{};
  };

  HistoryBounds bounds_;
  std::deque<Mark> marks_;     // not old enough yet
  Revision old_{kNoRevision};  // all changes up to there are
};

}  // namespace plimsoll::store
