#pragma once

#include <string>
#include <vector>

#include "cli/explain/cluster_snapshot.h"

namespace plimsoll::cli {

/// Pods with equal demands: one class of the scheduler. Pods with claims or volumes of their own
/// are groups of one.
struct PodGroup {
  std::vector<ObjectPtr> pods;  // not empty; sorted by namespace and name

  const api::Pod& first() const { return *pods.front()->As<api::Pod>(); }
};

/// Returns the groups of these pods, sorted by their first pods. Pods that have ended are left out.
std::vector<PodGroup> GroupPods(ClusterSnapshot& cluster, const std::vector<ObjectPtr>& pods);

/// Returns the full names of the pods.
std::vector<std::string> FullNames(const std::vector<ObjectPtr>& pods);

/// Number of pods with the same toleration of a taint, and the same distance to its threshold.
struct ToleranceGroup {
  std::string toleration;
  std::string margin;
  std::vector<std::string> pods;  // full names
};

/// Pods that tolerate a taint, those with the smallest margin first, and those that do not.
struct TaintTolerances {
  std::vector<ToleranceGroup> groups;
  std::size_t tolerating = 0;
  std::size_t refusing = 0;
};
TaintTolerances FindTolerances(const api::Taint& taint, const std::vector<PodGroup>& groups,
                               const match::Rules& rules);

}  // namespace plimsoll::cli
