#include "cli/check/check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/output/display_width.h"
#include "cli/output/json_fields.h"

namespace plimsoll::cli {
namespace {

std::string_view ToText(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Hint:
      return "hint";
  }
  return {};
}

Style StyleOf(Severity severity) {
  return severity == Severity::Error ? Style::Bad : Style::Warning;
}

std::string Counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

codec::Value FindingTree(const Finding& finding, codec::Document& document) {
  codec::Value tree = document.NewObject();
  SetText(document, tree, "severity", ToText(finding.severity));
  SetText(document, tree, "file", finding.file);
  SetCount(document, tree, "line", finding.line);
  SetText(document, tree, "object", finding.object);
  SetText(document, tree, "field", finding.field);
  SetText(document, tree, "kind", finding.kind);
  SetText(document, tree, "message", finding.message);
  return tree;
}

}  // namespace

std::size_t CheckReport::Count(Severity severity) const {
  return static_cast<std::size_t>(std::ranges::count(findings, severity, &Finding::severity));
}

StyledText ReportText(const CheckReport& report) {
  StyledText out;
  for (const Finding& finding : report.findings) {
    out.Add(fmt::format("{}:{}: ", Printable(finding.file), finding.line));
    out.Add(ToText(finding.severity), StyleOf(finding.severity));
    out.Add(fmt::format(": {}\n", finding.message));
  }
  const std::size_t errors = report.Count(Severity::Error);
  out.Add(Counted(report.objects, "object"));
  if (report.objects == 0) return out.Add("\n");
  out.Add(": ");
  out.Add(errors == 0 ? "valid" : Counted(errors, "error"), errors == 0 ? Style::Good : Style::Bad);
  for (const Severity severity : {Severity::Warning, Severity::Hint}) {
    const std::size_t count = report.Count(severity);
    if (count != 0) out.Add(", ").Add(Counted(count, ToText(severity)), StyleOf(severity));
  }
  out.Add("\n");
  return out;
}

codec::Value ReportTree(const CheckReport& report, codec::Document& document) {
  codec::Value root = document.NewObject();
  SetCount(document, root, "objects", report.objects);
  SetCount(document, root, "errors", report.Count(Severity::Error));
  SetCount(document, root, "warnings", report.Count(Severity::Warning));
  SetCount(document, root, "hints", report.Count(Severity::Hint));
  SetList(document, root, "findings", report.findings,
          [&](const Finding& finding) { return FindingTree(finding, document); });
  return root;
}

std::vector<std::string> NamesOfFaulty(const CheckReport& report, bool with_hints) {
  std::vector<std::string> names;
  for (const Finding& finding : report.findings) {
    const bool is_fault =
        finding.severity == Severity::Error || (with_hints && finding.severity == Severity::Hint);
    if (!is_fault || finding.name.empty()) continue;
    if (std::ranges::find(names, finding.name) == names.end()) names.push_back(finding.name);
  }
  return names;
}

}  // namespace plimsoll::cli
