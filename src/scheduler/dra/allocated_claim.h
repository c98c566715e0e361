#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bitmap.h"
#include "base/result.h"
#include "match/node_selector.h"
#include "scheduler/cluster/cluster_state.h"

namespace plimsoll::scheduler {

/// State of a device's binding conditions, which its driver sets.
enum class DeviceReadiness : std::uint8_t { Ready, Waiting, Failed };
/// Returns the readiness of an allocated claim. With Failed, sets `*error` if it is not null.
DeviceReadiness ReadinessOf(const api::Object& claim, std::string* error = nullptr);

/// A claim that has devices, as seen by a pod that wants to use it: the nodes it is usable on.
class AllocatedClaim {
 public:
  /// Returns an error if the claim's node selector is invalid.
  static Result<AllocatedClaim> Make(const ClusterState& cluster, ObjectPtr claim,
                                     std::string_view pod_uid);

  const ObjectPtr& object() const { return object_; }
  bool IsAvailable(const ClusterState& cluster, NodeSlot node) const;
  /// Removes the nodes on which the claim is not available.
  void FilterNodes(ClusterState& cluster, Bitmap& nodes) const;
  /// Taint that keeps other pods from using the claim, as `key: value`; empty if there is none.
  const std::string& taint() const { return taint_; }
  /// Returns true if no pod but this one uses the claim. It may then be deallocated.
  bool IsFreeFor(std::string_view pod_uid) const;

 private:
  AllocatedClaim() = default;

  ObjectPtr object_;
  const api::ResourceClaim* claim_ = nullptr;        // typed view of `object_`
  std::optional<match::NodeSelectorMatcher> nodes_;  // unset: all nodes
  bool is_nowhere_ = false;
  std::string taint_;
};

}  // namespace plimsoll::scheduler
