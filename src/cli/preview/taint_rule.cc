#include "cli/preview/taint_rule.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "api/plimsoll/node_taint_rule.h"
#include "api/selector/selector.h"
#include "base/real_clock.h"
#include "cli/connect.h"
#include "cli/devices/taint_device.h"
#include "cli/devices/taint_rule_writer.h"
#include "cli/explain/text_lines.h"
#include "cli/manifest/manifest_files.h"
#include "cli/output/failure.h"
#include "cli/output/tree_output.h"
#include "cli/preview/impact_output.h"
#include "cli/preview/node_change.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kFieldManager = "plimsoll";

bool IsNodeRule(const api::Object& object) { return object.As<api::NodeTaintRule>() != nullptr; }
bool IsDeviceRule(const api::Object& object) {
  return object.kind().group == "resource.k8s.io" && object.kind().kind == "DeviceTaintRule";
}

/// Returns the names of the nodes that the rule selects.
Result<std::vector<std::string>> NodesOfRule(const api::NodeTaintRule& rule,
                                             const PreviewCluster& cluster) {
  std::vector<std::string> names;
  if (!rule.spec.nodes) return names;
  const api::NodeTaintRuleNodes& wanted = *rule.spec.nodes;
  if (!wanted.cel.empty()) {
    return FailAt(Reason::Invalid, "spec.nodes.cel",
                  "the command does not evaluate it; preview the taint with: plimsoll taint node "
                  "NODE... " +
                      std::string(rule.spec.taint.key) + "=VALUE:NoExecute --preview");
  }
  const api::Selector selector = PL_TRY(api::Selector::FromObject(&wanted));
  for (const ObjectPtr& object : cluster.objects) {
    if (object->As<api::Node>() == nullptr || !selector.Matches(object->metadata().labels))
      continue;
    const std::string_view name = object->metadata().name;
    const bool is_named =
        wanted.names.empty() || std::ranges::find(wanted.names, name) != wanted.names.end();
    if (is_named) names.emplace_back(name);
  }
  return names;
}

std::optional<std::string> AnnotationOf(const api::Object& node, std::string_view name) {
  const codec::Value* const metadata = node.tree().Find("metadata");
  const codec::Value* const all = metadata == nullptr ? nullptr : metadata->Find("annotations");
  const codec::Value* const found = all == nullptr ? nullptr : all->Find(name);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return std::string(found->text());
}

Result<std::vector<ObjectPtr>> ReadRules(const TaintRuleOptions& options, Context& context) {
  std::vector<ObjectPtr> rules;
  for (const Manifest& manifest : PL_TRY(ReadValidManifests(options.rules, {}, context))) {
    const ObjectPtr& object = manifest.object;
    if (!IsNodeRule(*object) && !IsDeviceRule(*object)) {
      return FailAt(Reason::Invalid, "-f",
                    "want NodeTaintRules and DeviceTaintRules, got " + ResourceName(*object));
    }
    if (IsDeviceRule(*object) && options.is_removal) {
      return FailAt(Reason::Invalid, "--remove",
                    "is for NodeTaintRules; remove a DeviceTaintRule with: plimsoll taint device "
                    "--name " +
                        std::string(object->metadata().name) + " KEY-");
    }
    rules.push_back(object);
  }
  if (rules.empty()) return FailAt(Reason::Invalid, "-f", "the files hold no rule");
  return rules;
}

Status ShowNodeRule(const api::Object& rule, const PreviewCluster& cluster,
                    const TaintRuleOptions& options, Context& context) {
  const NodesChange change = PL_TRY(ChangeOfRule(rule, cluster, options.value, options.is_removal));
  std::vector<NodeChange> changes;
  for (const ObjectPtr& object : cluster.objects) {
    const bool is_selected =
        object->As<api::Node>() != nullptr &&
        std::ranges::find(change.names, object->metadata().name) != change.names.end();
    if (is_selected) changes.push_back({object, PL_TRY(change.change(object))});
  }
  const NodeImpact impact = PL_TRY(ImpactOfNodes(cluster, changes, change.taint_keys));
  if (IsTree(options.preview.output)) {
    codec::Document document;
    WriteTree(ImpactTree(impact, document), options.preview.output, context.out);
    return {};
  }
  PrintImpact({.change = change.title + " " + NodesText(impact.nodes),
               .unread_note = cluster.policies_unread},
              impact, options.preview.output, context);
  return {};
}

