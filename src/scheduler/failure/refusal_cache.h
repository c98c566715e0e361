#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/diagnosis.h"

namespace plimsoll::scheduler {

/// Keeps the last diagnosis of each unschedulable pod. Also keeps a diagnosis for each class that
/// holds for all its pods until something changes.
class RefusalCache {
 public:
  using Shared = std::shared_ptr<const Diagnosis>;

  /// REQUIRES: `cluster` outlives the cache.
  explicit RefusalCache(const ClusterState& cluster) : cluster_(cluster) {}

  // By class.

  /// Ends the validity of all refusals, because an object other than a pod or node has changed.
  /// Changes of pods and nodes are in the cluster's journal.
  void Invalidate() { ++other_changes_; }
  /// Returns the diagnosis that another attempt would have; null if it must be made.
  Shared Find(PodId pod, std::size_t profile) const;
  /// Stores the refusal for the pod's class. No effect if it may not hold for the other pods.
  void Store(PodId pod, std::size_t profile, Shared diagnosis);

  // By pod.

  void SetLast(PodId pod, Shared diagnosis);
  /// Returns why the pod was last refused; null if it was not, or is no longer pending.
  const Diagnosis* Last(PodId pod) const { return pod < last_.size() ? last_[pod].get() : nullptr; }
  void ClearLast(PodId pod) {
    if (pod < last_.size()) last_[pod].reset();
  }

 private:
  struct ClassRefusal {
    std::uint64_t serial = 0;   // serial of the class
    std::uint64_t version = 0;  // Version() when it was stored
    std::size_t profile = 0;
    Shared diagnosis;
  };

  /// Returns a number that grows with every change of the cluster.
  std::uint64_t Version() const { return cluster_.journal().end() + other_changes_; }
  /// Returns true if the answer for the pod depends only on its class and the cluster.
  bool HoldsForClass(const PodRecord& pod) const;

  const ClusterState& cluster_;
  std::vector<ClassRefusal> classes_;  // indexed by ClassId
  std::vector<Shared> last_;           // indexed by PodId
  std::uint64_t other_changes_ = 0;
};

}  // namespace plimsoll::scheduler
