#pragma once

#include <cstddef>
#include <map>

#include "base/clock.h"

namespace plimsoll {

/// A clock that the caller moves, from one task to the next. An idle hour costs nothing and the
/// same calls give the same history. For one thread. Time never goes back.
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(Instant start = Instant()) : now_(start) {}

  Instant Now() const override { return now_; }
  void At(Instant when, Task task) override;

  /// Moves the time to the earliest task and runs it. Returns false if there is no task.
  bool Step();
  /// Runs all tasks due until `when`, including those that these tasks add, and sets the time.
  void RunUntil(Instant when);
  void Advance(Duration by) { RunUntil(now_ + by); }

  /// Number of tasks that have not run yet.
  std::size_t waiting() const { return waiting_.size(); }

 private:
  Instant now_;
  std::multimap<Instant, Task> waiting_;  // tasks of equal time stay in the order of their calls
};

}  // namespace plimsoll
