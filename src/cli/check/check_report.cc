#include "cli/check/check_report.h"

#include <algorithm>
#include <ostream>
#include <string_view>

#include "cli/output/json_fields.h"
#include "codec/json.h"

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

void PrintText(const CheckReport& report, std::ostream& out) {
  for (const Finding& finding : report.findings) {
    out << finding.file << ':' << finding.line << ": " << ToText(finding.severity) << ": "
        << finding.message << '\n';
  }
  const std::size_t errors = report.Count(Severity::Error);
  out << Counted(report.objects, "object") << ": "
      << (errors == 0 ? "valid" : Counted(errors, "error"));
  const std::size_t warnings = report.Count(Severity::Warning);
  if (warnings != 0) out << ", " << Counted(warnings, "warning");
  const std::size_t hints = report.Count(Severity::Hint);
  if (hints != 0) out << ", " << Counted(hints, "hint");
  out << '\n';
}

void PrintJson(const CheckReport& report, std::ostream& out) {
  codec::Document document;
  codec::Value& root = document.root();
  root = document.NewObject();
  SetCount(document, root, "objects", report.objects);
  SetCount(document, root, "errors", report.Count(Severity::Error));
  SetCount(document, root, "warnings", report.Count(Severity::Warning));
  SetCount(document, root, "hints", report.Count(Severity::Hint));
  SetList(document, root, "findings", report.findings,
          [&](const Finding& finding) { return FindingTree(finding, document); });
  out << codec::WriteJsonPretty(root) << '\n';
}

}  // namespace plimsoll::cli
