#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/toleration.h"
#include "api/object.h"
#include "match/rules.h"
#include "match/threshold_line.h"

/// Survey of how near the pods of a cluster are to the thresholds of their tolerations.
namespace plimsoll::controller {

/// Returns the workload that owns the pod, as `deployment/web`; `pod/NAME` if none does. The name
/// of a Deployment is derived from the pod's label `pod-template-hash`.
std::string WorkloadOf(const api::Object& pod);

/// Pods of a workload that stand on nodes with the same value of a taint.
struct PodsAtValue {
  std::string value;
  std::string effect;  // of the taint
  match::LineDistance distance;
  std::size_t pods = 0;
};

/// A threshold of a workload, and the nodes on which its pods stand.
struct WorkloadLine {
  std::string namespace_;
  std::string workload;
  const api::Toleration* toleration = nullptr;  // points into a pod
  std::size_t pods = 0;
  std::set<std::string_view> nodes;  // with a taint of the toleration's key and effect
  std::vector<PodsAtValue> values;   // smallest distance first
  /// Pods within 10 % of the line. A pod does not count if another toleration lets it stay.
  std::vector<std::shared_ptr<const api::Object>> near;
  std::size_t beyond = 0;  // pods on nodes whose taint no toleration tolerates

  /// Returns the smallest distance, or null if no pod stands on a node with such a taint.
  const PodsAtValue* closest() const { return values.empty() ? nullptr : &values.front(); }
  std::size_t at_risk() const { return near.size() + beyond; }
};

/// Returns the thresholds of all pods for taints with this key; empty: for all keys. The smallest
/// distance comes first. Pods that terminate or have ended are left out. Takes time in proportion
/// to the pods and nodes, since pods with equal tolerations are compared once per taint.
std::vector<WorkloadLine> SurveyLines(std::span<const std::shared_ptr<const api::Object>> pods,
                                      std::span<const std::shared_ptr<const api::Object>> nodes,
                                      const match::Rules& rules, std::string_view key);

}  // namespace plimsoll::controller
