#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/volume/assumed_bindings.h"
#include "scheduler/volume/pod_volumes.h"

namespace plimsoll::scheduler {

/// The volumes of one pod on its way to a node: assumed in memory when it is reserved, written to
/// the server when it is about to be bound, then waited for until the controller has bound the
/// claims.
class VolumeReservation {
 public:
  /// Assumes what the plan says. `assumed` must outlive it, and gets it all back from `Undo`.
  VolumeReservation(std::string_view node_name, const VolumePlan& plan, AssumedBindings& assumed);

  /// See Plugin::PreBind.
  PreBindOutcome Continue(const ClusterState& cluster, Duration timeout, Instant now);
  void Undo();

 private:
  struct Binding {
    ObjectPtr volume;
    ObjectPtr claim;
    bool is_assumed = false;  // by this reservation
  };
  enum class Progress : std::uint8_t { Waiting, Done };

  std::vector<ObjectWrite> Patches(const ClusterState& cluster) const;
  /// An error: it will not become right by waiting.
  Result<Progress> Check(const ClusterState& cluster) const;
  Result<Progress> CheckBinding(const ClusterState& cluster, const Binding& binding,
                                NodeSlot node) const;
  Result<Progress> CheckProvision(const ClusterState& cluster, const ObjectPtr& claim,
                                  NodeSlot node) const;
  Status CheckAffinity(const ClusterState& cluster, const ObjectPtr& volume, NodeSlot node) const;

  std::string node_name_;
  std::vector<Binding> bindings_;
  std::vector<ObjectPtr> provisions_;
  AssumedBindings* assumed_;
  std::optional<Instant> deadline_;  // unset until the patches were given out
};

}  // namespace plimsoll::scheduler
