#include "cli/preview/impact_output.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <ostream>
#include <tuple>

#include "cli/explain/cluster_reader.h"
#include "cli/explain/pod_groups.h"
#include "cli/output/json_fields.h"
#include "cli/output/styled_text.h"
#include "cli/output/table.h"
#include "cli/output/tree_output.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

/// Pods of a workload that go at the same time for the same reason.
struct GoingPods {
  Duration after{};
  std::string workload;
  std::string why;
  std::vector<ObjectPtr> pods;
};

std::vector<GoingPods> Grouped(const std::vector<Departure>& departures, Instant now) {
  std::map<std::tuple<Duration, std::string, std::string>, std::vector<ObjectPtr>> groups;
  for (const Departure& one : departures) {
    groups[{one.at - now, FullWorkload(*one.pod), one.why}].push_back(one.pod);
  }
  std::vector<GoingPods> list;
  for (auto& [key, pods] : groups) {
    list.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), std::move(pods)});
  }
  return list;
}

std::string WhenText(Duration after) {
  if (after <= Duration::zero()) return "now";
  // Below a second only rounding is left: servers store times of taints in seconds.
  const auto rounded = std::chrono::ceil<std::chrono::seconds>(after);
  return "in " + FormatDuration(rounded);
}

void PrintHeading(const std::string& text, Style style, Context& context) {
  StyledText line;
  line.Add("\n").Add(text, style).Add("\n");
  Write(line, context.out_look, context.out);
}

void PrintDepartures(const std::string& heading, const std::vector<Departure>& departures,
                     std::string_view when, Instant now, bool is_wide, Style style,
                     Context& context) {
  if (departures.empty()) return;
  PrintHeading(CountText(departures.size(), "pod") + " " + heading, style, context);
  std::vector<std::vector<Cell>> rows;
  if (is_wide) {
    for (const Departure& one : departures) {
      rows.push_back({WhenText(one.at - now), FullName(*one.pod),
                      std::string(one.pod->As<api::Pod>()->spec.node_name), one.why});
    }
    return PrintTable({std::string(when), "POD", "NODE", "WHY"}, rows, context.out_look,
                      context.out);
  }
  for (const GoingPods& group : Grouped(departures, now)) {
    rows.push_back(
        {WhenText(group.after), std::to_string(group.pods.size()), group.workload, group.why});
  }
  PrintTable({std::string(when), "PODS", "WORKLOAD", "WHY"}, rows, context.out_look, context.out);
}

void PrintStaying(const NodeImpact& impact, bool is_wide, Context& context) {
  std::size_t count = 0;
  for (const StayingPods& group : impact.staying) count += group.pods.size();
  if (count == 0) return;
  PrintHeading(CountText(count, "pod") + (count == 1 ? " stays:" : " stay:"), Style::Good, context);
  std::vector<std::vector<Cell>> rows;
  for (const StayingPods& group : impact.staying) {
    if (is_wide) {
      for (const ObjectPtr& pod : group.pods) {
        rows.push_back(
            {FullName(*pod), std::string(pod->As<api::Pod>()->spec.node_name), group.why});
      }
    } else {
      rows.push_back({std::to_string(group.pods.size()), group.workload, group.why});
    }
  }
  PrintTable(is_wide ? std::vector<std::string>{"POD", "NODE", "WHY"}
                     : std::vector<std::string>{"PODS", "WORKLOAD", "WHY"},
             rows, context.out_look, context.out);
}

