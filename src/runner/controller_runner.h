#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "client/client.h"
#include "client/informer.h"
#include "controller/controller.h"
#include "runner/action_guard.h"
#include "runner/call_queue.h"

namespace plimsoll::runner {

struct ControllerRunnerOptions {
  std::vector<std::unique_ptr<controller::Controller>> controllers;
  std::string host;  // reporting host in events
  /// In flight at once. A call mostly waits for the server's disk, where many wait no longer than
  /// one. A thousand evictions per second, with two calls each, need more than a few dozen. A
  /// server rejects more than 200 writes at once, from all its clients.
  std::size_t calls_max = 128;
  std::shared_ptr<CallBacklog> backlog = {};
  std::uint64_t seed = 1;      // for random delays
  client::Transform reads_as;  // converts objects for the controllers; empty: unchanged
  /// Asked before each write. Null: always act.
  std::shared_ptr<ActionGuard> guard = {};
};

/// Runs controllers: informers report the cluster to them, and their actions are sent to the
/// server. With several replicas, the caller must ensure that this one leads.
class ControllerRunner {
 public:
  /// The client, its clock and the log must outlive it.
  ControllerRunner(const client::Client& client, ControllerRunnerOptions options, Logger& log);
  /// Calls Stop.
  ~ControllerRunner();
  ControllerRunner(const ControllerRunner&) = delete;
  ControllerRunner& operator=(const ControllerRunner&) = delete;

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
