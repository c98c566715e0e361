#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "apiserver/cache/cache.h"
#include "base/async.h"
#include "base/clock.h"
#include "base/log.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// Deletes events that nobody has written to for a lifetime. Looks at all events every minute.
class EventExpiry {
 public:
  /// `events` is the resource. All references must outlive it.
  EventExpiry(store::Store& store, Cache& cache, const Resource& events, Clock& clock, Logger& log,
              WorkerPool& workers, Duration lifetime);

  /// Checks all events once. Returns the number deleted. The next sweep retries failed deletes.
  int Sweep();

 private:
  /// Revision of the store at the time of a sweep.
  struct Mark {
    Instant time;
    store::Revision revision{};
  };

  /// Returns a revision such that every write after it is younger than the deadline.
  store::Revision LastBefore(Instant deadline);
  /// Deletes those that have not changed, and returns their number.
  int Delete(std::vector<store::Write> old);

  store::Store& store_;
  Cache& cache_;
  const Resource& events_;
  Clock& clock_;
  Logger& log_;
  const Duration lifetime_;
  std::mutex mutex_;        // held during a sweep
  std::deque<Mark> marks_;  // of sweeps within the lifetime
  Periodic timer_;          // last: it stops before the rest is gone
};

}  // namespace plimsoll::apiserver
