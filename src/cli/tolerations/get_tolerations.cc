#include "cli/tolerations/get_tolerations.h"

#include <CLI/CLI.hpp>
#include <map>
#include <ostream>

#include "base/real_clock.h"
#include "cli/explain/toleration_margin.h"
#include "cli/flags/common_flags.h"
#include "cli/output/display_width.h"
#include "cli/output/failure.h"
#include "cli/output/json_fields.h"
#include "cli/output/table.h"
#include "cli/output/tree_output.h"
#include "cli/tolerations/placement_objects.h"
#include "match/toleration.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

/// A taint of the pod's node with the toleration's key.
struct MetTaint {
  const api::Taint* taint = nullptr;
  bool is_tolerated = false;
  std::string margin;
};

struct Row {
  ObjectPtr pod;
  const api::Toleration* toleration = nullptr;
  std::vector<MetTaint> met;

  const api::Pod& view() const { return *pod->As<api::Pod>(); }
};

using Nodes = std::map<std::string_view, const api::Node*>;

/// Returns true if the toleration speaks of the taint. One without a key, or with an expression,
/// speaks of the taints that it tolerates.
bool Concerns(const api::Toleration& toleration, const api::Taint& taint, bool is_tolerated) {
  if (toleration.key.empty()) return is_tolerated;
  return toleration.key == taint.key &&
         (toleration.effect.empty() || toleration.effect == taint.effect);
}

std::vector<Row> RowsOf(const std::vector<ObjectPtr>& pods, const Nodes& nodes,
                        const match::Rules& rules) {
  std::vector<Row> rows;
  for (const ObjectPtr& pod : pods) {
    const api::PodSpec& spec = pod->As<api::Pod>()->spec;
    const auto node = nodes.find(spec.node_name);
    for (const api::Toleration& toleration : spec.tolerations) {
      Row& row = rows.emplace_back(Row{pod, &toleration, {}});
      if (node == nodes.end()) continue;
      for (const api::Taint& taint : node->second->spec.taints) {
        const bool is_tolerated = match::Tolerates(toleration, taint, rules);
        if (!Concerns(toleration, taint, is_tolerated)) continue;
        row.met.push_back({&taint, is_tolerated, MarginOf(toleration, taint.value)});
      }
    }
  }
  return rows;
}

std::string OperatorOf(const api::Toleration& toleration) {
  if (!toleration.expression.empty()) return {};
  return std::string(toleration.op.empty() ? "Equal" : toleration.op);
}

std::string TextOrNone(std::string_view text) {
  return text.empty() ? "<none>" : std::string(text);
}

std::string JoinedCell(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ",") + text;
  return TextOrNone(joined);
}

std::vector<Cell> CellsOf(const Row& row, const GetTolerationsOptions& options) {
  const api::Toleration& toleration = *row.toleration;
  std::vector<std::string> values;
  std::vector<std::string> margins;
  Style style = Style::Plain;  // red if the node is outside of a threshold
  for (const MetTaint& one : row.met) {
    const std::string value(one.taint->value.empty() ? "\"\"" : one.taint->value);
    values.push_back(toleration.key.empty() ? std::string(one.taint->key) + "=" + value : value);
    if (one.margin.empty()) continue;
    margins.push_back(one.margin);
    style = IsOutside(one.margin) || style == Style::Bad ? Style::Bad : Style::Good;
  }
  std::vector<Cell> cells;
  if (options.all_namespaces) cells.push_back(TextOrNone(row.view().metadata.namespace_));
  const auto seconds = toleration.toleration_seconds;
  cells.insert(
      cells.end(),
      {TextOrNone(row.view().metadata.name), TextOrNone(toleration.key),
       TextOrNone(OperatorOf(toleration)), TextOrNone(toleration.value),
       TextOrNone(toleration.effect), seconds ? std::to_string(*seconds) : "<none>",
       TextOrNone(toleration.expression), JoinedCell(values), Cell(JoinedCell(margins), style)});
  if (options.output == OutputFormat::Wide) cells.push_back(TextOrNone(row.view().spec.node_name));
  return cells;
}

void PrintRows(const std::vector<Row>& rows, const GetTolerationsOptions& options,
               Context& context) {
  std::vector<std::string> header;
  if (options.all_namespaces) header.emplace_back("NAMESPACE");
  header.insert(header.end(), {"POD", "KEY", "OPERATOR", "VALUE", "EFFECT", "SECONDS", "EXPRESSION",
                               "NODE-VALUE", "MARGIN"});
  if (options.output == OutputFormat::Wide) header.emplace_back("NODE");
  std::vector<std::vector<Cell>> cells;
  for (const Row& row : rows) cells.push_back(CellsOf(row, options));
  PrintTable(header, cells, context.out_look, context.out);
}

