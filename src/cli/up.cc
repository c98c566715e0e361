#include "cli/up.h"

#include <memory>
#include <ostream>
#include <utility>

#include "apiserver/server/instance.h"
#include "base/random.h"
#include "base/real_clock.h"
#include "cli/evaluator.h"
#include "cli/failure.h"
#include "cli/host.h"
#include "cli/signals.h"
#include "client/client.h"
#include "controller/registry.h"
#include "net/client.h"
#include "runner/controller_runner.h"
#include "runner/scheduler_runner.h"

namespace plimsoll::cli {
namespace {

void PrintTour(const apiserver::Instance& server, std::ostream& out) {
  out << "Plimsoll runs on https://127.0.0.1:" << server.port()
      << ": API server, scheduler and controllers in one process.\n\n"
      << "  export KUBECONFIG=" << server.kubeconfig_path() << "\n\n"
      << "Then try:\n"
         "  kubectl create namespace shop\n"
         "  kubectl apply -f examples/tour/\n"
         "  kubectl taint nodes --all node.kubernetes.io/not-ready-   # no node agent says so yet\n"
         "  kubectl get pods -n shop -o wide           # it went where its line is kept\n"
         "  kubectl delete pod -n shop checkout\n"
         "  kubectl taint nodes ondemand-1 example.com/sla=900:NoSchedule --overwrite\n"
         "  kubectl apply -f examples/tour/pod.yaml && kubectl get events -n shop\n\n"
      << "Ctrl-C stops it; the data stays, and the next start finds it.\n"
      << std::flush;
}

client::Client ClientFor(net::LocalIdentity who, apiserver::Instance& server, Clock& clock) {
  client::ClientOptions options;
  options.user_agent = who.user;
  return client::Client(net::ConnectLocally(server.handler(), std::move(who)), clock, options);
}

Status Serve(const UpOptions& options, Context& context) {
  apiserver::InstanceOptions instance = PL_TRY(InstanceOptionsOf(options.apiserver));
  SchedulerOptions scheduler = options.scheduler;
  scheduler.feature_gates = options.apiserver.feature_gates;
  const runner::SchedulerConfig config = PL_TRY(LoadSchedulerConfig(scheduler.config_path));
  runner::SchedulerRunnerOptions runner_options = PL_TRY(RunnerOptionsOf(config, scheduler));

  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.apiserver.feature_gates));
  const match::Rules rules = match::Rules::From(gates, &SharedEvaluator());

  EndSignals signals;
  RealClock clock;
  MetricsRegistry metrics;
  runner::ControllerRunnerOptions controllers;
  controllers.controllers =
      PL_TRY(controller::MakeControllers(options.controllers, {gates, rules, metrics}));
  controllers.host = HostName();
  controllers.seed = UnpredictableSeed();
  const std::unique_ptr<apiserver::Instance> server =
      PL_TRY(apiserver::Instance::Start(instance, clock, context.log, metrics));
  const client::Client scheduler_client = ClientFor(
      {.user = "system:kube-scheduler", .groups = {"system:authenticated"}}, *server, clock);
  // Controllers own objects of every kind.
  const client::Client controller_client =
      ClientFor({.user = "system:kube-controller-manager",
                 .groups = {"system:authenticated", "system:masters"}},
                *server, clock);
  runner::SchedulerRunner placing(scheduler_client, std::move(runner_options), context.log,
                                  metrics);
  runner::ControllerRunner keeping(controller_client, std::move(controllers), context.log);
  placing.Start();
  keeping.Start();
  PL_LOG(context.log, Info(), "Serving securely", {"address", instance.address},
         {"port", server->port()}, {"kubeconfig", server->kubeconfig_path()});
  if (options.apiserver.is_tour) PrintTour(*server, context.out);
  const int signal = signals.Wait();
  PL_LOG(context.log, Info(), "Shutting down", {"signal", signal});
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
