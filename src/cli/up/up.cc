#include "cli/up/up.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include "apiserver/server/instance.h"
#include "base/random.h"
#include "base/real_clock.h"
#include "base/scaled_clock.h"
#include "cli/apiserver/apiserver_flags.h"
#include "cli/components/component_flags.h"
#include "cli/components/component_metrics.h"
#include "cli/flags/number_checks.h"
#include "cli/manifest/manifest_text.h"
#include "cli/output/failure.h"
#include "cli/up/create_missing.h"
#include "cli/up/demo.h"
#include "cli/up/start_screen.h"
#include "client/client.h"
#include "controller/registry.h"
#include "controller/work_queue_metrics.h"
#include "net/client.h"
#include "runner/components.h"
#include "service/data_directory.h"
#include "service/expression_evaluators.h"
#include "service/host_name.h"
#include "service/sd_notify.h"
#include "service/signals.h"

namespace plimsoll::cli {
namespace {

/// Maximum number of concurrent calls of the controllers. They only wait for the disk, and more
/// waiting calls share one fsync. No connection or other client is affected.
constexpr std::size_t kLocalCallsMax = 512;

/// Adds the settings of the demo.
UpOptions WithDemo(UpOptions options) {
  if (!options.is_demo) return options;
  KubeletOptions& kubelet = options.kubelet;
  if (kubelet.nodes == 0) kubelet.nodes = kDemoNodes;
  if (kubelet.node_template.empty()) kubelet.node_template_text = kDemoNodeTemplate;
  return options;
}

Result<std::vector<ManifestText>> ManifestTextsOf(const UpOptions& options, Context& context) {
  std::vector<ManifestText> texts = PL_TRY(ReadManifestTexts(options.manifests, context.in));
  if (options.is_demo) texts.push_back({"<demo>", std::string(kDemoWorkloads)});
  return texts;
}

/// Returns a client in the server's process.
client::Client ClientFor(net::LocalIdentity who, apiserver::Instance& server, Clock& clock,
                         const client::RestClientMetrics& metrics) {
  client::ClientOptions options;
  options.user_agent = who.user;
  return client::Client(
      metrics.Meter(net::ConnectLocally(server.handler(), std::move(who)), "in-process"), clock,
      options);
}

Status Serve(const UpOptions& options, Context& context) {
  KubeletOptions kubelet = options.kubelet;
  kubelet.feature_gates = options.apiserver.feature_gates;
  runner::AgentRunnerOptions agents = PL_TRY(RunnerOptionsOf(kubelet, context.log));
  apiserver::InstanceOptions instance = PL_TRY(InstanceOptionsOf(options.apiserver));
  const std::vector<ManifestText> texts = PL_TRY(ManifestTextsOf(options, context));
  SchedulerOptions scheduler = options.scheduler;
  scheduler.feature_gates = options.apiserver.feature_gates;
  const runner::SchedulerConfig config = PL_TRY(LoadSchedulerConfig(scheduler.config_path));
  runner::SchedulerRunnerOptions runner_options = PL_TRY(RunnerOptionsOf(config, scheduler));

  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.apiserver.feature_gates));
  const match::Rules rules =
      match::Rules::From(gates, &service::EvaluatorOf(service::ExpressionUser::ControllerManager));

