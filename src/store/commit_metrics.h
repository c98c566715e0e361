#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/metrics.h"
#include "store/store.h"

namespace plimsoll::store {

/// What a store says of its writing. Its methods are called by the thread that makes the changes.
class CommitMetrics {
 public:
  /// Both must outlive it; the clock must be safe for use by many threads.
  CommitMetrics(MetricsRegistry& registry, const Clock& clock);

  Instant Now() const { return clock_.Now(); }
  /// An append, with its sync, that began then.
  void Appended(Instant begun, std::size_t changes, bool is_good);
  /// A write that was asked for then is answered.
  void Answered(Instant asked);
  void Published(Revision latest, Revision compacted);

 private:
  const Clock& clock_;
  Histogram append_seconds_;
  Histogram commit_seconds_;
  Counter changes_;
  Counter failures_;
  Gauge latest_;
  Gauge compacted_;
};

}  // namespace plimsoll::store
