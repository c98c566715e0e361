#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/output/styled_text.h"
#include "codec/document.h"

namespace plimsoll::cli {

enum class Severity : std::uint8_t { Error, Warning, Hint };

/// A message about a place in a manifest.
struct Finding {
  Severity severity = Severity::Error;
  std::string file;
  std::uint32_t line = 0;
  std::string object;  // Pod "web"; empty if none was decoded
  std::string name;    // of the object as kubectl prints it: pod/web
  std::string field;   // empty if no single field is wrong
  std::string kind;    // for a hint: StrictThreshold, …; for an error: FieldValueInvalid, …
  std::string message;
};

/// Results of a check over all sources.
struct CheckReport {
  std::size_t objects = 0;
  std::vector<Finding> findings;

  std::size_t Count(Severity severity) const;
};

/// Returns one line per finding, `file:12: error: …`, and a summary.
StyledText ReportText(const CheckReport& report);
/// Returns the report for programs.
codec::Value ReportTree(const CheckReport& report, codec::Document& document);
/// Returns the objects with errors, `pod/web`, without repetition. `with_hints`: also those with
/// hints.
std::vector<std::string> NamesOfFaulty(const CheckReport& report, bool with_hints);

}  // namespace plimsoll::cli
