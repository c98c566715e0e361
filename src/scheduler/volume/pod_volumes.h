#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/persistent_volume.h"
#include "base/bitmap.h"
#include "base/result.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/volume/assumed_bindings.h"
#include "scheduler/volume/node_condition.h"

/// Requirements of a pod's claims on a node. `PodVolumes::Gather` computes once what does not
/// depend on the node. Each node then only needs a few checks of conditions.
///
/// A bound claim restricts the pod to the nodes of its volume. A WaitForFirstConsumer claim takes
/// the smallest free volume that matches and is usable on the node. If there is none, its class's
/// provisioner may create one.
namespace plimsoll::scheduler {

struct BoundClaim {
  ObjectPtr volume;  // null if the volume does not exist
  NodeCondition where;
};

/// A volume that an unbound claim can bind to.
struct CandidateVolume {
  ObjectPtr volume;
  NodeCondition where;
};

/// A storage pool (CSIStorageCapacity) that is large enough for a claim.
struct CapacityPool {
  ObjectPtr capacity;
  NodeCondition where;
};

/// Tells if and where a volume can be provisioned for a claim.
struct Provisioning {
  bool is_possible = false;  // the class has a provisioner
  NodeCondition where;       // allowed topologies of the class
  bool needs_pool = false;   // the driver publishes capacities
  std::vector<CapacityPool> pools;
};

struct UnboundClaim {
  ObjectPtr object;
  const api::PersistentVolumeClaim* claim = nullptr;  // typed view of `object`
  std::optional<std::string>
      selected_node;  // provisioning has started for this node; no other is possible
  std::vector<CandidateVolume> candidates;  // in order of preference
  Provisioning provisioning;
};

/// Volume operations needed on a node, or the reason why it does not fit.
struct VolumePlan {
  struct Binding {
    const UnboundClaim* claim;
    const CandidateVolume* volume;
  };
  struct Provision {
    const UnboundClaim* claim;
    const CapacityPool* pool;  // null if its driver publishes no capacities
  };

  bool bound_volumes_fit = true;
  bool unbound_claims_fit = true;
  bool has_enough_storage = true;
  bool bound_volumes_exist = true;
  std::vector<Binding> bindings;
  std::vector<Provision> provisions;

  bool ok() const {
    return bound_volumes_fit && unbound_claims_fit && has_enough_storage && bound_volumes_exist;
  }
};

class PodVolumes final : public PluginState {
 public:
  /// Finds the pod's claims and sorts them into bound and unbound. A verdict other than Success
  /// means that no node can fit.
  static Verdict Gather(const ClusterState& cluster, const AssumedBindings& assumed,
                        const api::Pod& pod, PodVolumes& out);

  bool has_unbound() const { return !unbound_.empty(); }

  /// Plans for one node, evaluating the conditions directly.
  VolumePlan Plan(const ClusterState& cluster, NodeSlot node) const;
  /// Same, with cached results of the conditions.
  VolumePlan Plan(const ClusterState& cluster, NodeSlot node, ConditionBitmaps& bitmaps) const;
  /// Removes the nodes for which there is no plan.
  void FilterNodes(ClusterState& cluster, Bitmap& nodes) const;

 private:
  using Question = std::function<bool(const NodeCondition&)>;

  static Verdict AddUnbound(const ClusterState& cluster, const AssumedBindings& assumed,
                            const ObjectPtr& object, UnboundClaim& out);
  VolumePlan PlanFor(std::string_view node_name, const Question& holds) const;
  void CheckBound(const Question& holds, VolumePlan& plan) const;
  void CheckUnbound(std::string_view node_name, const Question& holds, VolumePlan& plan) const;
  void FilterByClaim(ClusterState& cluster, ConditionBitmaps& bitmaps, Bitmap& nodes) const;

  std::vector<BoundClaim> bound_;
  /// Those with a selected node first, then the others from smallest to largest.
  std::vector<UnboundClaim> unbound_;
};

}  // namespace plimsoll::scheduler