void PrintBudgets(const ImpactTitle& title, const NodeImpact& impact, Context& context) {
  if (impact.budgets.empty()) return;
  PrintHeading("Disruption budgets:", Style::Heading, context);
  std::vector<std::vector<Cell>> rows;
  for (const BudgetImpact& budget : impact.budgets) {
    const bool is_held = title.is_by_api || !impact.policies_with_budgets.empty();
    std::string result = "kept";
    if (budget.excess() > 0) {
      result = is_held ? CountText(static_cast<std::size_t>(budget.excess()), "pod") + " must wait"
                       : "violated by " + std::to_string(budget.excess());
    }
    rows.push_back({budget.name, std::to_string(budget.going), std::to_string(budget.allowed),
                    Cell(result, budget.excess() == 0 ? Style::Good
                                 : is_held            ? Style::Warning
                                                      : Style::Bad)});
  }
  PrintTable({"BUDGET", "GOING", "ALLOWED", "RESULT"}, rows, context.out_look, context.out);
}

void AddRoom(const ReplacementRoom& room, TextLines& lines) {
  if (room.tried > 0) {
    std::vector<std::pair<std::string, std::size_t>> nodes(room.nodes.begin(), room.nodes.end());
    std::ranges::stable_sort(nodes, std::greater(), &std::pair<std::string, std::size_t>::second);
    std::vector<std::string> texts;
    for (const auto& [name, count] : nodes)
      texts.push_back(name + " (" + std::to_string(count) + ")");
    const std::string where = texts.empty() ? "" : ": " + ListText(texts);
    lines.Add("Room for " + std::to_string(room.placed) + " of " +
                  CountText(room.tried, "replacement") + where,
              room.placed == room.tried ? Style::Good : Style::Warning);
  }
  for (const PendingReplacements& one : room.pending) {
    lines.Add(CountText(one.pods, "replacement") + " of " + one.workload +
                  (one.pods == 1 ? " stays" : " stay") + " pending: " + one.reason,
              Style::Bad);
  }
  if (room.untried > 0) {
    lines.Add("Room for " + CountText(room.untried, "further replacement") + " was not examined");
  }
  if (room.not_replaced > 0) {
    lines.Add(
        CountText(room.not_replaced, "pod") + " without a controller will not be created again",
        Style::Bad);
  }
  if (room.tied_to_node > 0) {
    lines.Add(CountText(room.tied_to_node, "pod") +
              " of DaemonSets or of the node itself run on no other node instead");
  }
}

void AddEnd(const ImpactTitle& title, const NodeImpact& impact, TextLines& lines) {
  const PolicyForecast& policies = impact.policies;
  if (!policies.policies.empty()) {
    lines.Add("Eviction policies: " + ListText(policies.policies));
    for (const auto& [limit, pods] : policies.held) {
      lines.Add(CountText(pods, "pod") + " held back until you resume the policy: " + limit,
                Style::Warning);
    }
    if (!impact.policies_with_budgets.empty()) {
      lines.Add("Pods of budgets wait in addition, as " + ListText(impact.policies_with_budgets) +
                " respects them");
    }
  }
  if (!title.unread_note.empty()) lines.Add(title.unread_note, Style::Warning);
  if (policies.end && !title.is_by_api) {
    lines.Add("The last eviction is expected " + WhenText(*policies.end - impact.now));
  }
}

Value DepartureTree(const Departure& one, Instant now, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "namespace", one.pod->metadata().namespace_);
  SetText(document, tree, "pod", one.pod->metadata().name);
  SetText(document, tree, "uid", one.pod->metadata().uid);
  SetText(document, tree, "node", one.pod->As<api::Pod>()->spec.node_name);
  SetText(document, tree, "workload", FullWorkload(*one.pod));
  SetText(document, tree, "at", FormatTime(one.at));
  const auto after = std::chrono::ceil<std::chrono::seconds>(one.at - now).count();
  document.Set(tree, "afterSeconds", Value::Int(std::max<std::int64_t>(after, 0)));
  SetText(document, tree, "why", one.why);
  return tree;
}

