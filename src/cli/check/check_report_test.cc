#include "cli/check/check_report.h"

#include <gtest/gtest.h>

#include <sstream>

#include "codec/json.h"

namespace plimsoll::cli {
namespace {

CheckReport Sample() {
  CheckReport report{.objects = 1};
  report.findings.push_back({.file = "f.yaml", .line = 3, .field = "spec.x", .message = "broken"});
  report.findings.push_back(
      {.severity = Severity::Hint, .file = "f.yaml", .line = 4, .message = "odd"});
  report.findings.push_back(
      {.severity = Severity::Hint, .file = "f.yaml", .line = 5, .message = "odd"});
  return report;
}

TEST(ReportTest, ReadsAsLinesAndACount) {
  EXPECT_EQ(ReportText(Sample()).plain(),
            "f.yaml:3: error: broken\nf.yaml:4: hint: odd\nf.yaml:5: hint: odd\n"
            "1 object: 1 error, 2 hints\n");
  EXPECT_EQ(ReportText({.objects = 2, .findings = {}}).plain(), "2 objects: valid\n");
  EXPECT_EQ(ReportText({.objects = 0, .findings = {}}).plain(), "0 objects\n");
}

TEST(ReportTest, ErrorsAreRedAndHintsYellow) {
  std::ostringstream out;
  CheckReport report = Sample();
  report.findings.resize(2);
  Write(ReportText(report), {.has_colour = true}, out);
  EXPECT_EQ(out.str(),
            "f.yaml:3: \x1b[31merror\x1b[0m: broken\nf.yaml:4: \x1b[33mhint\x1b[0m: odd\n"
            "1 object: \x1b[31m1 error\x1b[0m, \x1b[33m1 hint\x1b[0m\n");
}

TEST(ReportTest, LeavesEmptyFieldsOutOfTheTree) {
  CheckReport report = Sample();
  report.findings.resize(1);
  codec::Document document;
  EXPECT_EQ(codec::WriteJsonPretty(ReportTree(report, document)), R"({
    "objects": 1,
    "errors": 1,
    "warnings": 0,
    "hints": 0,
    "findings": [
        {
            "severity": "error",
            "file": "f.yaml",
            "line": 3,
            "field": "spec.x",
            "message": "broken"
        }
    ]
})");
}

TEST(ReportTest, NamesEachFaultyObjectOnce) {
  CheckReport report;
  for (const std::string name : {"pod/a", "pod/a", "", "node/b"}) {
    report.findings.push_back({.name = name, .message = "broken"});
  }
  report.findings.push_back({.severity = Severity::Hint, .name = "pod/c", .message = "odd"});
  report.findings.push_back({.severity = Severity::Warning, .name = "pod/d", .message = "new"});
  EXPECT_EQ(NamesOfFaulty(report, false), (std::vector<std::string>{"pod/a", "node/b"}));
  EXPECT_EQ(NamesOfFaulty(report, true), (std::vector<std::string>{"pod/a", "node/b", "pod/c"}));
}

}  // namespace
}  // namespace plimsoll::cli
