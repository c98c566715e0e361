#include "cli/components/controller_manager.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/random.h"
#include "base/real_clock.h"
#include "cli/components/component_metrics.h"
#include "cli/flags/duration_flag.h"
#include "cli/output/failure.h"
#include "controller/rival_evictors.h"
#include "runner/components.h"
#include "service/component.h"
#include "service/connect.h"
#include "service/expression_evaluators.h"
#include "service/host_name.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kUserAgent = "plimsoll-controller-manager";
constexpr std::string_view kNoServer =
    "no server to talk to: name its kubeconfig with --kubeconfig or $KUBECONFIG";

/// Uses a separate lease if the cluster has its own controller manager.
Result<client::LeaderElectionOptions> ElectionOptions(const LeaderElectionFlags& flags,
                                                      service::ServerKind kind) {
  client::LeaderElectionOptions options;
  options.lease_namespace =
      flags.resource_namespace.empty() ? "kube-system" : flags.resource_namespace;
  options.lease_name =
      kind == service::ServerKind::Own ? "kube-controller-manager" : "plimsoll-controller-manager";
  if (!flags.resource_name.empty()) options.lease_name = flags.resource_name;
  options.seed = UnpredictableSeed();
  options.identity = service::HostName() + "_" + std::to_string(options.seed);
  PL_TRY(SetLeaseTimes(flags, options));
  return options;
}

/// Returns null if the server is plimsoll and this is not a dry run: no guard is needed.
std::shared_ptr<runner::ActionGuard> GuardOf(
    const ControllerManagerOptions& options, service::ServerKind kind,
    const client::LeaderElectionOptions& election,
    const std::vector<std::unique_ptr<controller::Controller>>& controllers,
    MetricsRegistry& metrics) {
  if (kind == service::ServerKind::Own && !options.is_dry_run) return nullptr;
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

Result<service::EndReason> Serve(const ControllerManagerOptions& options, Context& context) {
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  const match::Rules rules =
      match::Rules::From(gates, &service::EvaluatorOf(service::ExpressionUser::ControllerManager));
  controller::ControllerSettings settings = PL_TRY(SettingsOf(options.controllers));
  service::ShutdownSignals signals;
  RealClock clock;
  ComponentMetrics metrics;
  const service::ExpressionCacheMetrics cache_metrics(metrics.registry(),
                                                      service::ExpressionUser::ControllerManager);
  MetricsRegistry unseen;  // discarded: in a dry run, the counted actions do not happen
  controller::WorkQueueMetrics queues(metrics.registry(), SteadyTime);
  const service::ComponentClients detection = PL_TRY(service::ConnectComponent(
      options.kubeconfig, std::nullopt, kUserAgent, kNoServer, clock, metrics.requests()));
  const auto kind = service::AwaitServerKind(options.server, *detection.work, signals, context.log);
  if (!kind) return service::EndReason::Signal;
  settings.owns_single_taints = *kind == service::ServerKind::Own;
  const bool is_dry_run =
      options.is_dry_run || (*kind == service::ServerKind::Stock && !options.acts);
  runner::ControllerRunnerOptions runner_options;
  runner_options.controllers = PL_TRY(controller::MakeControllers(
      options.controllers.controllers,
      {gates, rules, is_dry_run ? unseen : metrics.registry(), settings, &queues}));
  runner_options.host =
      (*kind == service::ServerKind::Own ? "" : std::string(controller::kOwnHostPrefix)) +
      service::HostName();
  runner_options.seed = UnpredictableSeed();
  runner_options.transform = service::AnnotationTransformFor(*kind, gates);
  const client::LeaderElectionOptions election =
      PL_TRY(ElectionOptions(options.leader_election, *kind));
  runner_options.guard =
      GuardOf(options, *kind, election, runner_options.controllers, metrics.registry());
  std::optional<service::Leadership> leadership;
  if (options.leader_elect) leadership.emplace(election);
  const service::ComponentClients clients = PL_TRY(service::ConnectComponent(
      options.kubeconfig, leadership, kUserAgent, kNoServer, clock, metrics.requests()));
  const auto runner =
      runner::MakeControllerRunner(*clients.work, std::move(runner_options), context.log);
  if (is_dry_run) PL_LOG(context.log, Info(), "Dry run: nothing is changed");
  return service::RunComponent(
      service::ComponentOf(*runner, "kube-controller-manager", options.serving, options.kubeconfig),
      leadership, clients, {signals, clock, metrics.registry(), context.log});
}

}  // namespace

Result<controller::ControllerSettings> SettingsOf(const ControllerFlags& flags) {
  controller::ControllerSettings settings;
  controller::NodeLifecycleOptions& nodes = settings.node_lifecycle;
  nodes.node_monitor_period =
      PL_TRY(ParseDurationFlag("--node-monitor-period", flags.node_monitor_period));
  nodes.node_monitor_grace_period =
      PL_TRY(ParseDurationFlag("--node-monitor-grace-period", flags.node_monitor_grace_period));
  nodes.node_startup_grace_period =
      PL_TRY(ParseDurationFlag("--node-startup-grace-period", flags.node_startup_grace_period));
  return settings;
}

int RunControllerManager(const ControllerManagerOptions& options, Context& context) {
  return ReportEnd(Serve(options, context), context);
}

}  // namespace plimsoll::cli
