#pragma once

#include <optional>
#include <string>

#include "api/feature_gates.h"
#include "base/time.h"
#include "cli/explain_cluster.h"
#include "match/rules.h"

namespace plimsoll::cli {

/// An eviction from its node that awaits a pod because of NoExecute taints.
struct PendingEviction {
  std::optional<Instant> at;    // unset: at once
  bool is_time_certain = true;  // false: nobody wrote when the taint was set; this is the latest
  std::string why;
};

/// What the taint-eviction controller would do about the pod, if the node is its own.
std::optional<PendingEviction> FindEviction(const ObjectPtr& pod, const ObjectPtr& node,
                                            const api::FeatureGates& gates,
                                            const match::Rules& rules, Instant now);

}  // namespace plimsoll::cli
