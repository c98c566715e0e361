#pragma once

#include <memory>

#include "apiserver/bootstrap/bootstrap.h"
#include "apiserver/cache/cache.h"
#include "apiserver/fairness/fairness_feed.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/worker_pool.h"

namespace plimsoll::apiserver {

/// Maintains default objects while the server runs. Every ten seconds it restores the system
/// namespaces, the Service `kubernetes`, the ConfigMaps that the server writes, and the default
/// FlowSchemas and PriorityLevelConfigurations, and tells of each FlowSchema in its status whether
/// its level is missing.
class DefaultObjectsKeeper {
 public:
  /// The references must outlive it.
  DefaultObjectsKeeper(std::unique_ptr<BootstrapWriter> writer, BootstrapOptions options,
                       Cache& cache, const ResourceTable& resources, FairnessFeed& feed,
                       Clock& clock, Logger& log, WorkerPool& workers);
  /// Waits for the work under way.
  ~DefaultObjectsKeeper();
  DefaultObjectsKeeper(const DefaultObjectsKeeper&) = delete;
  DefaultObjectsKeeper& operator=(const DefaultObjectsKeeper&) = delete;

  /// Looks at all objects once.
  void Sweep();

 private:
  struct Shared;
  static void Schedule(const std::shared_ptr<Shared>& shared, Duration delay);

  std::shared_ptr<Shared> shared_;
};

}  // namespace plimsoll::apiserver
