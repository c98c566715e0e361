#include "cli/check/check_report.h"

#include <algorithm>
#include <ostream>
#include <string_view>

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
  const auto set = [&](std::string_view key, std::string_view text) {
    if (!text.empty()) document.Set(tree, key, document.NewString(text));
  };
  set("severity", ToText(finding.severity));
  set("file", finding.file);
  document.Set(tree, "line", codec::Value::Int(finding.line));
  set("object", finding.object);
  set("field", finding.field);
  set("kind", finding.kind);
  set("message", finding.message);
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
  const auto set = [&](std::string_view key, std::size_t count) {
    document.Set(root, key, codec::Value::Int(static_cast<std::int64_t>(count)));
  };
  set("objects", report.objects);
  set("errors", report.Count(Severity::Error));
  set("warnings", report.Count(Severity::Warning));
  set("hints", report.Count(Severity::Hint));
  codec::Value findings = document.NewArray(report.findings.size());
  for (const Finding& finding : report.findings) {
    document.Append(findings, FindingTree(finding, document));
  }
  document.Set(root, "findings", findings);
  out << codec::WriteJsonPretty(root) << '\n';
}

}  // namespace plimsoll::cli
