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
#include "controller/rival_evictors.h"
#include "runner/components.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kUserAgent = "plimsoll-controller-manager";
constexpr std::string_view kNoServer =
    "no server to talk to: name its kubeconfig with --kubeconfig or $KUBECONFIG";

/// Uses a separate lease if the cluster has its own controller manager.
Result<client::LeaderElectionOptions> ElectionOptions(const LeaseFlags& flags, ServerKind kind,
                                                      const LeaderTimes& times) {
  client::LeaderElectionOptions options;
  options.lease_namespace = flags.namespace_.empty() ? "kube-system" : flags.namespace_;
  options.lease_name =
      kind == ServerKind::Own ? "kube-controller-manager" : "plimsoll-controller-manager";
  if (!flags.name.empty()) options.lease_name = flags.name;
  options.seed = UnpredictableSeed();
  options.identity = HostName() + "_" + std::to_string(options.seed);
  PL_TRY(Apply(times, options));
  return options;
}

/// Returns null if the server is plimsoll and this is not a dry run: no guard is needed.
std::shared_ptr<runner::ActionGuard> GuardOf(
    const ControllerManagerOptions& options, ServerKind kind,
    const client::LeaderElectionOptions& election,
    const std::vector<std::unique_ptr<controller::Controller>>& controllers,
    MetricsRegistry& metrics) {
  if (kind == ServerKind::Own && !options.is_dry_run) return nullptr;
  runner::ActionGuardOptions out;
  out.acts = options.acts;
  for (const auto& one : controllers) out.controllers.emplace_back(one->name());
  out.reports_to = {.api_version = "coordination.k8s.io/v1",
                    .kind = "Lease",
                    .namespace_ = election.lease_namespace,
                    .name = election.lease_name,
                    .uid = {},
                    .resource_version = {},
                    .field_path = {}};
  return std::make_shared<runner::ActionGuard>(std::move(out), metrics);
}

Result<bool> Serve(const ControllerManagerOptions& options, Context& context) {
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  const match::Rules rules =
      match::Rules::From(gates, &EvaluatorOf(ExpressionUser::ControllerManager));
  const controller::ControllerSettings settings = PL_TRY(SettingsOf(options.controllers));
  EndSignals signals;
  RealClock clock;
  MetricsRegistry metrics;
  const ExpressionCacheMetrics cache_metrics(metrics, ExpressionUser::ControllerManager);
  MetricsRegistry unseen;  // discarded: in a dry run, the counted actions do not happen
  const Clients asking =
      PL_TRY(ConnectForWork(options.kubeconfig, std::nullopt, kUserAgent, kNoServer, clock));
  const auto kind = AwaitServerKind(options.server, *asking.work, signals, context.log);
  if (!kind) return false;
  const bool is_dry_run = options.is_dry_run || (*kind == ServerKind::Stock && !options.acts);
  runner::ControllerRunnerOptions runner_options;
  runner_options.controllers = PL_TRY(controller::MakeControllers(
      options.controllers.controllers, {gates, rules, is_dry_run ? unseen : metrics, settings}));
  runner_options.host =
      (*kind == ServerKind::Own ? "" : std::string(controller::kOwnHostPrefix)) + HostName();
  runner_options.seed = UnpredictableSeed();
  runner_options.transform = AnnotationTransformFor(*kind, gates);
  const client::LeaderElectionOptions election =
      PL_TRY(ElectionOptions(options.lease, *kind, options.leader_times));
  runner_options.guard = GuardOf(options, *kind, election, runner_options.controllers, metrics);
  std::optional<Leadership> leadership;
  if (options.leader_elect) leadership.emplace(election);
  const Clients clients =
      PL_TRY(ConnectForWork(options.kubeconfig, leadership, kUserAgent, kNoServer, clock));
  const auto runner =
      runner::MakeControllerRunner(*clients.work, std::move(runner_options), context.log);
  if (is_dry_run) PL_LOG(context.log, Info(), "Dry run: nothing is changed");
  return RunElected(
      *runner, leadership, clients,
      {.name = "kube-controller-manager", .flags = options.pages, .kubeconfig = options.kubeconfig},
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
