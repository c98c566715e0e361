#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace plimsoll::cli {

enum class Severity : std::uint8_t { Error, Warning, Hint };

/// Something to say about a place in a manifest.
struct Finding {
  Severity severity = Severity::Error;
  std::string file;
  std::uint32_t line = 0;
  std::string object;  // Pod "web"; empty when none could be read
  std::string field;   // empty when no single field is at fault
  std::string kind;    // of a hint: StrictThreshold, …; of an error: FieldValueInvalid, …
  std::string message;
};

/// What a check found, over all sources.
struct Report {
  std::size_t objects = 0;
  std::vector<Finding> findings;

  std::size_t Count(Severity severity) const;
};

/// `file:12: error: …` a line each, and a closing line that counts.
void PrintText(const Report& report, std::ostream& out);
void PrintJson(const Report& report, std::ostream& out);

}  // namespace plimsoll::cli
