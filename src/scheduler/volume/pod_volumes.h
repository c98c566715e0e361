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

/// What a pod's claims ask of a node. All that does not depend on the node is worked out once
/// (`PodVolumes::Gather`); then a node costs a few questions to conditions.
///
/// A claim that is bound ties the pod to the nodes of its volume. One that waits for its first
/// consumer takes the smallest free volume that suits it and can be used on the node; if there is
/// none, a volume may be made, where its class's provisioner can do so.
namespace plimsoll::scheduler {

struct BoundClaim {
  ObjectPtr volume;  // null when there is no volume of that name
  NodeCondition where;
};

/// A volume that an unbound claim could take.
struct CandidateVolume {
  ObjectPtr volume;
  NodeCondition where;
};

/// A storage pool that is large enough for a claim.
struct CapacityPool {
  ObjectPtr capacity;
  NodeCondition where;
};

/// Whether and where a volume can be made for a claim.
struct Provisioning {
  bool is_possible = false;  // the class has a provisioner
  NodeCondition where;       // its allowed topologies
  bool needs_pool = false;   // the driver publishes capacities
  std::vector<CapacityPool> pools;
};

struct UnboundClaim {
  ObjectPtr object;
  const api::PersistentVolumeClaim* claim = nullptr;  // of the object
  std::optional<std::string>
      selected_node;  // a volume is being made for this node: no other will do
  std::vector<CandidateVolume> candidates;  // in the order of preference
  Provisioning provisioning;
};

/// What is to be done on a node, or why it cannot be.
struct VolumePlan {
  struct Binding {
    const UnboundClaim* claim;
    const CandidateVolume* volume;
  };
  struct Provision {
    const UnboundClaim* claim;
    const CapacityPool* pool;  // null when its driver publishes none
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
  /// Looks up the claims, and splits them by what is to be done about them. A verdict that is not
  /// Success says that there is no use in trying.
  static Verdict Gather(const ClusterState& cluster, const AssumedBindings& assumed,
                        const api::Pod& pod, PodVolumes& out);

  bool has_unbound() const { return !unbound_.empty(); }

  /// Plainly, for one node.
  VolumePlan Plan(const ClusterState& cluster, NodeSlot node) const;
  /// With the answers of the conditions at hand.
  VolumePlan Plan(const ClusterState& cluster, NodeSlot node, ConditionBitmaps& bitmaps) const;
  /// Keeps the nodes on which there is a plan.
  void Keep(ClusterState& cluster, Bitmap& nodes) const;

 private:
  using Question = std::function<bool(const NodeCondition&)>;

  static Verdict AddUnbound(const ClusterState& cluster, const AssumedBindings& assumed,
                            const ObjectPtr& object, UnboundClaim& out);
  VolumePlan PlanFor(std::string_view node_name, const Question& holds) const;
  void CheckBound(const Question& holds, VolumePlan& plan) const;
  void CheckUnbound(std::string_view node_name, const Question& holds, VolumePlan& plan) const;
  void KeepOne(ClusterState& cluster, ConditionBitmaps& bitmaps, Bitmap& nodes) const;

  std::vector<BoundClaim> bound_;
  /// Those with a selected node, then the others from the smallest to the largest.
  std::vector<UnboundClaim> unbound_;
};

}  // namespace plimsoll::scheduler
