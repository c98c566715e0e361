#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

/// Taints of nodes that end by themselves.
namespace plimsoll::cli {

/// A taint for some nodes and some time.
struct ExpiringTaint {
  std::vector<std::string> nodes;
  std::string key;
  std::string value;
  std::string effect;
  Duration lasts{};
  std::string reason;  // for people; may be empty
};

/// Longest time of an expiring taint.
inline constexpr Duration kExpiringTaintMax = std::chrono::hours(24 * 30);

/// Returns the name of the rule. Equal taints of equal nodes have equal names, so that a second
/// call prolongs the first one.
std::string ExpiringRuleName(const ExpiringTaint& taint);

/// Returns a NodeTaintRule as JSON, which node-taint-rule-controller removes together with the
/// taint when the time is over. Invalid, with the field, if there is no node or a value is not
/// allowed.
Result<std::string> MakeExpiringRule(const ExpiringTaint& taint, Instant now);

}  // namespace plimsoll::cli
