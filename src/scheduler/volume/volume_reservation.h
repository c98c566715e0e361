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

/// Volumes of one pod between Reserve and binding. Reserve assumes them in memory.
/// PreBind writes them to the server, and then waits until the PV controller has bound
/// the claims.
class VolumeReservation {
 public:
  /// Assumes the plan's bindings; Undo removes them. REQUIRES: `assumed` outlives the reservation.
  VolumeReservation(std::string_view node_name, const VolumePlan& plan, AssumedBindings& assumed);

  /// See Plugin::PreBind.
  PreBindOutcome Continue(const ClusterState& cluster, Duration timeout, Instant now);
  void Undo();

 private:
  struct Binding {
    ObjectPtr volume;
    ObjectPtr claim;
    bool is_assumed = false;  // assumed by this reservation
  };
  enum class Progress : std::uint8_t { Waiting, Done };

  std::vector<api::Write> Patches(const ClusterState& cluster) const;
  /// Returns an error if waiting cannot help.
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
  std::optional<Instant> deadline_;  // unset until the patches were returned
};

}  // namespace plimsoll::scheduler