  const controller::ControllerSettings settings = PL_TRY(SettingsOf(options.controllers));
  const service::DataDirectory directory = PL_TRY(ClaimDirectory(options.apiserver));
  // With a scaled clock, renewed certificates would have wrong validity times.
  if (options.time_scale != 1) instance.renewal_period = Duration::zero();
  service::ShutdownSignals signals;
  ScaledClock clock(std::make_unique<RealClock>(), options.time_scale);
  ComponentMetrics metrics;
  controller::WorkQueueMetrics queues(metrics.registry(), SteadyTime);
  const service::ExpressionCacheMetrics controller_cache(
      metrics.registry(), service::ExpressionUser::ControllerManager);
  const service::ExpressionCacheMetrics kubelet_cache(metrics.registry(),
                                                      service::ExpressionUser::Kubelet);
  runner::ControllerRunnerOptions controllers;
  controllers.controllers = PL_TRY(controller::MakeControllers(
      options.controllers.controllers, {gates, rules, metrics.registry(), settings, &queues}));
  controllers.host = service::HostName();
  controllers.seed = UnpredictableSeed();
  controllers.calls_max = kLocalCallsMax;
  controllers.backlog = std::make_shared<runner::CallBacklog>();
  agents.yields_to = controllers.backlog;
  const std::string first_node = agents.agent.nodes.empty() ? "" : agents.agent.nodes[0].name;
  const std::unique_ptr<apiserver::Instance> server =
      PL_TRY(apiserver::Instance::Start(instance, clock, context.log, metrics.registry()));
  const client::Client scheduler_client =
      ClientFor({.user = "system:kube-scheduler", .groups = {"system:authenticated"}}, *server,
                clock, metrics.requests());
  // Controllers write objects of every kind, and one agent manages many nodes.
  const std::vector<std::string> masters = {"system:authenticated", "system:masters"};
  const client::Client controller_client =
      ClientFor({.user = "system:kube-controller-manager", .groups = masters}, *server, clock,
                metrics.requests());
  const client::Client agent_client = ClientFor({.user = "plimsoll:kubelet", .groups = masters},
                                                *server, clock, metrics.requests());
  const auto scheduler_runner = runner::MakeSchedulerRunner(
      scheduler_client, std::move(runner_options), context.log, metrics.registry());
  const auto controller_runner =
      runner::MakeControllerRunner(controller_client, std::move(controllers), context.log);
  const auto agent_runner =
      runner::MakeAgentRunner(agent_client, std::move(agents), context.log, metrics.registry());
  scheduler_runner->Start();
  controller_runner->Start();
  agent_runner->Start();
  PL_LOG(context.log, Info(), "Serving securely", {"address", instance.address},
         {"port", server->port()}, {"kubeconfig", server->kubeconfig_path()});
  WarnOfInsecurePort(*server, context.err);
  PL_TRY(CreateMissing(texts, controller_client, context));
  if (options.apiserver.is_tour) {
    context.out << StartScreenText({.url = fmt::format("https://127.0.0.1:{}", server->port()),
                                    .kubeconfig = server->kubeconfig_path(),
                                    .directory = directory.path(),
                                    .nodes = options.kubelet.nodes,
                                    .first_node = first_node,
                                    .is_demo = options.is_demo,
                                    .had_data = directory.had_data()})
                << std::flush;
  }
  service::NotifyServiceManager("READY=1");
  const int signal = signals.Wait();
  PL_LOG(context.log, Info(), "Shutting down", {"signal", signal});
  service::NotifyServiceManager("STOPPING=1");
  agent_runner->Stop();
  controller_runner->Stop();
  scheduler_runner->Stop();
  server->Drain(std::chrono::seconds(options.apiserver.shutdown_seconds));
  if (options.apiserver.is_tour) {
    context.out << "Stopped. The data stays in " << directory.path() << ".\n" << std::flush;
  }
  return {};
}

}  // namespace

void AddUpFlags(CLI::App& command, UpOptions& options) {
  command.add_flag("--demo,!--no-demo", options.is_demo,
                   "Bring nodes of different risk, 20 unless --nodes says so, and two workloads");
  AddNodeFlags(command, options.kubelet);
  command
      .add_option("--manifests", options.manifests,
                  "Objects to create at the start, where they are missing")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR");
  RequireInteger(
      command.add_option("--time-scale", options.time_scale,
                         "How many seconds pass for the cluster in one of yours, from 1 to 1000"),
      1, 1'000);
  AddApiserverFlags(command, options.apiserver);
  AddSchedulingFlags(command, "--scheduler-config", options.scheduler);
  AddControllerFlags(command, options.controllers);
}

int RunUp(const UpOptions& options, Context& context) {
  const Status status = Serve(WithDemo(options), context);
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli
