#include "cli/up.h"

#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include "apiserver/server/instance.h"
#include "base/random.h"
#include "base/real_clock.h"
#include "base/scaled_clock.h"
#include "cli/create_missing.h"
#include "cli/evaluator.h"
#include "cli/failure.h"
#include "cli/host.h"
#include "cli/signals.h"
#include "client/client.h"
#include "controller/registry.h"
#include "net/client.h"
#include "runner/agent_runner.h"
#include "runner/controller_runner.h"
#include "runner/scheduler_runner.h"

namespace plimsoll::cli {
namespace {

/// Calls of the controllers at one time. They wait for the disk only, and the more of them wait,
/// the more share one sync; there is no connection or other client that they could take away.
constexpr std::size_t kLocalCallsMax = 192;

void PrintTour(const apiserver::Instance& server, std::ostream& out) {
  out << "Plimsoll runs on https://127.0.0.1:" << server.port()
      << ": API server, scheduler, controllers and simulated nodes in one process.\n\n"
      << "  export KUBECONFIG=" << server.kubeconfig_path() << "\n\n"
      << "Then try:\n"
         "  kubectl get nodes -L topology.kubernetes.io/zone,node.kubernetes.io/kernel-version\n"
         "  kubectl get deployments,pods -o wide           # payments went where failures are "
         "rare\n"
         "  kubectl scale deployment batch --replicas=200\n"
         "  NODE=$(kubectl get pods -l app=payment-processor "
         "-o jsonpath='{.items[0].spec.nodeName}')\n"
         "  kubectl taint nodes $NODE failure-probability=15:NoExecute --overwrite\n"
         "  kubectl get events -w --field-selector reason=TaintManagerEviction   # 30 s later\n\n"
      << "Ctrl-C stops it; the data stays, and the next start finds it.\n"
      << std::flush;
}

client::Client ClientFor(net::LocalIdentity who, apiserver::Instance& server, Clock& clock) {
  client::ClientOptions options;
  options.user_agent = who.user;
  return client::Client(net::ConnectLocally(server.handler(), std::move(who)), clock, options);
}

Status Serve(const UpOptions& options, Context& context) {
  KubeletOptions kubelet = options.kubelet;
  kubelet.feature_gates = options.apiserver.feature_gates;
  runner::AgentRunnerOptions agents = PL_TRY(RunnerOptionsOf(kubelet));
  apiserver::InstanceOptions instance = PL_TRY(InstanceOptionsOf(options.apiserver));
  SchedulerOptions scheduler = options.scheduler;
  scheduler.feature_gates = options.apiserver.feature_gates;
  const runner::SchedulerConfig config = PL_TRY(LoadSchedulerConfig(scheduler.config_path));
  runner::SchedulerRunnerOptions runner_options = PL_TRY(RunnerOptionsOf(config, scheduler));

  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.apiserver.feature_gates));
  const match::Rules rules = match::Rules::From(gates, &SharedEvaluator());

  const controller::ControllerSettings settings = PL_TRY(SettingsOf(options.controllers));
  EndSignals signals;
  ScaledClock clock(std::make_unique<RealClock>(), options.time_scale);
  MetricsRegistry metrics;
  runner::ControllerRunnerOptions controllers;
  controllers.controllers = PL_TRY(controller::MakeControllers(options.controllers.controllers,
                                                               {gates, rules, metrics, settings}));
  controllers.host = HostName();
  controllers.seed = UnpredictableSeed();
  controllers.calls_max = kLocalCallsMax;
  const std::unique_ptr<apiserver::Instance> server =
      PL_TRY(apiserver::Instance::Start(instance, clock, context.log, metrics));
  const client::Client scheduler_client = ClientFor(
      {.user = "system:kube-scheduler", .groups = {"system:authenticated"}}, *server, clock);
  // Controllers own objects of every kind, and one agent speaks for many nodes.
  const std::vector<std::string> masters = {"system:authenticated", "system:masters"};
  const client::Client controller_client =
      ClientFor({.user = "system:kube-controller-manager", .groups = masters}, *server, clock);
  const client::Client agent_client =
      ClientFor({.user = "plimsoll:kubelet", .groups = masters}, *server, clock);
  runner::SchedulerRunner placing(scheduler_client, std::move(runner_options), context.log,
                                  metrics);
  runner::ControllerRunner keeping(controller_client, std::move(controllers), context.log);
  runner::AgentRunner living(agent_client, std::move(agents), context.log, metrics);
  placing.Start();
  keeping.Start();
  living.Start();
  PL_LOG(context.log, Info(), "Serving securely", {"address", instance.address},
         {"port", server->port()}, {"kubeconfig", server->kubeconfig_path()});
  PL_TRY(CreateMissing(options.manifests, controller_client, context));
  if (options.apiserver.is_tour) PrintTour(*server, context.out);
  const int signal = signals.Wait();
  PL_LOG(context.log, Info(), "Shutting down", {"signal", signal});
  living.Stop();
  keeping.Stop();
  placing.Stop();
  server->Drain(std::chrono::seconds(options.apiserver.shutdown_seconds));
  return {};
}

}  // namespace

int RunUp(const UpOptions& options, Context& context) {
  const Status status = Serve(options, context);
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli
