#include "cli/controller_manager.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/random.h"
#include "base/real_clock.h"
#include "cli/component.h"
#include "cli/connect.h"
#include "cli/duration_flag.h"
#include "cli/evaluator.h"
#include "cli/host.h"
#include "runner/controller_runner.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kUserAgent = "plimsoll-controller-manager";
constexpr std::string_view kNoServer =
    "no server to talk to: name its kubeconfig with --kubeconfig";

Result<client::LeaderElectionOptions> ElectionOptions(const LeaderTimes& times) {
  client::LeaderElectionOptions options;
  options.lease_namespace = "kube-system";
  options.lease_name = "kube-controller-manager";
  options.seed = UnpredictableSeed();
  options.identity = HostName() + "_" + std::to_string(options.seed);
  PL_TRY(Apply(times, options));
  return options;
}

Result<bool> Serve(const ControllerManagerOptions& options, Context& context) {
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  const match::Rules rules = match::Rules::From(gates, &SharedEvaluator());
  const controller::ControllerSettings settings = PL_TRY(SettingsOf(options.controllers));
  EndSignals signals;
  RealClock clock;
  MetricsRegistry metrics;
  runner::ControllerRunnerOptions runner_options;
  runner_options.controllers = PL_TRY(controller::MakeControllers(
      options.controllers.controllers, {gates, rules, metrics, settings}));
  runner_options.host = HostName();
  runner_options.seed = UnpredictableSeed();
  std::optional<Leadership> leadership;
  if (options.leader_elect) leadership.emplace(PL_TRY(ElectionOptions(options.leader_times)));
  const Clients clients =
      PL_TRY(ConnectForWork(options.kubeconfig, leadership, kUserAgent, kNoServer, clock));
  runner::ControllerRunner runner(*clients.work, std::move(runner_options), context.log);
  return RunElected(
      runner, leadership, clients,
      {.name = "kube-controller-manager", .address = options.address, .port = options.port},
      {signals, clock, metrics}, context);
}

}  // namespace

Result<controller::ControllerSettings> SettingsOf(const ControllerFlags& flags) {
  controller::ControllerSettings settings;
  controller::NodeLifecycleOptions& nodes = settings.node_lifecycle;
  nodes.node_monitor_period =
      PL_TRY(ReadDuration("--node-monitor-period", flags.node_monitor_period));
  nodes.node_monitor_grace_period =
      PL_TRY(ReadDuration("--node-monitor-grace-period", flags.node_monitor_grace_period));
  nodes.node_startup_grace_period =
      PL_TRY(ReadDuration("--node-startup-grace-period", flags.node_startup_grace_period));
  return settings;
}

int RunControllerManager(const ControllerManagerOptions& options, Context& context) {
  return Report(Serve(options, context), context);
}

}  // namespace plimsoll::cli
