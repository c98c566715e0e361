#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "api/pure_core.h"
#include "base/time.h"
#include "scheduler/cluster/node_row.h"
#include "scheduler/metrics.h"
#include "scheduler/stopwatch.h"

namespace plimsoll::scheduler {

/// Actions that the scheduler has requested and whose outcome it does not know yet.
class InflightActions {
 public:
  enum class Kind : std::uint8_t { Bind, PatchStatus, Evict, Write };

  struct Finished {
    Kind kind;
    PodId pod = kNoPod;  // pod that the action was requested for
  };

  /// REQUIRES: the arguments outlive this object.
  InflightActions(SchedulerMetrics& metrics, const Stopwatch& stopwatch)
      : metrics_(metrics), stopwatch_(stopwatch) {}

  /// Returns the id of a new action, which is never used again.
  api::ActionId Start(Kind kind, PodId pod);
  /// Returns the time of Start by the stopwatch. REQUIRES: a binding or status patch in flight.
  Duration started_at(api::ActionId id) const { return entries_[SlotOf(id)].started; }

  /// Ends an action, and records its duration if it is a call that upstream's metrics count.
  /// Returns nullopt if it has ended before.
  std::optional<Finished> Finish(const api::ActionFinished& finished);

  /// Publishes the number of calls in flight.
  void PublishPendingCalls() const;

 private:
  struct Entry {
    bool is_pending = false;
    Kind kind = Kind::Bind;
    std::uint32_t generation = 0;
    PodId pod = kNoPod;
    Duration started = Duration::zero();  // of calls that the metrics count
  };

  static std::uint32_t SlotOf(api::ActionId id) { return static_cast<std::uint32_t>(id); }
  /// Returns nullopt for evictions and plugin writes, which the metrics do not count.
  static std::optional<CallType> CallTypeOf(Kind kind);

  SchedulerMetrics& metrics_;
  const Stopwatch& stopwatch_;
  std::vector<Entry> entries_;  // indexed by the lower half of the id; the upper is the generation
  std::vector<std::uint32_t> free_slots_;
  std::array<std::size_t, kCallTypes> pending_calls_{};
};

}  // namespace plimsoll::scheduler
