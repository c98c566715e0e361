#include "cli/components/kubelet.h"

#include <memory>
#include <utility>

#include "agent/simulated/simulated_runtime.h"
#include "api/meta/own_annotation.h"
#include "apiserver/server/version.h"
#include "base/file.h"
#include "base/random.h"
#include "base/real_clock.h"
#include "cli/components/component_metrics.h"
#include "cli/flags/duration_flag.h"
#include "cli/output/failure.h"
#include "runner/node_template.h"
#include "service/component.h"
#include "service/connect.h"
#include "service/expression_evaluators.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kUserAgent = "plimsoll-kubelet";
constexpr std::string_view kNoServer =
    "no server to talk to: name its kubeconfig with --kubeconfig or $KUBECONFIG";

Result<service::EndReason> Serve(const KubeletOptions& options, Context& context) {
  runner::AgentRunnerOptions runner_options = PL_TRY(RunnerOptionsOf(options, context.log));
  runner_options.is_remote = true;
  service::ShutdownSignals signals;
  RealClock clock;
  ComponentMetrics metrics;
  const service::ExpressionCacheMetrics cache_metrics(metrics.registry(),
                                                      service::ExpressionUser::Kubelet);
  const std::unique_ptr<client::Client> client =
      PL_TRY(service::Connect(options.kubeconfig, {.user_agent = std::string(kUserAgent)},
                              kNoServer, clock, &metrics.requests()));
  const auto runner =
      runner::MakeAgentRunner(*client, std::move(runner_options), context.log, metrics.registry());
  // No other process manages these nodes, so there is no leader election.
  return service::RunComponent(
      service::ComponentOf(*runner, "kubelet", options.serving, options.kubeconfig), std::nullopt,
      {}, {signals, clock, metrics.registry(), context.log});
}

}  // namespace

Result<runner::AgentRunnerOptions> RunnerOptionsOf(const KubeletOptions& options, Logger& log) {
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  runner::NodeTemplate from;
  from.text = options.node_template.empty() ? options.node_template_text
                                            : PL_TRY(ReadFile(options.node_template));
  if (from.text.contains(api::kDeprecatedAnnotationPrefix)) {
    PL_LOG(log, Warning(), "The node template has annotations with a deprecated prefix",
           {"prefix", api::kDeprecatedAnnotationPrefix}, {"use", api::kOwnAnnotationPrefix});
  }
  from.count = options.nodes;
  from.first = options.first_node;
  from.version = apiserver::kKubernetesVersion;
  from.runtime = agent::SimulatedRuntime().Version();
  agent::NodeAgentOptions agent{
      .nodes = PL_TRY(runner::MakeNodes(from)),
      .adopts = options.adopts,
      .adopted_status = runner::DefaultNodeStatus(from),
      .rules = match::Rules::From(gates, &service::EvaluatorOf(service::ExpressionUser::Kubelet)),
      .node_addresses = PL_TRY(agent::AddressPool::Parse(options.node_cidr)),
      .pod_addresses = PL_TRY(agent::AddressPool::Parse(options.pod_cidr)),
      .lease_renewal = PL_TRY(ParseDurationFlag("--lease-renewal", options.lease_renewal)),
      .events_per_second = options.event_qps,
      .events_at_once = options.event_burst};
  agent.lease_duration = 4 * agent.lease_renewal;
  return runner::AgentRunnerOptions{
      .agent = std::move(agent),
      .plan = {.job_run_time = PL_TRY(ParseDurationFlag("--job-run-time", options.job_run_time))},
      .seed = UnpredictableSeed()};
}

int RunKubelet(const KubeletOptions& options, Context& context) {
  return ReportEnd(Serve(options, context), context);
}

}  // namespace plimsoll::cli
