#pragma once

#include <atomic>
#include <memory>

#include "apiserver/cache/cache.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/worker_pool.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// Deletes events that have not been written to for a while, as their news is old by then.
class EventExpiry {
 public:
  /// `events` is the resource. The references must outlive it, and so must the pool.
  EventExpiry(store::Store& store, Cache& cache, const Resource& events, Clock& clock, Logger& log,
              WorkerPool& workers, Duration lifetime);
  ~EventExpiry();

  /// One look at all events; how many were deleted. What fails is tried again at the next.
  int Sweep();

 private:
  struct Shared;
  static void Schedule(const std::shared_ptr<Shared>& shared);

  std::shared_ptr<Shared> shared_;
};

}  // namespace plimsoll::apiserver
