#include "cli/lines/lines_output.h"

#include <algorithm>
#include <ostream>
#include <set>

#include "cli/explain/pod_groups.h"
#include "cli/explain/text_lines.h"
#include "cli/output/json_fields.h"
#include "cli/output/styled_text.h"
#include "cli/output/table.h"
#include "cli/output/tree_output.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;
using controller::PodsAtValue;
using controller::WorkloadLine;

constexpr std::size_t kValuesShown = 3;
constexpr std::size_t kWorkloadsShown = 3;

std::string TextOrNone(std::string_view text) {
  return text.empty() ? "<none>" : std::string(text);
}

std::string LineText(const api::Toleration& toleration) {
  return std::string(toleration.op) + " " + std::string(toleration.value);
}

std::string ValuesText(const WorkloadLine& line, std::size_t shown_max) {
  std::vector<std::string> texts;
  for (const PodsAtValue& one : line.values) {
    if (std::ranges::find(texts, one.value) == texts.end()) texts.push_back(one.value);
  }
  if (texts.empty()) return "<none>";
  std::string text;
  for (std::size_t i = 0; i < std::min(texts.size(), shown_max); ++i) {
    text += (i == 0 ? "" : ",") + texts[i];
  }
  if (texts.size() > shown_max) text += ",+" + std::to_string(texts.size() - shown_max);
  return text;
}

Style StyleOf(const WorkloadLine& line) {
  if (line.beyond > 0) return Style::Bad;
  return line.near.empty() ? Style::Plain : Style::Warning;
}

std::vector<Cell> CellsOf(const WorkloadLine& line, bool shows_namespaces, bool is_wide) {
  const api::Toleration& toleration = *line.toleration;
  const Style style = StyleOf(line);
  std::vector<Cell> cells;
  if (shows_namespaces) cells.emplace_back(TextOrNone(line.namespace_));
  const PodsAtValue* const closest = line.closest();
  cells.insert(cells.end(),
               {line.workload, std::string(toleration.key), LineText(toleration),
                ValuesText(line, is_wide ? line.values.size() + 1 : kValuesShown),
                Cell(closest == nullptr ? "<none>" : closest->distance.text, style),
                std::to_string(line.pods), Cell(std::to_string(line.near.size()), style),
                Cell(std::to_string(line.beyond), style)});
  if (is_wide) {
    const auto seconds = toleration.toleration_seconds;
    cells.insert(cells.end(), {std::to_string(line.nodes.size()), TextOrNone(toleration.effect),
                               seconds ? std::to_string(*seconds) : "<none>",
                               line.near.empty() ? "<none>" : ListText(FullNames(line.near))});
  }
  return cells;
}

void PrintTables(const LinesReport& report, bool shows_namespaces, bool is_wide, Context& context) {
  std::vector<std::string> header;
  if (shows_namespaces) header.emplace_back("NAMESPACE");
  header.insert(header.end(),
                {"WORKLOAD", "KEY", "LINE", "VALUES", "MARGIN", "PODS", "NEAR", "BEYOND"});
  if (is_wide) header.insert(header.end(), {"NODES", "EFFECT", "SECONDS", "NEAR-PODS"});
  std::vector<std::vector<Cell>> rows;
  for (const WorkloadLine& line : report.lines) {
    rows.push_back(CellsOf(line, shows_namespaces, is_wide));
  }
  if (!rows.empty()) PrintTable(header, rows, context.out_look, context.out);
}

/// Returns `to 5 moves 2 pods: a, b`. Only NoExecute moves pods; other effects refuse them.
std::string StepText(const NextStep& step, std::string_view effect, bool is_wide) {
  if (step.pods == 0) return "<none>";
  return "to " + step.value + (effect == "NoExecute" ? " moves " : " refuses ") +
         CountText(step.pods, "pod") + ": " +
         ListText(step.workloads, is_wide ? step.workloads.size() : kWorkloadsShown);
}

