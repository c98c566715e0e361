#pragma once

#include <cstddef>
#include <map>

#include "base/clock.h"

namespace plimsoll {

/// Time that moves only when it is told to, from one task to the next; an idle hour costs nothing
/// and the same calls give the same history. For one thread. Time never goes back.
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(Instant start = Instant()) : now_(start) {}

  Instant Now() const override { return now_; }
  void At(Instant when, Task task) override;

  /// Moves to the earliest task and runs it. False when there is none.
  bool Step();
  /// Runs all that is due until `when`, what those tasks add included, and leaves the clock there.
  void RunUntil(Instant when);
  void Advance(Duration by) { RunUntil(now_ + by); }

  /// Tasks that have not run yet.
  std::size_t waiting() const { return waiting_.size(); }

 private:
  Instant now_;
  std::multimap<Instant, Task> waiting_;  // equal times in the order of their coming
};

}  // namespace plimsoll
