#include "cli/preview/change_nodes.h"

#include <memory>
#include <ostream>

#include "base/real_clock.h"
#include "cli/connect.h"
#include "cli/explain/text_lines.h"
#include "cli/output/failure.h"
#include "cli/output/json_fields.h"
#include "cli/output/tree_output.h"
#include "cli/preview/impact_output.h"
#include "codec/json.h"

namespace plimsoll::cli {
namespace {

/// Result of a change of a node.
struct NodeAction {
  std::string node;
  std::string action;
};

void PrintActions(const std::vector<NodeAction>& actions, OutputFormat format, Context& context) {
  if (!IsTree(format)) {
    for (const auto& [node, action] : actions)
      context.out << "node/" << node << ' ' << action << '\n';
    return;
  }
  codec::Document document;
  codec::Value root = document.NewObject();
  SetList(document, root, "nodes", actions, [&](const NodeAction& one) {
    codec::Value tree = document.NewObject();
    SetText(document, tree, "name", one.node);
    SetText(document, tree, "action", one.action);
    return tree;
  });
  WriteTree(root, format, context.out);
}

/// Adds to an error which nodes were changed before it.
Error WithActions(Error error, const std::vector<NodeAction>& actions) {
  for (const auto& [node, action] : actions)
    error.message += "; " + node + " was " + action + " before";
  return error;
}

/// Applies the rule. The node taint rule controller then taints the nodes.
Status WriteRule(const std::string& json, const client::Client& client, OutputFormat format,
                 Context& context) {
  const std::shared_ptr<codec::Document> document = PL_TRY(codec::ParseJson(json));
  const ObjectPtr rule = PL_TRY(api::DecodeObject(document)).object;
  client::PatchOptions options;
  options.type = client::PatchType::Apply;
  options.field_manager = "plimsoll";
  options.field_validation = "Strict";
  const auto answer = client.Patch({rule->kind(), {}, rule->metadata().name}, json, options);
  if (!answer && answer.error().code == 404) {
    return Fail(Reason::NotFound,
                "the server serves no NodeTaintRules, which make taints end: leave out --for");
  }
  PL_TRY(api::StatusOf(answer));
  if (!IsTree(format)) {
    context.out << ResourceName(*rule) << " applied\n";
    return {};
  }
  WriteTree(rule->tree(), format, context.out);
  return {};
}

Status Write(const std::vector<ObjectPtr>& nodes, const NodesChange& change,
             const client::Client& client, OutputFormat format, Context& context) {
  std::vector<NodeAction> actions;
  for (const ObjectPtr& node : nodes) {
    const auto written = WriteNode(client, node, change.change, change.field_manager);
    if (!written) return std::unexpected(WithActions(written.error(), actions));
    actions.push_back({std::string(node->metadata().name), *written ? change.done : "unchanged"});
  }
  PrintActions(actions, format, context);
  return {};
}

/// Does it in this cluster. `client` is null if nothing is to be written.
Result<bool> ChangeNodesOf(const PreviewCluster& cluster, const NodesChange& change,
                           const PreviewOptions& options, const client::Client* client,
                           Context& context) {
  const std::vector<ObjectPtr> nodes = PL_TRY(SelectNodes(cluster, change.names, change.selector));
  std::vector<NodeChange> changes;
  std::size_t changed = 0;
  for (const ObjectPtr& node : nodes) {
    changes.push_back({node, PL_TRY(change.change(node))});
    if (changes.back().after != node) ++changed;
  }
  const NodeImpact impact = PL_TRY(ImpactOfNodes(cluster, changes, change.taint_keys));
  std::string rule;
  if (change.make_rule) rule = PL_TRY(change.make_rule(impact.nodes, cluster.now));
  if (!IsTree(options.output)) {
    PrintImpact({.change = change.title + " " + NodesText(impact.nodes),
                 .unread_note = cluster.policies_unread},
                impact, options.output, context);
    if (changed < nodes.size()) {
      context.out << CountText(nodes.size() - changed, "node") << " already as requested\n";
    }
  } else if (options.is_preview) {
    codec::Document document;
    WriteTree(ImpactTree(impact, document), options.output, context.out);
    return true;
  }
  if (options.is_preview) {
    context.out << "Nothing was changed.\n";
    return true;
  }
  context.out << std::flush;
  const std::string question = "Change " + CountText(changed, "node") + "?";
  if (changed > 0 && !PL_TRY(Confirm(question, options.is_confirmed, context))) return false;
  PL_TRY(rule.empty() ? Write(nodes, change, *client, options.output, context)
                      : WriteRule(rule, *client, options.output, context));
  return true;
}

}  // namespace

Result<bool> ChangeNodes(const NodesChange& change, const PreviewOptions& options,
                         Context& context) {
  PL_TRY(CheckPreviewOptions(options));
  RealClock clock;
  const PreviewCluster cluster = PL_TRY(ReadPreviewCluster(options, clock, context));
  std::unique_ptr<client::Client> client;
  if (!options.is_preview) {
    client = PL_TRY(ConnectForUser(options.kubeconfig, options.kube_context, clock));
  }
  return ChangeNodesOf(cluster, change, options, client.get(), context);
}

int ReportChange(const Result<bool>& result, Context& context) {
  if (!result) return ReportFailure(result.error(), context);
  return *result ? kExitOk : kExitFindings;
}

}  // namespace plimsoll::cli
