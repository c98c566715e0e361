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
  std::string host;  // in events: who tells
  /// At one time. Most of a call is waiting for the server's disk, where many wait no longer than
  /// one; a thousand evictions a second, of two calls each, need more than a few dozen. A server
  /// refuses more than 200 writes at one time, of all its clients.
  std::size_t calls_max = 128;
  std::shared_ptr<CallBacklog> backlog = {};
  std::uint64_t seed = 1;      // of delays
  client::Transform reads_as;  // how controllers are told of objects; empty: as they are
  /// Asked before anything is changed. Null: nobody need be asked.
  std::shared_ptr<ActionGuard> guard = {};
};

/// Controllers at work: informers tell them of the cluster, and what they decide is sent to the
/// server. Whoever starts it sees to it that it leads, where there are several.
class ControllerRunner {
 public:
  /// The client, its clock and the log must outlive it.
  ControllerRunner(const client::Client& client, ControllerRunnerOptions options, Logger& log);
  /// Stops.
  ~ControllerRunner();
  ControllerRunner(const ControllerRunner&) = delete;
  ControllerRunner& operator=(const ControllerRunner&) = delete;

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
