#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace plimsoll::cli {

enum class Severity : std::uint8_t { Error, Warning, Hint };

/// A message about a place in a manifest.
struct Finding {
  Severity severity = Severity::Error;
  std::string file;
  std::uint32_t line = 0;
  std::string object;  // Pod "web"; empty if none was decoded
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

/// Prints one line per finding, `file:12: error: …`, and a summary.
void PrintText(const CheckReport& report, std::ostream& out);
void PrintJson(const CheckReport& report, std::ostream& out);

}  // namespace plimsoll::cli
