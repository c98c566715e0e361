#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "cli/preview/eviction_forecast.h"

namespace plimsoll::cli {

/// Expected end of evictions under the EvictionPolicies.
struct PolicyForecast {
  std::vector<std::string> policies;        // that select at least one of the evictions
  std::optional<Instant> end;               // of the last eviction; unset: there is none
  std::map<std::string, std::size_t> held;  // pods without a foreseeable end, by limit
};

/// Objects that the selectors of policies read.
struct PolicyContext {
  std::span<const ObjectPtr> policies;
  std::span<const ObjectPtr> objects;  // namespaces, nodes and pods
  std::vector<std::string> taint_keys;
  Instant now;
};

/// Computes when the last of the departures happens if the limits `settle`, `rate`, `breaker`,
/// `paused` and `deadline` hold them back. Budgets and `maxUnavailable` depend on when replacements
/// become ready, so they are not part of it. REQUIRES: the departures are in order of time.
PolicyForecast ForecastPolicies(std::span<const Departure> departures,
                                const PolicyContext& context);

/// Returns the names of the policies that make an eviction with these taint keys respect budgets.
std::vector<std::string> PoliciesRespectingBudgets(const PolicyContext& context);

}  // namespace plimsoll::cli
