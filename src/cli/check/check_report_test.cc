#include "cli/check/check_report.h"

#include <gtest/gtest.h>

#include <sstream>

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
  std::ostringstream out;
  PrintText(Sample(), out);
  EXPECT_EQ(out.str(),
            "f.yaml:3: error: broken\nf.yaml:4: hint: odd\nf.yaml:5: hint: odd\n"
            "1 object: 1 error, 2 hints\n");
  std::ostringstream none;
  PrintText({.objects = 2, .findings = {}}, none);
  EXPECT_EQ(none.str(), "2 objects: valid\n");
}

TEST(ReportTest, LeavesEmptyFieldsOutOfJson) {
  std::ostringstream out;
  CheckReport report = Sample();
  report.findings.resize(1);
  PrintJson(report, out);
  EXPECT_EQ(out.str(), R"({
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
}
)");
}

}  // namespace
}  // namespace plimsoll::cli