Value RowTree(const Row& row, Document& document) {
  const api::Toleration& toleration = *row.toleration;
  Value tree = document.NewObject();
  SetText(document, tree, "namespace", row.view().metadata.namespace_);
  SetText(document, tree, "pod", row.view().metadata.name);
  SetText(document, tree, "node", row.view().spec.node_name);
  SetText(document, tree, "key", toleration.key);
  SetText(document, tree, "operator", OperatorOf(toleration));
  SetText(document, tree, "value", toleration.value);
  SetText(document, tree, "effect", toleration.effect);
  if (toleration.toleration_seconds) {
    document.Set(tree, "tolerationSeconds", Value::Int(*toleration.toleration_seconds));
  }
  SetText(document, tree, "expression", toleration.expression);
  SetList(document, tree, "taints", row.met, [&](const MetTaint& one) {
    Value entry = document.NewObject();
    SetText(document, entry, "key", one.taint->key);
    SetText(document, entry, "value", one.taint->value);
    SetText(document, entry, "effect", one.taint->effect);
    document.Set(entry, "tolerated", Value::Bool(one.is_tolerated));
    SetText(document, entry, "margin", one.margin);
    return entry;
  });
  return tree;
}

void PrintTree(const std::vector<Row>& rows, OutputFormat format, std::ostream& out) {
  Document document;
  Value list = document.NewArray(rows.size());
  for (const Row& row : rows) document.Append(list, RowTree(row, document));
  WriteTree(list, format, out);
}

/// Prints the pods that have tolerations.
void PrintNames(const std::vector<Row>& rows, std::ostream& out) {
  const api::Object* last = nullptr;
  for (const Row& row : rows) {
    if (row.pod.get() != last) out << Printable(ResourceName(*row.pod)) << '\n';
    last = row.pod.get();
  }
}

Status GetTolerations(const GetTolerationsOptions& options, Context& context) {
  RealClock clock;
  const match::Rules rules = PL_TRY(RulesOf(options.feature_gates));
  PlacementObjects input = PL_TRY(ReadPlacementObjects(options.files, options.kubeconfig,
                                                       options.kube_context, clock, context));
  const std::string wanted = options.namespace_.empty() ? input.namespace_ : options.namespace_;
  if (!options.all_namespaces && !wanted.empty()) {
    std::erase_if(input.pods,
                  [&](const ObjectPtr& pod) { return pod->metadata().namespace_ != wanted; });
  }
  const std::vector<ObjectPtr> pods =
      PL_TRY(SelectObjects(input.pods, options.pods, options.selector, "pod"));
  Nodes nodes;
  for (const ObjectPtr& node : input.nodes) {
    nodes.emplace(node->metadata().name, node->As<api::Node>());
  }
  const std::vector<Row> rows = RowsOf(pods, nodes, rules);
  if (IsTree(options.output)) {
    PrintTree(rows, options.output, context.out);
  } else if (options.output == OutputFormat::Name) {
    PrintNames(rows, context.out);
  } else if (rows.empty()) {
    context.err << "No tolerations found\n";
  } else {
    PrintRows(rows, options, context);
  }
  return {};
}

}  // namespace

void AddGetTolerationsFlags(CLI::App& command, GetTolerationsOptions& options) {
  command.add_option("pods", options.pods, "Names of pods. Without names all pods")
      ->type_name("POD");
  command.add_option("-l,--selector", options.selector, "Only pods whose labels match")
      ->type_name("SELECTOR");
  command
      .add_option("-n,--namespace", options.namespace_,
                  "Namespace of the pods. Without this flag the namespace of the kubeconfig's "
                  "context")
      ->type_name("NAMESPACE");
  command.add_flag("-A,--all-namespaces", options.all_namespaces,
                   "List the pods of all namespaces");
  command
      .add_option("-f,--filename", options.files,
                  "Manifests of pods and nodes. With them the command needs no API server")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Wide, OutputFormat::Json, OutputFormat::Yaml,
                 OutputFormat::Name});
  AddServerFlags(command, options.kubeconfig, options.kube_context);
  AddFeatureGatesFlag(command, options.feature_gates);
}

int RunGetTolerations(const GetTolerationsOptions& options, Context& context) {
  const Status status = GetTolerations(options, context);
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli
