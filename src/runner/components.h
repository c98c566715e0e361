#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agent/node_agent.h"
#include "agent/simulated/plan.h"
#include "base/log.h"
#include "base/metrics.h"
#include "client/client.h"
#include "controller/controller.h"
#include "runner/action_guard.h"
#include "runner/call_queue.h"
#include "runner/runner.h"
#include "scheduler/scheduler.h"

/// Makes the runners of the components. The client, its clock, the log and the registry must
/// outlive a runner. With several replicas, the caller must ensure that this one leads.
namespace plimsoll::runner {

struct SchedulerRunnerOptions {
  scheduler::SchedulerOptions scheduler;
  std::string host;             // reporting host in events
  std::size_t calls_max = 64;   // in flight at once
  std::uint64_t seed = 1;       // for random delays
  client::Transform transform;  // converts objects for the scheduler; empty: unchanged
};
std::unique_ptr<Runner> MakeSchedulerRunner(const client::Client& client,
                                            SchedulerRunnerOptions options, Logger& log,
                                            MetricsRegistry& metrics);

struct ControllerRunnerOptions {
  std::vector<std::unique_ptr<controller::Controller>> controllers;
  std::string host;  // reporting host in events
  /// In flight at once. A call mostly waits for the server's disk, where many wait no longer than
  /// one. A thousand evictions per second, with two calls each, need more than a few dozen. A
  /// server rejects more than 200 writes at once, from all its clients.
  std::size_t calls_max = 128;
  std::shared_ptr<CallBacklog> backlog = {};
  std::uint64_t seed = 1;       // for random delays
  client::Transform transform;  // converts objects for the controllers; empty: unchanged
  /// Asked before each write. Null: always act.
  std::shared_ptr<ActionGuard> guard = {};
};
std::unique_ptr<Runner> MakeControllerRunner(const client::Client& client,
                                             ControllerRunnerOptions options, Logger& log);

struct AgentRunnerOptions {
  agent::NodeAgentOptions agent;
  agent::PlanDefaults plan;    // for simulated containers
  std::size_t calls_max = 64;  // in flight at once
  /// Keeps small copies of objects. For a remote server; a server in this process shares its
  /// objects.
  bool is_remote = false;
  /// Calls about pods yield to this backlog.
  std::shared_ptr<const CallBacklog> yields_to = {};
  std::uint64_t seed = 1;  // for random delays
};
/// When it stops, nodes stay registered, and pods as they are: the next runner continues from
/// there.
std::unique_ptr<Runner> MakeAgentRunner(const client::Client& client, AgentRunnerOptions options,
                                        Logger& log, MetricsRegistry& metrics);

}  // namespace plimsoll::runner
