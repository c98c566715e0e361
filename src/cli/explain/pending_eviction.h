#pragma once

#include <optional>
#include <string>

#include "api/feature_gates.h"
#include "base/time.h"
#include "cli/explain/cluster_snapshot.h"
#include "codec/document.h"
#include "match/rules.h"

namespace plimsoll::cli {

/// A pending eviction of a pod because of NoExecute taints.
struct PendingEviction {
  std::optional<Instant> at;    // unset: immediately
  bool is_time_certain = true;  // false: a taint has no timeAdded; `at` is the latest time
  std::string why;
};

/// Returns what the taint-eviction controller would do. REQUIRES: the pod is bound to `node`.
std::optional<PendingEviction> FindEviction(const ObjectPtr& pod, const ObjectPtr& node,
                                            const api::FeatureGates& gates,
                                            const match::Rules& rules, Instant now);

/// Returns the eviction for `-o json`.
codec::Value EvictionTree(const PendingEviction& eviction, codec::Document& document);

}  // namespace plimsoll::cli
