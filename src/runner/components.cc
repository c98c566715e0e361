#include "runner/components.h"

#include <utility>

#include "agent/simulated/simulated_runtime.h"
#include "controller/controller_set.h"

namespace plimsoll::runner {

std::unique_ptr<Runner> MakeSchedulerRunner(const client::Client& client,
                                            SchedulerRunnerOptions options, Logger& log,
                                            MetricsRegistry& metrics) {
  RunnerOptions runner{
      .events = {.source = {.component = "default-scheduler", .host = std::move(options.host)},
                 .form = client::EventForm::Series,
                 .shards = 4,
                 .queue_max = 25'000,
                 .seed = options.seed},
      .calls_max = options.calls_max,
      .seed = options.seed,
      .role = {.name = "scheduler"},
      .transform = std::move(options.transform),
      .faults = metrics.AddCounter(
          {.name = "plimsoll_scheduler_objects_set_aside_total",
           .help = "Objects that the scheduler could not process and set aside."})};
  auto core = std::make_unique<scheduler::Scheduler>(std::move(options.scheduler), metrics);
  return std::make_unique<Runner>(client, std::move(core), std::move(runner), log);
}

std::unique_ptr<Runner> MakeControllerRunner(const client::Client& client,
                                             ControllerRunnerOptions options, Logger& log) {
  auto core = std::make_unique<controller::ControllerSet>();
  for (auto& one : options.controllers) core->Add(std::move(one));
  RunnerOptions runner{
      .events = {.source = {.component = "controller-manager", .host = std::move(options.host)},
                 .shards = 4,
                 .queue_max = 25'000,
                 .seed = options.seed},
      .calls_max = options.calls_max,
      .seed = options.seed,
      .role = {.name = "controllers"},
      .transform = std::move(options.transform),
      .guard = std::move(options.guard),
      .backlog = std::move(options.backlog)};
  return std::make_unique<Runner>(client, std::move(core), std::move(runner), log);
}

std::unique_ptr<Runner> MakeAgentRunner(const client::Client& client, AgentRunnerOptions options,
                                        Logger& log, MetricsRegistry& metrics) {
  auto core = std::make_unique<agent::NodeAgent>(
      std::move(options.agent), std::make_shared<agent::SimulatedRuntime>(options.plan), metrics);
  RunnerOptions runner{
      .events = {.source = {.component = "kubelet", .host = {}},
                 .shards = 2,
                 .queue_max = 10'000,
                 .seed = options.seed},
      .calls_max = options.calls_max,
      .seed = options.seed,
      // In the process of the control plane, which simulated nodes must not slow down.
      .role = {.name = "agent", .is_background = !options.is_remote},
      .keeps_lean_objects = options.is_remote,
      .yields_to = std::move(options.yields_to)};
  return std::make_unique<Runner>(client, std::move(core), std::move(runner), log);
}

}  // namespace plimsoll::runner