Value RoomTree(const ReplacementRoom& room, Document& document) {
  Value tree = document.NewObject();
  SetCount(document, tree, "tried", room.tried);
  SetCount(document, tree, "placed", room.placed);
  SetCount(document, tree, "notExamined", room.untried);
  SetCount(document, tree, "withoutController", room.not_replaced);
  SetCount(document, tree, "tiedToNode", room.tied_to_node);
  Value nodes = document.NewObject();
  for (const auto& [name, count] : room.nodes) {
    SetCount(document, nodes, document.CopyText(name), count);
  }
  document.Set(tree, "nodes", nodes);
  SetList(document, tree, "pending", room.pending, [&](const PendingReplacements& one) {
    Value entry = document.NewObject();
    SetText(document, entry, "workload", one.workload);
    SetCount(document, entry, "pods", one.pods);
    SetText(document, entry, "reason", one.reason);
    return entry;
  });
  return tree;
}

Value PoliciesTree(const NodeImpact& impact, Document& document) {
  Value tree = document.NewObject();
  SetTexts(document, tree, "names", impact.policies.policies);
  SetTexts(document, tree, "respectBudgets", impact.policies_with_budgets);
  Value held = document.NewObject();
  for (const auto& [limit, pods] : impact.policies.held) {
    SetCount(document, held, document.CopyText(limit), pods);
  }
  document.Set(tree, "held", held);
  if (impact.policies.end) {
    SetText(document, tree, "expectedEnd", FormatTime(*impact.policies.end));
  }
  return tree;
}

}  // namespace

std::string NodesText(const std::vector<std::string>& nodes) {
  return CountText(nodes.size(), "node") + (nodes.empty() ? "" : ": " + ListText(nodes));
}

void PrintImpact(const ImpactTitle& title, const NodeImpact& impact, OutputFormat format,
                 Context& context) {
  const bool is_wide = format == OutputFormat::Wide;
  Write(StyledText(title.change + "\n", Style::Heading), context.out_look, context.out);
  const std::size_t count = impact.going.size();
  if (count == 0) {
    Write(StyledText("No pod goes because of it.\n", Style::Good), context.out_look, context.out);
  }
  PrintDepartures(count == 1 ? "goes:" : "go:", impact.going, "WHEN", impact.now, is_wide,
                  Style::Bad, context);
  PrintDepartures("would go in any case:", impact.unchanged, "WHEN", impact.now, is_wide,
                  Style::Heading, context);
  PrintDepartures("whose eviction is cancelled:", impact.cancelled, "WAS DUE", impact.now, is_wide,
                  Style::Good, context);
  PrintStaying(impact, is_wide, context);
  PrintBudgets(title, impact, context);
  TextLines lines;
  AddRoom(impact.room, lines);
  AddEnd(title, impact, lines);
  if (lines.text().empty()) return;
  context.out << '\n';
  Write(lines.text(), context.out_look, context.out);
}

Value ImpactTree(const NodeImpact& impact, Document& document) {
  Value root = document.NewObject();
  SetTexts(document, root, "nodes", impact.nodes);
  const auto departures = [&](const Departure& one) {
    return DepartureTree(one, impact.now, document);
  };
  SetList(document, root, "going", impact.going, departures);
  SetList(document, root, "unchanged", impact.unchanged, departures);
  SetList(document, root, "cancelled", impact.cancelled, departures);
  SetList(document, root, "staying", impact.staying, [&](const StayingPods& group) {
    Value entry = document.NewObject();
    SetText(document, entry, "workload", group.workload);
    SetText(document, entry, "why", group.why);
    SetTexts(document, entry, "pods", FullNames(group.pods));
    return entry;
  });
  SetList(document, root, "budgets", impact.budgets, [&](const BudgetImpact& budget) {
    Value entry = document.NewObject();
    SetText(document, entry, "name", budget.name);
    document.Set(entry, "going", Value::Int(budget.going));
    document.Set(entry, "allowed", Value::Int(budget.allowed));
    document.Set(entry, "excess", Value::Int(budget.excess()));
    return entry;
  });
  document.Set(root, "room", RoomTree(impact.room, document));
  document.Set(root, "policies", PoliciesTree(impact, document));
  return root;
}

}  // namespace plimsoll::cli
