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
  agent::PlanDefaults plan;    // of simulated containers
  std::size_t calls_max = 64;  // at one time
  /// Keeps its own small copies of objects: for a server elsewhere, as one in this process shares
  /// its own.
  bool is_remote = false;
  /// Whose backlog goes before what there is to tell of pods.
  std::shared_ptr<const CallBacklog> gives_way_to = {};
  std::uint64_t seed = 1;  // of delays
};

/// The agents of simulated nodes at work: informers tell them of pods and nodes, and what they do
/// is sent to the server.
class AgentRunner {
 public:
  /// The client, its clock, the log and the registry must outlive it.
  AgentRunner(const client::Client& client, AgentRunnerOptions options, Logger& log,
              MetricsRegistry& metrics);
  /// Stops.
  ~AgentRunner();
  AgentRunner(const AgentRunner&) = delete;
  AgentRunner& operator=(const AgentRunner&) = delete;

  /// Once.
  void Start();
  /// Returns when nothing runs any more. The nodes stay registered, and their pods as they are: the
  /// next one goes on from there. Any number of times.
  void Stop();

  /// Whether everything that there was at the start is known.
  bool HasSynced() const;

 private:
  class Machine;
  const std::unique_ptr<Machine> machine_;
};

}  // namespace plimsoll::runner
