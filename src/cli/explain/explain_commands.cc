#include "cli/explain/explain_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <ostream>

#include "base/real_clock.h"
#include "base/text/ascii.h"
#include "cli/explain/claim_explanation.h"
#include "cli/explain/device_explanation.h"
#include "cli/explain/node_explanation.h"
#include "cli/explain/workload_explanation.h"
#include "cli/flags/number_checks.h"
#include "cli/output/display_width.h"
#include "cli/output/failure.h"
#include "cli/output/progress.h"
#include "cli/output/tree_output.h"

namespace plimsoll::cli {
namespace {

void AddFileFlags(CLI::App& command, const SubjectKind& kind, ExplainOptions& options) {
  command
      .add_option("-f,--filename", options.files,
                  "File with the " + std::string(kind.word) +
                      " and other objects. If it or --nodes contains nodes, the command needs no "
                      "API server")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  command
      .add_option("--nodes", options.nodes,
                  "Nodes and the pods on them: manifests, or the output of `kubectl get nodes,pods "
                  "-A -o json`")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
}

void AddFormatFlag(CLI::App& command, ExplainOptions& options) {
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Wide, OutputFormat::Json, OutputFormat::Yaml,
                 OutputFormat::Name});
}

void AddNamespaceFlag(CLI::App& command, const SubjectKind& kind, ExplainOptions& options) {
  command
      .add_option("-n,--namespace", options.namespace_,
                  "Namespace of the " + std::string(kind.word) +
                      ". Without this flag the namespace of the kubeconfig's context")
      ->type_name("NAMESPACE");
}

void AddName(CLI::App& command, const SubjectKind& kind, ExplainOptions& options) {
  command
      .add_option("name", options.name,
                  "Name of the " + std::string(kind.word) + "; optional if files hold only one")
      ->type_name("NAME");
}

void AddPodFlags(CLI::App& command, const SubjectKind&, ExplainOptions& options) {
  AddExplainPodFlags(command, options);
}

void AddObjectFlags(CLI::App& command, const SubjectKind& kind, ExplainOptions& options) {
  AddName(command, kind, options);
  if (api::FindKind(kind.group, kind.version, kind.kind)->is_namespaced) {
    AddNamespaceFlag(command, kind, options);
  }
  AddFileFlags(command, kind, options);
  AddFormatFlag(command, options);
  AddExplainFlags(command, options);
}

