#pragma once

#include <memory>
#include <mutex>

#include "apiserver/bootstrap/bootstrap.h"
#include "apiserver/cache/cache.h"
#include "apiserver/fairness/fairness_feed.h"
#include "base/async.h"
#include "base/clock.h"
#include "base/log.h"

namespace plimsoll::apiserver {

/// Maintains default objects while the server runs. Every ten seconds it restores the system
/// namespaces, the Service `kubernetes`, the server's ConfigMaps, and the default FlowSchemas and
/// PriorityLevelConfigurations. It also sets the status of each FlowSchema, which shows whether its
/// priority level is missing.
class DefaultObjectsKeeper {
 public:
  /// The references must outlive this object.
  DefaultObjectsKeeper(std::unique_ptr<BootstrapWriter> writer, BootstrapOptions options,
                       Cache& cache, const ResourceTable& resources, FairnessFeed& feed,
                       Clock& clock, Logger& log, WorkerPool& workers);

  /// Checks all default objects once and restores those that differ.
  void Sweep();

 private:
  /// Writes into a FlowSchema's status whether its priority level is missing.
  Status MarkDangling(const StoredObject& schema);
  void LogError(const Status& done);

  const std::unique_ptr<BootstrapWriter> writer_;
  BootstrapOptions options_;
  Cache& cache_;
  const Resource& schemas_;
  const Resource& levels_;
  FairnessFeed& feed_;
  Clock& clock_;
  Logger& log_;
  std::mutex mutex_;  // held during a sweep
  Periodic timer_;    // last: it stops before the rest is gone
};

}  // namespace plimsoll::apiserver