void PrintKeys(const LinesReport& report, bool is_wide, Context& context) {
  bool is_first = report.lines.empty();
  for (const KeySurvey& key : report.keys) {
    if (!is_first) context.out << '\n';
    is_first = false;
    StyledText title;
    title.Add(key.key + ":" + key.effect, Style::Heading);
    Write(title.Add("\n"), context.out_look, context.out);
    const bool has_down = std::ranges::any_of(
        key.values, [](const ValueSurvey& value) { return value.down.pods > 0; });
    std::vector<std::string> header = {"VALUE", "NODES", "PODS", "ALLOWED"};
    if (has_down) header.emplace_back("IF IT FALLS");
    header.emplace_back("IF IT RISES");
    std::vector<std::vector<Cell>> rows;
    for (const ValueSurvey& value : key.values) {
      std::vector<Cell>& row = rows.emplace_back();
      row = {value.value.empty() ? "\"\"" : value.value, std::to_string(value.nodes),
             std::to_string(value.pods),
             std::to_string(value.allowed) + "/" + std::to_string(key.pods)};
      if (has_down) row.emplace_back(StepText(value.down, key.effect, is_wide));
      row.emplace_back(StepText(value.up, key.effect, is_wide));
    }
    PrintTable(header, rows, context.out_look, context.out);
  }
}

void PrintNames(const LinesReport& report, Context& context) {
  std::set<std::string> seen;  // a pod may be near several lines
  for (const WorkloadLine& line : report.lines) {
    for (const ObjectPtr& pod : line.near) {
      if (seen.insert(FullNames({pod}).front()).second) {
        context.out << ResourceName(*pod) << '\n';
      }
    }
  }
}

Value LineTree(const WorkloadLine& line, Document& document) {
  const api::Toleration& toleration = *line.toleration;
  Value tree = document.NewObject();
  SetText(document, tree, "namespace", line.namespace_);
  SetText(document, tree, "workload", line.workload);
  SetText(document, tree, "key", toleration.key);
  SetText(document, tree, "operator", toleration.op);
  SetText(document, tree, "value", toleration.value);
  SetText(document, tree, "effect", toleration.effect);
  if (toleration.toleration_seconds) {
    document.Set(tree, "tolerationSeconds", Value::Int(*toleration.toleration_seconds));
  }
  SetCount(document, tree, "pods", line.pods);
  SetCount(document, tree, "nodes", line.nodes.size());
  if (line.closest() != nullptr) SetText(document, tree, "margin", line.closest()->distance.text);
  SetList(document, tree, "values", line.values, [&](const PodsAtValue& one) {
    Value entry = document.NewObject();
    SetText(document, entry, "value", one.value);
    SetText(document, entry, "effect", one.effect);
    SetText(document, entry, "margin", one.distance.text);
    SetCount(document, entry, "pods", one.pods);
    return entry;
  });
  SetTexts(document, tree, "nearPods", FullNames(line.near));
  SetCount(document, tree, "podsBeyond", line.beyond);
  return tree;
}

void SetStep(std::string_view name, const NextStep& step, Document& document, Value& tree) {
  if (step.pods == 0) return;
  Value entry = document.NewObject();
  SetText(document, entry, "value", step.value);
  SetCount(document, entry, "pods", step.pods);
  SetTexts(document, entry, "workloads", step.workloads);
  document.Set(tree, name, entry);
}

Value KeyTree(const KeySurvey& key, Document& document) {
  Value tree = document.NewObject();
  SetText(document, tree, "key", key.key);
  SetText(document, tree, "effect", key.effect);
  SetCount(document, tree, "pods", key.pods);
  SetList(document, tree, "values", key.values, [&](const ValueSurvey& value) {
    Value entry = document.NewObject();
    SetText(document, entry, "value", value.value);
    SetCount(document, entry, "nodes", value.nodes);
    SetCount(document, entry, "pods", value.pods);
    SetCount(document, entry, "podsAllowed", value.allowed);
    SetStep("ifItFalls", value.down, document, entry);
    SetStep("ifItRises", value.up, document, entry);
    return entry;
  });
  return tree;
}

}  // namespace

void PrintLines(const LinesReport& report, bool shows_namespaces, OutputFormat format,
                Context& context) {
  if (format == OutputFormat::Name) return PrintNames(report, context);
  if (IsTree(format)) {
    Document document;
    Value root = document.NewObject();
    SetList(document, root, "lines", report.lines,
            [&](const WorkloadLine& line) { return LineTree(line, document); });
    SetList(document, root, "taints", report.keys,
            [&](const KeySurvey& key) { return KeyTree(key, document); });
    return WriteTree(root, format, context.out);
  }
  if (report.lines.empty() && report.keys.empty()) {
    context.err << "No thresholds found\n";
    return;
  }
  const bool is_wide = format == OutputFormat::Wide;
  PrintTables(report, shows_namespaces, is_wide, context);
  PrintKeys(report, is_wide, context);
}

}  // namespace plimsoll::cli
