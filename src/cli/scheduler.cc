#include "cli/scheduler.h"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/random.h"
#include "base/real_clock.h"
#include "cli/component.h"
#include "cli/connect.h"
#include "cli/evaluator.h"
#include "cli/host.h"
#include "client/leader_core.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kUserAgent = "plimsoll-scheduler";
constexpr std::string_view kNoServer =
    "no server to talk to: name its kubeconfig with --kubeconfig, or with "
    "clientConnection.kubeconfig in the file of --config";

client::LeaderElectionOptions ElectionOptionsOf(const runner::LeaderElectionConfig& config,
                                                std::uint64_t seed) {
  client::LeaderElectionOptions options;
  options.lease_namespace = config.resource_namespace;
  options.lease_name = config.resource_name;
  options.identity = HostName() + "_" + std::to_string(seed);
  options.lease_duration = config.lease_duration;
  options.renew_deadline = config.renew_deadline;
  options.retry_period = config.retry_period;
  options.seed = seed;
  return options;
}

Result<bool> Serve(const SchedulerOptions& options, Context& context) {
  const runner::SchedulerConfig config = PL_TRY(LoadSchedulerConfig(options.config_path));
  runner::SchedulerRunnerOptions runner_options = PL_TRY(RunnerOptionsOf(config, options));
  runner::LeaderElectionConfig election = config.leader_election;
  election.leader_elect = options.leader_elect.value_or(election.leader_elect);
  std::optional<Leadership> leadership;
  if (election.leader_elect) {
    client::LeaderElectionOptions elected = ElectionOptionsOf(election, UnpredictableSeed());
    PL_TRY(Apply(options.leader_times, elected));
    leadership.emplace(std::move(elected));
  }

  EndSignals signals;
  RealClock clock;
  MetricsRegistry metrics;
  const Clients clients =
      PL_TRY(ConnectForWork(options.kubeconfig.empty() ? config.kubeconfig : options.kubeconfig,
                            leadership, kUserAgent, kNoServer, clock));
  runner::SchedulerRunner runner(*clients.work, std::move(runner_options), context.log, metrics);
  return RunElected(runner, leadership, clients,
                    {.name = "kube-scheduler", .address = options.address, .port = options.port},
                    {signals, clock, metrics}, context);
}

}  // namespace

Result<runner::SchedulerConfig> LoadSchedulerConfig(const std::string& path) {
  if (path.empty()) return runner::SchedulerConfig();
  const std::string text = PL_TRY(ReadFile(path));
  Result<runner::SchedulerConfig> config = runner::ParseSchedulerConfig(text);
  if (!config) {
    return FailAt(config.error().reason, config.error().field,
                  config.error().message + " (in " + path + ")");
  }
  return config;
}

Result<runner::SchedulerRunnerOptions> RunnerOptionsOf(const runner::SchedulerConfig& config,
                                                       const SchedulerOptions& options) {
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  runner::SchedulerRunnerOptions out;
  out.host = HostName();
  out.seed = UnpredictableSeed();
  scheduler::SchedulerOptions& core = out.scheduler;
  core.profiles = runner::MakeProfiles(config, options.taint_details == "shown");
  core.rules = match::Rules::From(gates, &SharedEvaluator());
  core.expression_cache = [] { return SharedEvaluator().counters(); };
  core.devices.taints_enabled = gates.Enabled(api::Feature::DRADeviceTaints);
  core.devices.rules_enabled = gates.Enabled(api::Feature::DRADeviceTaintRules);
  core.devices.seed = UnpredictableSeed();
  core.backoff_initial = std::chrono::seconds(config.backoff_initial_seconds);
  core.backoff_max = std::chrono::seconds(config.backoff_max_seconds);
  core.seed = UnpredictableSeed();
  core.stopwatch = SteadyTime;
  return out;
}

int RunScheduler(const SchedulerOptions& options, Context& context) {
  return Report(Serve(options, context), context);
}

}  // namespace plimsoll::cli