void AddWorkloadFlags(CLI::App& command, const SubjectKind& kind, ExplainOptions& options) {
  AddObjectFlags(command, kind, options);
  if (kind.kind == "DaemonSet") return;
  RequireInteger(
      command
          .add_option("--replicas", options.replicas,
                      "Explain as if the " + std::string(kind.word) + " had this many replicas")
          ->default_str("")
          ->type_name("INT"),
      0, 10'000);
}

void AddDeviceFlags(CLI::App& command, const SubjectKind&, ExplainOptions& options) {
  command.add_option("name", options.name, "The device")
      ->required()
      ->type_name("DRIVER/POOL/DEVICE");
  command
      .add_option("-f,--filename", options.files,
                  "ResourceSlices, claims and rules. With it the command needs no API server")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  AddFormatFlag(command, options);
  AddExplainFlags(command, options);
}

template <class Explanation>
void Print(const Explanation& explanation, const ExplainOptions& options, Context& context) {
  if (IsTree(options.output)) {
    codec::Document document;
    WriteTree(ToTree(explanation, document), options.output, context.out);
  } else if (options.output == OutputFormat::Name) {
    for (const std::string& name : NamesIn(explanation)) context.out << Printable(name) << '\n';
  } else {
    const bool is_wide = options.output == OutputFormat::Wide;
    Write(ToText(explanation, is_wide), context.out_look, context.out);
  }
}

int RunPod(const SubjectKind&, const ExplainOptions& options, Context& context) {
  return RunExplainPod(options, context);
}

Result<bool> Workload(const SubjectKind& kind, const ExplainOptions& options, Context& context) {
  RealClock clock;
  const SubjectInput input = PL_TRY(ReadSubject(options, kind, clock, context));
  std::optional<std::size_t> replicas;
  if (options.replicas >= 0) replicas = static_cast<std::size_t>(options.replicas);
  Progress progress("Placing replicas", context);
  const WorkloadExplanation explanation = PL_TRY(ExplainWorkload(
      input.subject, kind.word, input.objects, replicas, PL_TRY(SchedulerOptionsOf(options)),
      clock.Now(), [&](std::size_t done, std::size_t total) { progress.Set(done, total); }));
  progress.Clear();
  Print(explanation, options, context);
  return explanation.fits();
}

Result<bool> Node(const SubjectKind& kind, const ExplainOptions& options, Context& context) {
  RealClock clock;
  const SubjectInput input = PL_TRY(ReadSubject(options, kind, clock, context));
  ClusterSnapshot cluster(PL_TRY(SchedulerOptionsOf(options)), input.objects, clock.Now());
  const ObjectPtr node = cluster.FindNode(input.subject->metadata().name);
  if (node == nullptr) return Fail(Reason::NotFound, "the node was deleted meanwhile");
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  Print(PL_TRY(ExplainNode(node, input.objects, cluster, gates, clock.Now())), options, context);
  return true;
}

Result<bool> Claim(const SubjectKind& kind, const ExplainOptions& options, Context& context) {
  RealClock clock;
  const SubjectInput input = PL_TRY(ReadSubject(options, kind, clock, context));
  ClusterSnapshot cluster(PL_TRY(SchedulerOptionsOf(options)), input.objects, clock.Now());
  const DeviceSnapshot devices(input.objects);
  const ClaimExplanation explanation = ExplainClaim(input.subject, devices, cluster, clock.Now());
  Print(explanation, options, context);
  return explanation.is_allocated || !explanation.possible.empty();
}

Result<bool> Device(const SubjectKind&, const ExplainOptions& options, Context& context) {
  RealClock clock;
  const std::vector<ObjectPtr> objects = PL_TRY(ReadClusterObjects(options, clock, context));
  const DeviceSnapshot devices(objects);
  const match::Rules rules = PL_TRY(SchedulerOptionsOf(options)).rules;
  Print(PL_TRY(ExplainDevice(options.name, devices, objects, rules)), options, context);
  return true;
}

/// Runs a command that returns true if its object is, or can be, where it should.
template <auto Explain>
int Run(const SubjectKind& kind, const ExplainOptions& options, Context& context) {
  const Result<bool> is_well = Explain(kind, options, context);
  if (!is_well) return ReportFailure(is_well.error(), context);
  return *is_well ? kExitOk : kExitFindings;
}

constexpr std::string_view kWorkloadPurpose =
    "Show where the pods of the workload run, why others wait, and how many more would fit";

constexpr auto kCommands = std::to_array<ExplainCommand>({
    {{"pod", "", "v1", "Pod"},
     "Show which nodes fit a pod according to the scheduler, and why the others do not",
     AddPodFlags,
     RunPod},
    {{"deployment", "apps", "v1", "Deployment"}, kWorkloadPurpose, AddWorkloadFlags, Run<Workload>},
    {{"replicaset", "apps", "v1", "ReplicaSet"}, kWorkloadPurpose, AddWorkloadFlags, Run<Workload>},
    {{"statefulset", "apps", "v1", "StatefulSet"},
     kWorkloadPurpose,
     AddWorkloadFlags,
     Run<Workload>},
    {{"daemonset", "apps", "v1", "DaemonSet"},
     "Show on which nodes the pods of a DaemonSet run, and why not on the others",
     AddWorkloadFlags,
     Run<Workload>},
    {{"job", "batch", "v1", "Job"}, kWorkloadPurpose, AddWorkloadFlags, Run<Workload>},
    {{"node", "", "v1", "Node"},
     "Show which pods tolerate a node's taints, which run on it, and which others could",
     AddObjectFlags,
     Run<Node>},
    {{"claim", "resource.k8s.io", "v1", "ResourceClaim"},
     "Show the devices of a ResourceClaim and their taints, or why it cannot be allocated",
     AddObjectFlags,
     Run<Claim>},
    {{"device", "", "", ""},
     "Show a device's attributes, its taints, and which claims tolerate or use it",
     AddDeviceFlags,
     Run<Device>},
});

/// Returns true if the word means the kind: `deploy`, `deployments`, `deployments.apps`.
bool Names(std::string_view word, const SubjectKind& kind) {
  if (kind.kind.empty()) return word == kind.word || word == "devices";
  const api::KindDesc& desc = *api::FindKind(kind.group, kind.version, kind.kind);
  const std::size_t dot = word.find('.');
  if (dot != std::string_view::npos) {
    const std::string_view group = word.substr(dot + 1);
    const bool is_its_group =
        group == kind.group ||
        (!kind.group.empty() && group == std::string(kind.version) + "." + std::string(kind.group));
    if (!is_its_group || kind.group.empty()) return false;
    word = word.substr(0, dot);
  }
  return word == kind.word || word == desc.plural || word == desc.singular ||
         (kind.word == "claim" && word == "claims") ||
         std::ranges::find(desc.short_names, word) != desc.short_names.end();
}

}  // namespace

std::span<const ExplainCommand> ExplainCommands() { return kCommands; }

std::vector<std::string> WithExplainedKind(std::vector<std::string> arguments) {
  const auto explain = std::ranges::find(arguments, "explain");
  if (explain == arguments.end() || explain + 1 == arguments.end()) return arguments;
  const auto at = explain + 1;
  const std::size_t slash = at->find('/');
  const std::string word = Lowered(std::string_view(*at).substr(0, slash));
  const auto* const found = std::ranges::find_if(
      kCommands, [&](const ExplainCommand& command) { return Names(word, command.kind); });
  if (found == kCommands.end()) return arguments;
  const std::string name = slash == std::string::npos ? "" : at->substr(slash + 1);
  *at = found->kind.word;
  if (slash != std::string::npos) arguments.insert(at + 1, name);
  return arguments;
}

}  // namespace plimsoll::cli
