#include "cli/evictions/evictions.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <sstream>
#include <utility>

#include "base/real_clock.h"
#include "cli/connect.h"
#include "cli/evictions/eviction_list.h"
#include "cli/explain/cluster_reader.h"
#include "cli/explain/text_lines.h"
#include "cli/flags/common_flags.h"
#include "cli/manifest/manifest_files.h"
#include "cli/output/failure.h"
#include "cli/output/json_fields.h"
#include "cli/output/table.h"
#include "cli/output/tree_output.h"
#include "cli/tolerations/placement_objects.h"
#include "client/stop_signal.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

constexpr Duration kWatchDelay = std::chrono::seconds(2);

struct Report {
  std::vector<EvictionRow> evictions;
  std::vector<PolicyRow> policies;
  Instant now;
};

void Add(const ObjectPtr& object, EvictionObjects& objects) {
  const std::string_view kind = object->kind().kind;
  if (object->As<api::Pod>() != nullptr) objects.pods.push_back(object);
  if (object->As<api::Node>() != nullptr) objects.nodes.push_back(object);
  if (kind == "EvictionPolicy") objects.policies.push_back(object);
  if (kind == "Event") objects.delays.push_back(object);
}

/// Reads what only some users may read. Returns nothing if the server refuses.
std::vector<ObjectPtr> TryList(const ClusterReader& server, const api::WatchedKind& kind) {
  auto objects = server.List(kind, {});
  return objects ? *std::move(objects) : std::vector<ObjectPtr>();
}

/// Reads the objects, and sets the namespace of the kubeconfig's context.
Result<EvictionObjects> ReadObjects(const EvictionsOptions& options, Clock& clock,
                                    std::string& namespace_, Context& context) {
  EvictionObjects objects;
  if (!options.files.empty()) {
    for (const Manifest& manifest : PL_TRY(ReadValidManifests(options.files, {}, context))) {
      Add(manifest.object, objects);
    }
    return objects;
  }
  const ClusterReader server =
      PL_TRY(ClusterReader::Connect(options.kubeconfig, options.kube_context, clock));
  namespace_ = server.namespace_();
  objects.pods = PL_TRY(server.List({"", "v1", "Pod"}, {}));
  objects.nodes = PL_TRY(server.List({"", "v1", "Node"}, {}));
  objects.policies = TryList(server, {"plimsoll.io", "v1alpha1", "EvictionPolicy"});
  objects.delays = TryList(server, {"", "v1", "Event", {}, "reason=EvictionDelayed"});
  return objects;
}

std::string DueText(const EvictionRow& row, Instant now) {
  if (!row.due) return "<unknown>";
  if (*row.due <= now) return "now";
  return "in " + FormatDuration(std::chrono::ceil<std::chrono::seconds>(*row.due - now));
}

Style StyleOf(EvictionState state) {
  switch (state) {
    case EvictionState::HeldBack:
      return Style::Warning;
    case EvictionState::Due:
    case EvictionState::Running:
      return Style::Bad;
    case EvictionState::Waiting:
      break;
  }
  return Style::Plain;
}

void PrintEvictions(const Report& report, bool shows_namespaces, bool is_wide, const Look& look,
                    std::ostream& out) {
  std::vector<std::string> header;
  if (shows_namespaces) header.emplace_back("NAMESPACE");
  header.insert(header.end(), {"POD", "NODE", "STATE", "DUE"});
  if (is_wide) header.emplace_back("TIME");
  header.emplace_back("WHY");
  std::vector<std::vector<Cell>> rows;
  for (const EvictionRow& row : report.evictions) {
    std::vector<Cell>& cells = rows.emplace_back();
    if (shows_namespaces) cells.emplace_back(std::string(row.pod->metadata().namespace_));
    cells.insert(cells.end(), {std::string(row.pod->metadata().name),
                               std::string(row.pod->As<api::Pod>()->spec.node_name),
                               Cell(std::string(ToText(row.state)), StyleOf(row.state)),
                               DueText(row, report.now)});
    if (is_wide) cells.emplace_back(row.due ? FormatTime(*row.due) : "<unknown>");
    cells.emplace_back(row.why);
  }
  PrintTable(header, rows, look, out);
}

std::string PolicyState(const PolicyRow& row) {
  std::string state = row.is_paused ? "Paused" : "";
  if (!row.tripped.empty()) {
    state += (state.empty() ? "" : ", ") + std::string("Tripped: ") + ListText(row.tripped);
  }
  return state.empty() ? "Active" : state;
}

void PrintPolicies(const Report& report, const Look& look, std::ostream& out) {
  std::vector<std::vector<Cell>> rows;
  for (const PolicyRow& row : report.policies) {
    const bool is_active = !row.is_paused && row.tripped.empty();
    rows.push_back({row.name, Cell(PolicyState(row), is_active ? Style::Good : Style::Bad),
                    std::to_string(row.waiting), std::to_string(row.held_back),
                    row.held_by.empty() ? "<none>" : row.held_by, std::to_string(row.evicted),
                    row.next_due.empty() ? "<none>" : row.next_due});
  }
  PrintTable({"POLICY", "STATE", "WAITING", "HELD BACK", "BY", "EVICTED", "NEXT DUE"}, rows, look,
             out);
}

