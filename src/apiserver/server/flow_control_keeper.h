#pragma once

#include <memory>

#include "apiserver/bootstrap/bootstrap.h"
#include "apiserver/cache/cache.h"
#include "apiserver/fairness/fairness_feed.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/worker_pool.h"

namespace plimsoll::apiserver {

/// Maintains the FlowSchemas and PriorityLevelConfigurations while the server runs: every minute it
/// restores the default ones, and tells of each schema in its status whether its level is missing.
class FlowControlKeeper {
 public:
  /// The references must outlive it.
  FlowControlKeeper(std::unique_ptr<BootstrapWriter> writer, Cache& cache,
                    const ResourceTable& resources, FairnessFeed& feed, Clock& clock, Logger& log,
                    WorkerPool& workers);
  /// Waits for the work under way.
  ~FlowControlKeeper();
  FlowControlKeeper(const FlowControlKeeper&) = delete;
  FlowControlKeeper& operator=(const FlowControlKeeper&) = delete;

  /// Looks at all objects once.
  void Sweep();

 private:
  struct Shared;
  static void Schedule(const std::shared_ptr<Shared>& shared, Duration delay);

  std::shared_ptr<Shared> shared_;
};

}  // namespace plimsoll::apiserver
