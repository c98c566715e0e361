#include "cli/components/scheduler.h"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/random.h"
#include "base/real_clock.h"
#include "base/time_arithmetic.h"
#include "cli/components/component_metrics.h"
#include "cli/output/failure.h"
#include "client/leader_core.h"
#include "service/component.h"
#include "service/connect.h"
#include "service/expression_evaluators.h"
#include "service/host_name.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kUserAgent = "plimsoll-scheduler";
constexpr std::string_view kNoServer =
    "no server to talk to: name its kubeconfig with --kubeconfig, $KUBECONFIG or "
    "clientConnection.kubeconfig in the file of --config";

client::LeaderElectionOptions ElectionOptionsOf(const runner::LeaderElectionConfig& config,
                                                std::uint64_t seed) {
  client::LeaderElectionOptions options;
  options.lease_namespace = config.resource_namespace;
  options.lease_name = config.resource_name;
  options.identity = service::HostName() + "_" + std::to_string(seed);
  options.lease_duration = config.lease_duration;
  options.renew_deadline = config.renew_deadline;
  options.retry_period = config.retry_period;
  options.seed = seed;
  return options;
}

/// Returns the configuration with the flags applied. A scheduler with another name uses another
/// lease, because it runs beside default-scheduler. Returns Invalid if a name is given for several
/// profiles.
Result<runner::SchedulerConfig> ApplyFlags(runner::SchedulerConfig config,
                                           const SchedulerOptions& options) {
  runner::LeaderElectionConfig& election = config.leader_election;
  const std::string& name = options.scheduler_name;
  if (!name.empty()) {
    if (config.profiles.size() > 1) {
      return Fail(Reason::Invalid,
                  "--scheduler-name names one profile, and the configuration has several");
    }
    config.profiles.front().name = name;
    const bool is_default = name == runner::ProfileConfig().name;
    if (options.config_path.empty() && !is_default) election.resource_name = name + "-scheduler";
  }
  election.leader_elect = options.leader_elect.value_or(election.leader_elect);
  const LeaderElectionFlags& flags = options.leader_election;
  if (!flags.resource_name.empty()) election.resource_name = flags.resource_name;
  if (!flags.resource_namespace.empty()) election.resource_namespace = flags.resource_namespace;
  return config;
}

Result<service::EndReason> Serve(const SchedulerOptions& options, Context& context) {
  const runner::SchedulerConfig written = PL_TRY(LoadSchedulerConfig(options.config_path));
  const runner::SchedulerConfig config = PL_TRY(ApplyFlags(written, options));
  runner::SchedulerRunnerOptions runner_options = PL_TRY(RunnerOptionsOf(config, options));
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  const runner::LeaderElectionConfig& election = config.leader_election;
  std::optional<service::Leadership> leadership;
  if (election.leader_elect) {
    client::LeaderElectionOptions elected = ElectionOptionsOf(election, UnpredictableSeed());
    PL_TRY(SetLeaseTimes(options.leader_election, elected));
    leadership.emplace(std::move(elected));
  }

  service::ShutdownSignals signals;
  RealClock clock;
  ComponentMetrics metrics;
  const std::string& kubeconfig =
      options.kubeconfig.empty() ? config.kubeconfig : options.kubeconfig;
  const service::ComponentClients detection = PL_TRY(service::ConnectComponent(
      kubeconfig, std::nullopt, kUserAgent, kNoServer, clock, metrics.requests()));
  const auto kind = service::AwaitServerKind(options.server, *detection.work, signals, context.log);
  if (!kind) return service::EndReason::Signal;
  runner_options.transform = service::AnnotationTransformFor(*kind, gates);
  const service::ComponentClients clients = PL_TRY(service::ConnectComponent(
      kubeconfig, leadership, kUserAgent, kNoServer, clock, metrics.requests()));
  const auto runner = runner::MakeSchedulerRunner(*clients.work, std::move(runner_options),
                                                  context.log, metrics.registry());
  return service::RunComponent(
      service::ComponentOf(*runner, "kube-scheduler", options.serving, kubeconfig), leadership,
      clients, {signals, clock, metrics.registry(), context.log});
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
  out.host = service::HostName();
  out.seed = UnpredictableSeed();
  scheduler::SchedulerOptions& core = out.scheduler;
  core.profiles = runner::MakeProfiles(config, options.taint_details == "shown");
  core.rules = match::Rules::From(gates, &service::EvaluatorOf(service::ExpressionUser::Scheduler));
  core.expression_cache = [] {
    return service::ExpressionsOf(service::ExpressionUser::Scheduler).counters();
  };
  core.devices.taints_enabled = gates.Enabled(api::Feature::DRADeviceTaints);
  core.devices.rules_enabled = gates.Enabled(api::Feature::DRADeviceTaintRules);
  core.devices.threshold_grace = gates.Enabled(api::Feature::ThresholdEvictionGrace);
  core.devices.seed = UnpredictableSeed();
  core.backoff_initial = SaturatingSeconds(config.backoff_initial_seconds);
  core.backoff_max = SaturatingSeconds(config.backoff_max_seconds);
  core.seed = UnpredictableSeed();
  core.stopwatch = SteadyTime;
  return out;
}

int RunScheduler(const SchedulerOptions& options, Context& context) {
  return ReportEnd(Serve(options, context), context);
}

}  // namespace plimsoll::cli
