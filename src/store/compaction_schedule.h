#pragma once

#include <deque>

#include "base/time.h"
#include "store/store.h"

namespace plimsoll::store {

/// Decides up to which revision the store may compact. It samples the time once per interval, so
/// history is kept up to one interval longer than required.
class CompactionSchedule {
 public:
  explicit CompactionSchedule(HistoryBounds bounds) : bounds_(bounds) {}

  /// Returns the time between two calls of Sample.
  Duration interval() const;
  /// Returns the revision to compact to. It may be lower than the revision compacted so far.
  Revision Sample(Instant now, Revision latest);

 private:
  struct Mark {
    Instant time;
    Revision latest{};
  };

  HistoryBounds bounds_;
  std::deque<Mark> marks_;     // revisions that are too young to compact
  Revision old_{kNoRevision};  // latest revision that is old enough
};

}  // namespace plimsoll::store
