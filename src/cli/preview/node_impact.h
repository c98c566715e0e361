#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/feature_gates.h"
#include "base/time.h"
#include "cli/explain/cluster_snapshot.h"
#include "cli/preview/eviction_forecast.h"
#include "cli/preview/policy_forecast.h"
#include "cli/preview/replacement_room.h"
#include "match/rules.h"

namespace plimsoll::cli {

/// A node before and after a change.
struct NodeChange {
  ObjectPtr before;
  ObjectPtr after;
};

/// Cluster in which a change is previewed.
struct PreviewCluster {
  std::vector<ObjectPtr> objects;   // that a scheduler watches
  std::vector<ObjectPtr> policies;  // EvictionPolicies
  std::string policies_unread;      // why they are unknown; empty: they are known
  api::FeatureGates gates;
  match::Rules rules;
  scheduler::SchedulerOptions scheduler;
  Instant now;
};

/// Pods that stay for the same reason.
struct StayingPods {
  std::string workload;  // namespace/kind/name
  std::string why;
  std::vector<ObjectPtr> pods;
};

/// A disruption budget of pods that go.
struct BudgetImpact {
  std::string name;          // namespace/name
  std::int64_t going = 0;    // healthy pods of the budget that go
  std::int64_t allowed = 0;  // disruptions that it allows now

  std::int64_t excess() const { return going > allowed ? going - allowed : 0; }
};

/// Consequences of a change of nodes.
struct NodeImpact {
  Instant now;
  std::vector<std::string> nodes;     // names of the changed nodes
  std::vector<Departure> going;       // evictions that happen because of the change
  std::vector<Departure> unchanged;   // evictions from these nodes that happen in any case
  std::vector<Departure> cancelled;   // evictions that the change prevents; with their time
  std::vector<StayingPods> staying;   // pods on the changed nodes that no taint evicts
  std::vector<BudgetImpact> budgets;  // that select pods which go
  std::vector<std::string> policies_with_budgets;  // policies that make evictions wait for budgets
  PolicyForecast policies;
  ReplacementRoom room;
};

/// Returns who goes, when and where to, as the controllers would do it. Nothing is written.
/// `taint_keys` are the keys of the changed taints, by which EvictionPolicies select evictions.
Result<NodeImpact> ImpactOfNodes(const PreviewCluster& cluster, std::span<const NodeChange> changes,
                                 const std::vector<std::string>& taint_keys);

/// Returns the evictions from these nodes without and with the change, in order of time.
struct TaintForecast {
  std::vector<Departure> before;
  std::vector<Departure> after;
};
TaintForecast ForecastTaints(const PreviewCluster& cluster, std::span<const NodeChange> changes);

/// Returns the budgets that select pods of the departures, by name.
std::vector<BudgetImpact> ImpactOnBudgets(std::span<const Departure> going,
                                          std::span<const ObjectPtr> objects);

/// Returns `namespace/kind/name` of the workload that owns the pod.
std::string FullWorkload(const api::Object& pod);

}  // namespace plimsoll::cli
