#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/metrics.h"
#include "store/store.h"

namespace plimsoll::store {

/// Metrics of a store's writes. Only the thread that makes the changes may call its methods.
class CommitMetrics {
 public:
  /// REQUIRES: both arguments outlive this object; the clock may be used by many threads.
  CommitMetrics(MetricsRegistry& registry, const Clock& clock);

  Instant Now() const { return clock_.Now(); }
  /// Records an append, with its sync, that began at `begun`.
  void Appended(Instant begun, std::size_t changes, bool is_good);
  /// Records the answer to a write that was requested at `asked`.
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
