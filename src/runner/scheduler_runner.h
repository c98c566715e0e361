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
  std::string host;            // in events: who tells
  std::size_t calls_max = 64;  // at one time
  std::uint64_t seed = 1;      // of delays
  client::Transform reads_as;  // how the scheduler is told of objects; empty: as they are
};

/// All that a scheduler is told of a cluster.
std::vector<WatchedObjects> ObjectsForScheduler();

/// A scheduler at work: informers tell it of the cluster, and what it decides is sent to the
/// server. Whoever starts it sees to it that it leads, where there are several.
class SchedulerRunner {
 public:
  /// The client, its clock, the log and the registry must outlive it.
  SchedulerRunner(const client::Client& client, SchedulerRunnerOptions options, Logger& log,
                  MetricsRegistry& metrics);
  /// Stops.
  ~SchedulerRunner();
  SchedulerRunner(const SchedulerRunner&) = delete;
  SchedulerRunner& operator=(const SchedulerRunner&) = delete;

  /// Once.
  void Start();
  /// Returns when nothing runs any more. Calls that are under way are given up; whether they were
  /// done is for the next one to see. Any number of times.
  void Stop();

  /// Whether everything that there was at the start is known.
  bool HasSynced() const;

 private:
  class Machine;
  const std::unique_ptr<Machine> machine_;
};

}  // namespace plimsoll::runner
