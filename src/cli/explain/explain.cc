#include "cli/explain/explain.h"

#include <CLI/CLI.hpp>
#include <ostream>
#include <utility>

#include "api/core/pod_phase.h"
#include "base/real_clock.h"
#include "base/suggest.h"
#include "cli/components/scheduler.h"
#include "cli/explain/pod_explanation.h"
#include "cli/explain/read_cluster.h"
#include "cli/flags/common_flags.h"
#include "cli/output/display_width.h"
#include "cli/output/failure.h"
#include "cli/output/tree_output.h"
#include "controller/taint_eviction/arrival.h"
#include "service/expression_evaluators.h"

namespace plimsoll::cli {
namespace {

Status CheckNode(const ClusterSnapshot& cluster, const std::string& name) {
  if (name.empty() || cluster.FindNode(name) != nullptr) return {};
  std::string message = "no node \"" + name + "\"";
  const std::vector<std::string> names = cluster.NodeNames();
  if (const auto nearest = Nearest(name, names)) message += "; did you mean " + *nearest + "?";
  return FailAt(Reason::NotFound, "--node", std::move(message));
}

std::string TextOrEmpty(Instant time) {
  return time.time_since_epoch() <= Duration::zero() ? std::string() : FormatTime(time);
}

Result<Binding> Bound(const ObjectPtr& pod, const ExplainOptions& options, ClusterSnapshot& cluster,
                      Instant now) {
  Binding bound;
  bound.node = pod->As<api::Pod>()->spec.node_name;
  bound.since = TextOrEmpty(controller::ArrivalOf(*pod));
  const ObjectPtr node = cluster.FindNode(bound.node);
  if (node == nullptr) return bound;
  bound.verdicts = std::move(JudgeNodes(cluster, bound.node).front());
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  bound.eviction = FindEviction(pod, node, gates, cluster.cluster().rules(), now);
  return bound;
}

Result<PodExplanation> ExplainPod(const ExplainInput& input, const ExplainOptions& options,
                                  Instant now) {
  ClusterSnapshot cluster(PL_TRY(SchedulerOptionsOf(options)), input.objects, now);
  PL_TRY(CheckNode(cluster, options.node));
  const api::Pod& pod = *input.pod->As<api::Pod>();
  PodExplanation explanation;
  explanation.pod = input.pod;
  explanation.profile = cluster.ProfileOf(pod);
  explanation.is_terminal = IsPodTerminal(pod);
  if (explanation.is_terminal) return explanation;
  explanation.names_other_scheduler =
      !pod.spec.scheduler_name.empty() && explanation.profile != pod.spec.scheduler_name;
  explanation.is_terminating = !pod.metadata.deletion_timestamp.empty();
  PL_TRY(cluster.AddPendingPod(*input.pod));
  explanation.placement = ExplainPlacement(cluster);
  if (!pod.spec.node_name.empty()) {
    explanation.bound = PL_TRY(Bound(input.pod, options, cluster, now));
  }
  if (options.node.empty() && !options.all_nodes) return explanation;
  for (NodeVerdicts& verdicts : JudgeNodes(cluster, options.all_nodes ? "" : options.node)) {
    const ObjectPtr node = cluster.FindNode(verdicts.node);
    explanation.nodes.push_back(
        {std::move(verdicts),
         match::Diagnose(pod.spec, *node->As<api::Node>(), cluster.cluster().rules())});
  }
  return explanation;
}

bool IsAccepted(const PodExplanation& explanation) {
  if (explanation.is_terminal) return true;
  if (explanation.bound)
    return explanation.bound->verdicts && explanation.bound->verdicts->accepts();
  return !explanation.placement.fits.empty();
}

void Print(const PodExplanation& explanation, OutputFormat format, Context& context) {
  if (IsTree(format)) {
    codec::Document document;
    WriteTree(ToTree(explanation, document), format, context.out);
  } else if (format == OutputFormat::Name) {
    for (const NodeScore& fit : explanation.placement.fits) {
      context.out << "node/" << Printable(fit.node) << '\n';
    }
  } else {
    Write(ToText(explanation, format == OutputFormat::Wide), context.out_look, context.out);
  }
}

}  // namespace

Result<scheduler::SchedulerOptions> SchedulerOptionsOf(const ExplainOptions& options) {
  SchedulerOptions flags;
  flags.feature_gates = options.feature_gates;
  const runner::SchedulerConfig config = PL_TRY(LoadSchedulerConfig(options.config_path));
  scheduler::SchedulerOptions out = PL_TRY(RunnerOptionsOf(config, flags)).scheduler;
  out.stopwatch = nullptr;
  return out;
}

void AddExplainFlags(CLI::App& command, ExplainOptions& options) {
  AddServerFlags(command, options.kubeconfig, options.kube_context);
  command
      .add_option("--scheduler-config", options.config_path,
                  "KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) of the scheduler")
      ->type_name("FILE");
  AddFeatureGatesFlag(command, options.feature_gates);
}

void AddExplainPodFlags(CLI::App& command, ExplainOptions& options) {
  command
      .add_option("name", options.name,
                  "Name of the pod; not needed if the files of -f contain only one pod")
      ->type_name("POD");
  command
      .add_option(
          "-n,--namespace", options.namespace_,
          "Namespace of the pod. Without this flag the namespace of the kubeconfig's context")
      ->type_name("NAMESPACE");
  command
      .add_option(
          "-f,--filename", options.files,
          "Manifests of the pod, or of a workload that creates it, and of other objects. If "
          "they or --nodes contain nodes, the command needs no API server")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  command
      .add_option("--nodes", options.nodes,
                  "Manifests of nodes and of the pods on them, or the output of `kubectl get "
                  "nodes,pods -A -o json`")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  command
      .add_option("--node", options.node, "Show every reason for which this node refuses the pod")
      ->type_name("NODE");
  command.add_flag("--all-nodes", options.all_nodes,
                   "Show every reason for which each node refuses the pod");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Wide, OutputFormat::Json, OutputFormat::Yaml,
                 OutputFormat::Name});
  AddExplainFlags(command, options);
}

int RunExplainPod(const ExplainOptions& options, Context& context) {
  RealClock clock;
  const Result<ExplainInput> input = ReadExplainInput(options, clock, context);
  if (!input) return ReportFailure(input.error(), context);
  const Result<PodExplanation> explanation = ExplainPod(*input, options, clock.Now());
  if (!explanation) return ReportFailure(explanation.error(), context);
  Print(*explanation, options.output, context);
  return IsAccepted(*explanation) ? kExitOk : kExitFindings;
}

}  // namespace plimsoll::cli
