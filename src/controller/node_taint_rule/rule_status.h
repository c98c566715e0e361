#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/object.h"
#include "base/time.h"

/// The status of a NodeTaintRule.
namespace plimsoll::controller {

/// Conflicts that a status lists.
inline constexpr std::size_t kConflictsShownMax = 10;

struct RuleConflict {
  std::string node;
  std::string manager;  // empty: unknown
  std::string value;
};

/// Observations about a rule.
struct RuleReport {
  std::size_t selected = 0;
  std::size_t stale = 0;
  std::size_t tainted = 0;
  std::vector<std::string> values;      // of the selected nodes, in any order
  std::vector<RuleConflict> conflicts;  // the first ones
  std::size_t conflict_count = 0;
  std::optional<bool> is_healthy;  // unset: unknown yet
  std::string health_reason;
  std::string health_message;
  std::optional<Instant> last_success;
};

/// Difference between the stored status and a report.
enum class StatusDifference : std::uint8_t { None, OnlySuccess, Some };

/// A status that is ready to be written.
struct RuleStatus {
  StatusDifference difference = StatusDifference::None;
  std::string patch;  // merge patch for exactly this version of the rule
};

/// Compares the status of the rule with the report.
RuleStatus StatusOf(const api::Object& rule, const RuleReport& report, Instant now);

}  // namespace plimsoll::controller
