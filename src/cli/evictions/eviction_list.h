#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/feature_gates.h"
#include "base/time.h"
#include "cli/explain/cluster_snapshot.h"
#include "match/rules.h"

namespace plimsoll::cli {

enum class EvictionState : std::uint8_t {
  HeldBack,  // due, and a limit holds it back
  Due,       // due, and nothing is known to hold it back
  Waiting,   // a countdown runs
  Running,   // the pod terminates
};
std::string_view ToText(EvictionState state);

/// An eviction that is to happen or is in progress.
struct EvictionRow {
  EvictionState state = EvictionState::Waiting;
  ObjectPtr pod;
  std::optional<Instant> due;  // end of the countdown, or of the grace period of a running one
  std::string why;
};

/// State of an EvictionPolicy.
struct PolicyRow {
  std::string name;
  std::int64_t waiting = 0;
  std::int64_t held_back = 0;
  std::int64_t evicted = 0;
  std::string held_by;  // `Budget 3, Rate 20`
  std::string next_due;
  bool is_paused = false;
  std::vector<std::string> tripped;  // scopes of tripped breakers; `cluster` without a scope
};

/// Objects that tell about evictions.
struct EvictionObjects {
  std::vector<ObjectPtr> pods;
  std::vector<ObjectPtr> nodes;
  std::vector<ObjectPtr> policies;
  std::vector<ObjectPtr> delays;  // events EvictionDelayed
};

/// Returns the evictions: held back, due, waiting by their time, running.
std::vector<EvictionRow> ListEvictions(const EvictionObjects& objects,
                                       const api::FeatureGates& gates, const match::Rules& rules,
                                       Instant now);

/// Returns the policies by name.
std::vector<PolicyRow> ListPolicies(const std::vector<ObjectPtr>& policies);

}  // namespace plimsoll::cli
