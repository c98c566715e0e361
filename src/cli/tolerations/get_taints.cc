#include "cli/tolerations/get_taints.h"

#include <CLI/CLI.hpp>
#include <map>
#include <ostream>
#include <tuple>

#include "api/core/taint_owner.h"
#include "apiserver/table/age.h"
#include "base/real_clock.h"
#include "cli/flags/common_flags.h"
#include "cli/output/display_width.h"
#include "cli/output/failure.h"
#include "cli/output/json_fields.h"
#include "cli/output/table.h"
#include "cli/output/tree_output.h"
#include "cli/tolerations/placement_objects.h"
#include "codec/json.h"
#include "match/toleration.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

struct Row {
  std::string_view node;
  const api::Taint* taint = nullptr;
  std::vector<std::string> owners;
  std::size_t tolerating = 0;  // number of pods
};

/// Counts the pods that tolerate a taint. Pods with equal tolerations, and taints that are equal,
/// are examined once.
class ToleranceCounter {
 public:
  ToleranceCounter(const std::vector<ObjectPtr>& pods, const match::Rules& rules) : rules_(rules) {
    std::map<std::string, std::size_t> places;
    for (const ObjectPtr& pod : pods) {
      const api::PodSpec& spec = pod->As<api::Pod>()->spec;
      const codec::Value* const list =
          spec.source == nullptr ? nullptr : spec.source->Find("tolerations");
      const auto [at, is_new] =
          places.try_emplace(list == nullptr ? "" : codec::WriteJson(*list), groups_.size());
      if (is_new) groups_.emplace_back(&spec.tolerations, 0);
      ++groups_[at->second].second;
    }
  }

  std::size_t Count(const api::Taint& taint) {
    const auto [at, is_new] = known_.try_emplace({taint.key, taint.value, taint.effect}, 0);
    if (!is_new) return at->second;
    for (const auto& [tolerations, pods] : groups_) {
      if (match::FindToleration(*tolerations, taint, rules_) != nullptr) at->second += pods;
    }
    return at->second;
  }

 private:
  const match::Rules rules_;
  std::vector<std::pair<const std::vector<api::Toleration>*, std::size_t>> groups_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> known_;
};

std::string TextOrNone(std::string_view text) {
  return text.empty() ? "<none>" : std::string(text);
}

/// Red if the taint keeps every pod away, yellow if some.
Style StyleOf(const Row& row, std::size_t pods) {
  if (row.tolerating == pods) return Style::Good;
  if (row.taint->effect == "PreferNoSchedule") return Style::Plain;  // keeps nobody away
  return row.tolerating == 0 ? Style::Bad : Style::Warning;
}

Style StyleOfEffect(std::string_view effect) {
  if (effect == "NoExecute") return Style::Bad;
  return effect == "NoSchedule" ? Style::Warning : Style::Plain;
}

void PrintRows(const std::vector<Row>& rows, std::size_t pods, bool is_wide, Instant now,
               Context& context) {
  std::vector<std::string> header = {"NODE", "KEY", "VALUE", "EFFECT", "AGE", "OWNER", "PODS"};
  if (is_wide) header.emplace_back("TIME-ADDED");
  std::vector<std::vector<Cell>> cells;
  for (const Row& row : rows) {
    std::string owners;
    for (const std::string& owner : row.owners) owners += (owners.empty() ? "" : ",") + owner;
    cells.push_back(
        {TextOrNone(row.node), TextOrNone(row.taint->key), TextOrNone(row.taint->value),
         Cell(TextOrNone(row.taint->effect), StyleOfEffect(row.taint->effect)),
         apiserver::AgeText(row.taint->time_added, now), TextOrNone(owners),
         Cell(std::to_string(row.tolerating) + "/" + std::to_string(pods), StyleOf(row, pods))});
    if (is_wide) cells.back().push_back(TextOrNone(row.taint->time_added));
  }
  PrintTable(header, cells, context.out_look, context.out);
}

void PrintTree(const std::vector<Row>& rows, std::size_t pods, OutputFormat format,
               std::ostream& out) {
  Document document;
  Value list = document.NewArray(rows.size());
  for (const Row& row : rows) {
    Value tree = document.NewObject();
    SetText(document, tree, "node", row.node);
    SetText(document, tree, "key", row.taint->key);
    SetText(document, tree, "value", row.taint->value);
    SetText(document, tree, "effect", row.taint->effect);
    SetText(document, tree, "timeAdded", row.taint->time_added);
    SetTexts(document, tree, "owners", row.owners);
    SetCount(document, tree, "podsTolerating", row.tolerating);
    SetCount(document, tree, "pods", pods);
    document.Append(list, tree);
  }
  WriteTree(list, format, out);
}

/// Prints the nodes that have taints.
void PrintNames(const std::vector<Row>& rows, std::ostream& out) {
  const std::string_view* last = nullptr;
  for (const Row& row : rows) {
    if (last == nullptr || *last != row.node) out << "node/" << Printable(row.node) << '\n';
    last = &row.node;
  }
}

Status GetTaints(const GetTaintsOptions& options, Context& context) {
  RealClock clock;
  const match::Rules rules = PL_TRY(RulesOf(options.feature_gates));
  const PlacementObjects input = PL_TRY(ReadPlacementObjects(options.files, options.kubeconfig,
                                                             options.kube_context, clock, context));
  ToleranceCounter counter(input.pods, rules);
  std::vector<Row> rows;
  for (const ObjectPtr& node :
       PL_TRY(SelectObjects(input.nodes, options.nodes, options.selector, "node"))) {
    for (const api::Taint& taint : node->As<api::Node>()->spec.taints) {
      rows.push_back(
          {node->metadata().name, &taint, api::OwnersOfTaint(*node, taint), counter.Count(taint)});
    }
  }
  if (IsTree(options.output)) {
    PrintTree(rows, input.pods.size(), options.output, context.out);
  } else if (options.output == OutputFormat::Name) {
    PrintNames(rows, context.out);
  } else if (rows.empty()) {
    context.err << "No taints found\n";
  } else {
    PrintRows(rows, input.pods.size(), options.output == OutputFormat::Wide, clock.Now(), context);
  }
  return {};
}

}  // namespace

void AddGetTaintsFlags(CLI::App& command, GetTaintsOptions& options) {
  command.add_option("nodes", options.nodes, "Names of nodes. Without names all nodes")
      ->type_name("NODE");
  command.add_option("-l,--selector", options.selector, "Only nodes whose labels match")
      ->type_name("SELECTOR");
  command
      .add_option("-f,--filename", options.files,
                  "Manifests of nodes and pods. With them the command needs no API server")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Wide, OutputFormat::Json, OutputFormat::Yaml,
                 OutputFormat::Name});
  AddServerFlags(command, options.kubeconfig, options.kube_context);
  AddFeatureGatesFlag(command, options.feature_gates);
}

int RunGetTaints(const GetTaintsOptions& options, Context& context) {
  const Status status = GetTaints(options, context);
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli
