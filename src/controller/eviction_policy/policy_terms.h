#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/plimsoll/eviction_policy.h"
#include "api/selector/selector.h"
#include "base/time.h"

namespace plimsoll::controller {

/// Means of an eviction, from the least to the most careful.
enum class EvictionVia : std::uint8_t { Delete, Eviction, EvictionRequest };

/// Limit that holds an eviction back, as in `status.heldBackBy`.
enum class HoldReason : std::uint8_t { Settle, Paused, Breaker, Budget, MaxUnavailable, Rate };
inline constexpr std::size_t kHoldReasons = 6;
std::string_view ToText(HoldReason reason);

enum class BreakerScope : std::uint8_t { Cluster, Namespace, Zone };

/// A number, or a percentage.
struct Amount {
  std::int64_t value = 0;
  bool is_percent = false;

  /// Returns the number, or the percentage of `total` rounded up: small workloads must move too.
  std::int64_t Of(std::int64_t total) const;
};

/// The specification of an EvictionPolicy, parsed. Owns its texts.
struct PolicyTerms {
  struct Rate {
    Duration interval{};  // between two evictions
    std::int64_t burst = 1;
  };
  struct Breaker {
    Duration window{};
    std::optional<std::int64_t> max_pods;
    std::optional<std::int64_t> max_percent;
    BreakerScope per = BreakerScope::Cluster;
  };

  std::vector<std::string> taint_keys;  // empty: all
  api::Selector pods;
  api::Selector namespaces;
  api::Selector nodes;
  Duration settle{};
  std::optional<Rate> rate;
  std::optional<Amount> max_unavailable;
  std::optional<Duration> budgets;  // atMost, Duration::max() for never; unset: ignored
  std::optional<Breaker> breaker;
  std::optional<Duration> deadline;
  bool is_paused = false;
  Instant resumed_at = Instant::min();
  EvictionVia via = EvictionVia::Delete;
  std::string fault;  // why the specification is invalid; its evictions are then paused

  /// Returns true if evictions must be written to the policy's status before they are released.
  bool needs_ledger() const {
    return rate.has_value() || breaker.has_value() || max_unavailable.has_value() ||
           budgets.has_value();
  }
  bool MatchesTaint(std::string_view key) const;
};

/// Parses the specification. `fault` names the first field that cannot be parsed: a limit that
/// nobody understands must not be ignored. An invalid selector selects nothing.
PolicyTerms ReadTerms(const api::EvictionPolicySpec& spec);

}  // namespace plimsoll::controller