Status Show(const std::vector<ObjectPtr>& rules, const TaintRuleOptions& options, Clock& clock,
            Context& context) {
  if (std::ranges::any_of(rules, [](const ObjectPtr& rule) { return IsNodeRule(*rule); })) {
    const PreviewCluster cluster = PL_TRY(ReadPreviewCluster(options.preview, clock, context));
    for (const ObjectPtr& rule : rules) {
      if (IsNodeRule(*rule)) PL_TRY(ShowNodeRule(*rule, cluster, options, context));
    }
  }
  for (const ObjectPtr& rule : rules) {
    if (IsNodeRule(*rule)) continue;
    if (!options.preview.files.empty()) {
      return FailAt(Reason::Invalid, "--cluster",
                    "a DeviceTaintRule can be previewed only with an API server");
    }
    const auto client =
        PL_TRY(ConnectForUser(options.preview.kubeconfig, options.preview.kube_context, clock));
    PL_TRY(PreviewDeviceTaintRule(*rule, *client, options.preview.output, context));
  }
  return {};
}

Status WriteRule(const api::Object& rule, bool is_removal, const client::Client& client) {
  const client::Resource resource{rule.kind(), {}, rule.metadata().name};
  if (is_removal) return api::StatusOf(client.Delete(resource));
  if (IsDeviceRule(rule)) PL_TRY(CheckRuleFields(client, rule));
  client::PatchOptions options;
  options.type = client::PatchType::Apply;
  options.field_manager = kFieldManager;
  options.field_validation = "Strict";
  return api::StatusOf(client.Patch(resource, rule, options));
}

Result<bool> ApplyRules(const TaintRuleOptions& options, Context& context) {
  PL_TRY(CheckPreviewOptions(options.preview));
  RealClock clock;
  const std::vector<ObjectPtr> rules = PL_TRY(ReadRules(options, context));
  const bool is_tree = IsTree(options.preview.output);
  if (options.preview.is_preview || !is_tree) PL_TRY(Show(rules, options, clock, context));
  if (options.preview.is_preview) {
    if (!is_tree) context.out << "Nothing was changed.\n";
    return true;
  }
  context.out << std::flush;
  const std::string question =
      (options.is_removal ? "Delete " : "Apply ") + CountText(rules.size(), "rule") + "?";
  if (!PL_TRY(Confirm(question, options.preview.is_confirmed, context))) return false;
  const auto client =
      PL_TRY(ConnectForUser(options.preview.kubeconfig, options.preview.kube_context, clock));
  for (const ObjectPtr& rule : rules) {
    PL_TRY(WriteRule(*rule, options.is_removal, *client));
    if (!is_tree) {
      context.out << ResourceName(*rule) << (options.is_removal ? " deleted\n" : " applied\n");
    }
  }
  return true;
}

}  // namespace

Result<NodesChange> ChangeOfRule(const api::Object& rule, const PreviewCluster& cluster,
                                 const std::optional<std::string>& value, bool is_removal) {
  const api::NodeTaintRule& its = *rule.As<api::NodeTaintRule>();
  const api::NodeTaintValue& source = its.spec.value;
  if (!is_removal && !value && !source.constant && source.annotation.empty()) {
    return FailAt(Reason::Invalid, "spec.value",
                  "the command does not ask the rule's source; name the value to preview with "
                  "--value");
  }
  NodesChange change;
  change.names = PL_TRY(NodesOfRule(its, cluster));
  change.taint_keys.emplace_back(its.spec.taint.key);
  // Effect None taints nothing: the preview shows what NoExecute would do.
  TaintEdit edit{
      std::string(its.spec.taint.key), {}, std::string(its.spec.taint.effect), is_removal};
  if (edit.effect == "None") edit.effect = "NoExecute";
  change.title = std::string(is_removal ? "Delete" : "Apply") + " NodeTaintRule " +
                 std::string(its.metadata.name) + ", which taints " + edit.key + ":" + edit.effect;
  // Copies: the change outlives the rule.
  std::optional<std::string> constant;
  if (source.constant) constant.emplace(*source.constant);
  change.change = [edit, value, constant,
                   annotation = std::string(source.annotation)](const ObjectPtr& node) {
    TaintEdit its_edit = edit;
    if (!edit.is_removal) {
      std::optional<std::string> found = value;
      if (!found) found = constant;
      if (!found) found = AnnotationOf(*node, annotation);
      if (!found) return Result<ObjectPtr>(node);
      its_edit.value = *found;
    }
    return WithTaints(node, std::span(&its_edit, 1));
  };
  return change;
}

void AddTaintRuleFlags(CLI::App& command, TaintRuleOptions& options) {
  command
      .add_option("-f,--filename", options.rules, "Files with NodeTaintRules or DeviceTaintRules")
      ->required()
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  command
      .add_option("--value", options.value,
                  "Value of the taint to preview, for a rule that takes it from Prometheus, an "
                  "expression or a file")
      ->type_name("VALUE");
  command.add_flag("--remove", options.is_removal,
                   "Delete the rules, and so their taints, instead of applying them");
  AddPreviewFlags(command, options.preview);
}

int RunTaintRule(const TaintRuleOptions& options, Context& context) {
  return ReportChange(ApplyRules(options, context), context);
}

}  // namespace plimsoll::cli
