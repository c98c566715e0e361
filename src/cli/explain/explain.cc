#include "cli/explain/explain.h"

#include <CLI/CLI.hpp>
#include <ostream>
#include <utility>

#include "base/real_clock.h"
#include "base/suggest.h"
#include "cli/components/scheduler.h"
#include "cli/explain/pod_answer.h"
#include "cli/explain/read_cluster.h"
#include "cli/flags/common_flags.h"
#include "controller/taint_eviction/arrival.h"
#include "service/expression_evaluators.h"

namespace plimsoll::cli {
namespace {

Result<scheduler::SchedulerOptions> OptionsOf(const ExplainOptions& options) {
  SchedulerOptions flags;
  flags.feature_gates = options.feature_gates;
  const runner::SchedulerConfig config = PL_TRY(LoadSchedulerConfig(options.config_path));
  scheduler::SchedulerOptions out = PL_TRY(RunnerOptionsOf(config, flags)).scheduler;
  out.stopwatch = nullptr;
  return out;
}

Status CheckNode(const ExplainCluster& cluster, const std::string& name) {
  if (name.empty() || cluster.FindNode(name) != nullptr) return {};
  std::string message = "no node \"" + name + "\"";
  const std::vector<std::string> names = cluster.NodeNames();
  if (const auto nearest = Nearest(name, names)) message += "; did you mean " + *nearest + "?";
  return FailAt(Reason::NotFound, "--node", std::move(message));
}

std::string TimeOrNothing(Instant time) {
  return time.time_since_epoch() <= Duration::zero() ? std::string() : FormatTime(time);
}

Result<BoundTo> Bound(const ObjectPtr& pod, const ExplainOptions& options, ExplainCluster& cluster,
                      Instant now) {
  BoundTo bound;
  bound.node = pod->As<api::Pod>()->spec.node_name;
  bound.since = TimeOrNothing(controller::ArrivalOf(*pod));
  const ObjectPtr node = cluster.FindNode(bound.node);
  if (node == nullptr) return bound;
  bound.again = std::move(AskNodes(cluster, bound.node).front());
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  bound.leaves = FindEviction(pod, node, gates, cluster.cluster().rules(), now);
  return bound;
}

bool IsDone(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

Result<PodAnswer> AnswerTo(const ExplainQuestion& question, const ExplainOptions& options,
                           Instant now) {
  ExplainCluster cluster(PL_TRY(OptionsOf(options)), question.objects, now);
  PL_TRY(CheckNode(cluster, options.node));
  const api::Pod& pod = *question.pod->As<api::Pod>();
  PodAnswer answer;
  answer.pod = question.pod;
  answer.profile = cluster.ProfileOf(pod);
  answer.is_done = IsDone(pod);
  if (answer.is_done) return answer;
  answer.is_foreign = !pod.spec.scheduler_name.empty() && answer.profile != pod.spec.scheduler_name;
  answer.is_terminating = !pod.metadata.deletion_timestamp.empty();
  PL_TRY(cluster.Await(*question.pod));
  answer.placement = Explain(cluster);
  if (!pod.spec.node_name.empty()) {
    answer.bound = PL_TRY(Bound(question.pod, options, cluster, now));
  }
  if (options.node.empty() && !options.all_nodes) return answer;
  for (NodeVerdicts& opinion : AskNodes(cluster, options.all_nodes ? "" : options.node)) {
    const ObjectPtr node = cluster.FindNode(opinion.node);
    answer.nodes.push_back({std::move(opinion), match::Diagnose(pod.spec, *node->As<api::Node>(),
                                                                cluster.cluster().rules())});
  }
  return answer;
}

/// Like `match`, uses another exit code for failures than for a negative answer.
int Complain(const Error& error, Context& context) {
  context.err << "error: " << error.Text() << '\n';
  return kExitUsage;
}

bool IsGood(const PodAnswer& answer) {
  if (answer.is_done) return true;
  if (answer.bound) return answer.bound->again && answer.bound->again->accepts();
  return !answer.placement.fits.empty();
}

}  // namespace

void AddExplainPodFlags(CLI::App& command, ExplainOptions& options) {
  command.add_option("name", options.name, "The pod; not needed where files hold just one")
      ->type_name("NAME");
  command.add_option("-n,--namespace", options.namespace_,
                     "Of the pod; otherwise that of the kubeconfig's context");
  command
      .add_option("-f,--filename", options.files,
                  "The pod, or a workload that makes it, and whatever else there is: with nodes "
                  "among it, or --nodes, no server is asked")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  command
      .add_option("--nodes", options.nodes,
                  "Nodes, and pods on them; `kubectl get nodes,pods -A -o json` output will do")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  command.add_option("--node", options.node, "All that this node says")->type_name("NAME");
  command.add_flag("--all-nodes", options.all_nodes, "All that each node says");
  command.add_option("-o,--output", options.output, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  AddKubeconfigFlag(command, options.kubeconfig);
  command
      .add_option("--scheduler-config", options.config_path,
                  "What the scheduler is configured with (KubeSchedulerConfiguration)")
      ->type_name("FILE");
  AddFeatureGatesFlag(command, options.feature_gates);
}

int RunExplainPod(const ExplainOptions& options, Context& context) {
  RealClock clock;
  const Result<ExplainQuestion> question = AskFor(options, clock, context);
  if (!question) return Complain(question.error(), context);
  const Result<PodAnswer> answer = AnswerTo(*question, options, clock.Now());
  if (!answer) return Complain(answer.error(), context);
  context.out << (options.output == "json" ? ToJson(*answer) : ToText(*answer));
  return IsGood(*answer) ? kExitOk : kExitFindings;
}

}  // namespace plimsoll::cli
