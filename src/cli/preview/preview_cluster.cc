#include "cli/preview/preview_cluster.h"

#include <CLI/CLI.hpp>
#include <istream>
#include <ostream>
#include <utility>

#include "base/text/ascii.h"
#include "cli/explain/cluster_reader.h"
#include "cli/explain/explain.h"
#include "cli/flags/common_flags.h"
#include "cli/manifest/manifest_files.h"
#include "cli/tolerations/placement_objects.h"

namespace plimsoll::cli {
namespace {

/// Returns the object with a uid. Objects of files have none, but controllers tell pods by it.
Result<ObjectPtr> WithUid(const ObjectPtr& object) {
  if (!object->metadata().uid.empty()) return object;
  const auto document = std::make_shared<codec::Document>();
  document->root() = document->Clone(object->tree());
  codec::Value* const metadata = document->root().Find("metadata");
  if (metadata == nullptr) return object;
  document->Set(*metadata, "uid", document->NewString("file-" + FullName(*object)));
  auto decoded = api::DecodeObject(
      document, {.tree = &document->root(), .path = {}, .implied_kind = &object->kind()},
      {.field_validation = api::FieldValidation::Ignore, .apply_defaults = false});
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  return std::move(decoded->object);
}

bool IsPolicy(const api::Object& object) {
  return object.kind().group == "plimsoll.io" && object.kind().kind == "EvictionPolicy";
}

Status ReadFiles(const PreviewOptions& options, PreviewCluster& cluster, Context& context) {
  for (const Manifest& manifest :
       PL_TRY(ReadValidManifests(options.files, {.create_in = "default"}, context))) {
    auto& list = IsPolicy(*manifest.object) ? cluster.policies : cluster.objects;
    list.push_back(PL_TRY(WithUid(manifest.object)));
  }
  return {};
}

Status ReadServer(const PreviewOptions& options, PreviewCluster& cluster, Clock& clock) {
  const ClusterReader server =
      PL_TRY(ClusterReader::Connect(options.kubeconfig, options.kube_context, clock));
  cluster.objects = PL_TRY(server.ListAll());
  // A user who may taint nodes need not have the right to read policies.
  auto policies = server.List({"plimsoll.io", "v1alpha1", "EvictionPolicy"}, {});
  if (policies) {
    cluster.policies = *std::move(policies);
  } else {
    cluster.policies_unread = "Eviction policies are not considered: " + policies.error().message;
  }
  return {};
}

}  // namespace

void AddPreviewFlags(CLI::App& command, PreviewOptions& options) {
  command.add_flag("--preview", options.is_preview,
                   "Change nothing; show which pods go and when, which stay and why, which "
                   "disruption budgets that violates, and where replacements would run");
  command.add_flag("-y,--yes", options.is_confirmed, "Do not ask before the change");
  command
      .add_option("--cluster", options.files,
                  "Manifests of nodes, pods and other objects, for a preview without an API server")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Wide, OutputFormat::Json, OutputFormat::Yaml});
  AddServerFlags(command, options.kubeconfig, options.kube_context);
  AddFeatureGatesFlag(command, options.feature_gates);
}

Status CheckPreviewOptions(const PreviewOptions& options) {
  if (options.is_preview && options.is_confirmed) {
    return FailAt(Reason::Invalid, "--yes", "there is nothing to confirm with --preview");
  }
  if (!options.files.empty() && !options.is_preview) {
    return FailAt(Reason::Invalid, "--cluster", "files cannot be changed: add --preview");
  }
  if (IsTree(options.output) && !options.is_preview && !options.is_confirmed) {
    return FailAt(Reason::Invalid, "-o",
                  std::string(ToText(options.output)) +
                      " leaves no place for a question: add "
                      "--preview or --yes");
  }
  return {};
}

Result<PreviewCluster> ReadPreviewCluster(const PreviewOptions& options, Clock& clock,
                                          Context& context) {
  PreviewCluster cluster;
  PL_TRY(cluster.gates.Apply(options.feature_gates));
  cluster.rules = PL_TRY(RulesOf(options.feature_gates));
  ExplainOptions explain;
  explain.feature_gates = options.feature_gates;
  cluster.scheduler = PL_TRY(SchedulerOptionsOf(explain));
  PL_TRY(options.files.empty() ? ReadServer(options, cluster, clock)
                               : ReadFiles(options, cluster, context));
  cluster.now = clock.Now();
  return cluster;
}

Result<std::vector<ObjectPtr>> SelectNodes(const PreviewCluster& cluster,
                                           const std::vector<std::string>& names,
                                           const std::string& selector) {
  if (names.empty() && selector.empty()) {
    return Fail(Reason::Invalid, "which nodes? Name them, or select them with -l");
  }
  std::vector<ObjectPtr> nodes;
  for (const ObjectPtr& object : cluster.objects) {
    if (object->As<api::Node>() != nullptr) nodes.push_back(object);
  }
  nodes = PL_TRY(SelectObjects(nodes, names, selector, "node"));
  if (nodes.empty()) return Fail(Reason::NotFound, "no node has labels that match " + selector);
  return nodes;
}

Result<bool> Confirm(const std::string& question, bool is_confirmed, Context& context) {
  if (is_confirmed) return true;
  if (!context.in_is_terminal) {
    return Fail(
        Reason::Invalid,
        "cannot ask for confirmation, because standard input is not a terminal. Nothing was "
        "changed. Add --yes to confirm, or --preview to only look");
  }
  context.err << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(context.in, answer);
  const std::string word = Lowered(answer);
  if (word == "y" || word == "yes") return true;
  context.err << "Nothing was changed.\n";
  return false;
}

}  // namespace plimsoll::cli
