#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "api/feature_gates.h"
#include "base/metrics.h"
#include "base/result.h"
#include "controller/controller.h"
#include "controller/eviction_journal.h"
#include "controller/eviction_policy/eviction_gate.h"
#include "controller/node_lifecycle/node_lifecycle.h"
#include "controller/work_queue_metrics.h"
#include "match/rules.h"

namespace plimsoll::controller {

/// Options of individual controllers.
struct ControllerSettings {
  NodeLifecycleOptions node_lifecycle;
  /// True if the server tracks the owner of each taint of a node: see NodeTaintRuleOptions.
  bool owns_single_taints = true;
};

/// Dependencies of the controllers. They must outlive the controllers.
struct ControllerParts {
  const api::FeatureGates& gates;
  const match::Rules& rules;
  MetricsRegistry& metrics;
  ControllerSettings settings = {};
  WorkQueueMetrics* queues = nullptr;  // null: the work queues are not measured
  /// Set by MakeControllers if eviction-history-controller is enabled. Null: facts about evictions
  /// are not kept.
  EvictionJournal* eviction_journal = nullptr;
  /// Made by MakeControllers if eviction-policy-controller is enabled. Without it, the evictors
  /// ignore EvictionPolicies.
  std::shared_ptr<EvictionGate> eviction_gate = {};
};

/// Returns the names of all controllers.
std::vector<std::string_view> ControllerNames();

/// Makes the controllers that a `--controllers` list enables: `*` is all, `-name` excludes one. The
/// suffix `-controller` may be omitted. Fails with Invalid if a name is unknown.
Result<std::vector<std::unique_ptr<Controller>>> MakeControllers(std::string_view list,
                                                                 const ControllerParts& parts);

/// Returns true if controllers evict pods by taints without asking for EvictionPolicies.
bool IgnoresEvictionPolicies(std::span<const std::unique_ptr<Controller>> controllers);

}  // namespace plimsoll::controller
