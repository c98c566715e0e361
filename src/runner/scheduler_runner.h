#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "client/client.h"
#include "runner/informer_feed.h"
#include "scheduler/scheduler.h"

namespace plimsoll::runner {

struct SchedulerRunnerOptions {
  scheduler::SchedulerOptions scheduler;
  std::string host;            // reporting host in events
  std::size_t calls_max = 64;  // in flight at once
  std::uint64_t seed = 1;      // for random delays
  client::Transform reads_as;  // converts objects for the scheduler; empty: unchanged
};

/// Returns the kinds of objects that a scheduler watches.
std::vector<WatchedObjects> ObjectsForScheduler();

/// Runs a scheduler: informers report the cluster to it, and its actions are sent to the server.
/// With several replicas, the caller must ensure that this one leads.
class SchedulerRunner {
 public:
  /// The client, its clock, the log and the registry must outlive it.
  SchedulerRunner(const client::Client& client, SchedulerRunnerOptions options, Logger& log,
                  MetricsRegistry& metrics);
  /// Calls Stop.
  ~SchedulerRunner();
  SchedulerRunner(const SchedulerRunner&) = delete;
  SchedulerRunner& operator=(const SchedulerRunner&) = delete;

  /// Call it once.
  void Start();
  /// Returns when nothing runs any more. Calls in flight are cancelled; the next runner finds out
  /// if they were done. May be called several times.
  void Stop();

  /// Returns true if all initial objects are known.
  bool HasSynced() const;

 private:
  class Machine;
  const std::unique_ptr<Machine> machine_;
};

}  // namespace plimsoll::runner
