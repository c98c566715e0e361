#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "agent/node_agent.h"
#include "agent/simulated/plan.h"
#include "base/log.h"
#include "base/metrics.h"
#include "client/client.h"
#include "runner/call_queue.h"

namespace plimsoll::runner {

struct AgentRunnerOptions {
  agent::NodeAgentOptions agent;
  agent::PlanDefaults plan;    // for simulated containers
  std::size_t calls_max = 64;  // in flight at once
  /// Keeps small copies of objects. For a remote server; a server in this process shares its
  /// objects.
  bool is_remote = false;
  /// Calls about pods yield to this backlog.
  std::shared_ptr<const CallBacklog> gives_way_to = {};
  std::uint64_t seed = 1;  // for random delays
};

/// Runs the agents of simulated nodes: informers report pods and nodes to them, and their actions
/// are sent to the server.
class AgentRunner {
 public:
  /// The client, its clock, the log and the registry must outlive it.
  AgentRunner(const client::Client& client, AgentRunnerOptions options, Logger& log,
              MetricsRegistry& metrics);
  /// Calls Stop.
  ~AgentRunner();
  AgentRunner(const AgentRunner&) = delete;
  AgentRunner& operator=(const AgentRunner&) = delete;

  /// Call it once.
  void Start();
  /// Returns when nothing runs any more. Nodes stay registered, and pods as they are: the next
  /// runner continues from there. May be called several times.
  void Stop();

  /// Returns true if all initial objects are known.
  bool HasSynced() const;

 private:
  class Machine;
  const std::unique_ptr<Machine> machine_;
};

}  // namespace plimsoll::runner