Value ReportTree(const Report& report, Document& document) {
  Value root = document.NewObject();
  SetList(document, root, "evictions", report.evictions, [&](const EvictionRow& row) {
    Value tree = document.NewObject();
    SetText(document, tree, "namespace", row.pod->metadata().namespace_);
    SetText(document, tree, "pod", row.pod->metadata().name);
    SetText(document, tree, "uid", row.pod->metadata().uid);
    SetText(document, tree, "node", row.pod->As<api::Pod>()->spec.node_name);
    SetText(document, tree, "state", ToText(row.state));
    if (row.due) SetText(document, tree, "due", FormatTime(*row.due));
    SetText(document, tree, "why", row.why);
    return tree;
  });
  SetList(document, root, "policies", report.policies, [&](const PolicyRow& row) {
    Value tree = document.NewObject();
    SetText(document, tree, "name", row.name);
    document.Set(tree, "paused", Value::Bool(row.is_paused));
    SetTexts(document, tree, "tripped", row.tripped);
    document.Set(tree, "waiting", Value::Int(row.waiting));
    document.Set(tree, "heldBack", Value::Int(row.held_back));
    SetText(document, tree, "heldBackBy", row.held_by);
    document.Set(tree, "evicted", Value::Int(row.evicted));
    SetText(document, tree, "nextDue", row.next_due);
    return tree;
  });
  return root;
}

void Print(const Report& report, bool shows_namespaces, const EvictionsOptions& options,
           const Look& look, std::ostream& out) {
  if (options.output == OutputFormat::Name) {
    for (const EvictionRow& row : report.evictions) out << ResourceName(*row.pod) << '\n';
  } else if (IsTree(options.output)) {
    Document document;
    WriteTree(ReportTree(report, document), options.output, out);
  } else {
    if (report.evictions.empty()) {
      out << "No evictions\n";
    } else {
      PrintEvictions(report, shows_namespaces, options.output == OutputFormat::Wide, look, out);
    }
    if (report.policies.empty()) return;
    out << '\n';
    PrintPolicies(report, look, out);
  }
}

Status PrintOnce(const EvictionsOptions& options, Clock& clock, std::string& last,
                 Context& context) {
  api::FeatureGates gates;
  PL_TRY(gates.Apply(options.feature_gates));
  const match::Rules rules = PL_TRY(RulesOf(options.feature_gates));
  std::string wanted;
  EvictionObjects objects = PL_TRY(ReadObjects(options, clock, wanted, context));
  if (!options.namespace_.empty()) wanted = options.namespace_;
  if (options.all_namespaces) wanted.clear();
  if (!wanted.empty()) {
    std::erase_if(objects.pods,
                  [&](const ObjectPtr& pod) { return pod->metadata().namespace_ != wanted; });
  }
  Report report;
  report.now = clock.Now();
  report.evictions = ListEvictions(objects, gates, rules, report.now);
  report.policies = ListPolicies(objects.policies);
  std::ostringstream text;
  Print(report, wanted.empty(), options, context.out_look, text);
  if (text.str() == last) return {};
  if (!last.empty() && !IsTree(options.output)) context.out << '\n';
  last = text.str();
  context.out << last << std::flush;
  return {};
}

Status Evictions(const EvictionsOptions& options, Context& context) {
  if (options.is_watch && !options.files.empty()) {
    return FailAt(Reason::Invalid, "--watch", "files do not change: leave out -f");
  }
  RealClock clock;
  std::string last;
  PL_TRY(PrintOnce(options, clock, last, context));
  if (!options.is_watch) return {};
  const auto client = PL_TRY(ConnectForUser(options.kubeconfig, options.kube_context, clock));
  const auto stop = client->NewStopSignal();
  while (context.out.good()) {
    stop->WaitUntil(clock, clock.Now() + kWatchDelay);
    PL_TRY(PrintOnce(options, clock, last, context));
  }
  return {};
}

}  // namespace

void AddEvictionsFlags(CLI::App& command, EvictionsOptions& options) {
  command
      .add_option("-n,--namespace", options.namespace_,
                  "Namespace of the pods. Without this flag the namespace of the kubeconfig's "
                  "context")
      ->type_name("NAMESPACE");
  command.add_flag("-A,--all-namespaces", options.all_namespaces,
                   "List the evictions of all namespaces");
  command.add_flag("-w,--watch", options.is_watch,
                   "Print the list again whenever it has changed, until interrupted");
  command
      .add_option("-f,--filename", options.files,
                  "Manifests of pods, nodes, policies and events. With them the command needs no "
                  "API server")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Wide, OutputFormat::Json, OutputFormat::Yaml,
                 OutputFormat::Name});
  AddServerFlags(command, options.kubeconfig, options.kube_context);
  AddFeatureGatesFlag(command, options.feature_gates);
}

int RunEvictions(const EvictionsOptions& options, Context& context) {
  const Status status = Evictions(options, context);
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli
