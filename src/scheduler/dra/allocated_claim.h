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

/// What drivers say of devices that take a while until they can be used.
enum class DeviceReadiness : std::uint8_t { Ready, Waiting, Failed };
/// Of an allocated claim. With Failed, `error` is set to upstream's words, unless it is null.
DeviceReadiness ReadinessOf(const api::Object& claim, std::string* error = nullptr);

/// A claim that has its devices, as a pod sees it that wants to use it: where it can be used.
class AllocatedClaim {
 public:
  /// An error when its node selector cannot be read.
  static Result<AllocatedClaim> Make(const ClusterState& cluster, ObjectPtr claim,
                                     std::string_view pod_uid);

  const ObjectPtr& object() const { return object_; }
  bool IsAvailable(const ClusterState& cluster, NodeSlot node) const;
  /// Keeps those of `nodes` on which it is available.
  void Keep(ClusterState& cluster, Bitmap& nodes) const;
  /// The taint that keeps it from being used by further pods, as `key: value`; empty: none does.
  const std::string& taint() const { return taint_; }
  /// Whether nobody uses it, or at most this pod: then it may lose its devices.
  bool IsFreeFor(std::string_view pod_uid) const;

 private:
  AllocatedClaim() = default;

  ObjectPtr object_;
  const api::ResourceClaim* claim_ = nullptr;        // of the object
  std::optional<match::NodeSelectorMatcher> nodes_;  // unset: all
  bool is_nowhere_ = false;
  std::string taint_;
};

}  // namespace plimsoll::scheduler
