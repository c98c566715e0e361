#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/pure_core.h"
#include "base/random.h"
#include "base/time.h"
#include "dra/allocator.h"
#include "dra/device_selectors.h"
#include "dra/slice_tracker.h"
#include "scheduler/cluster/journal.h"
#include "scheduler/cluster/object_table.h"
#include "scheduler/dra/device_settings.h"
#include "scheduler/framework/cluster_event.h"

namespace plimsoll::scheduler {

class ClusterState;

/// Known devices and claims: what drivers publish, what is allocated, and decisions that
/// the server does not have yet. All profiles share it, so that no two pods get the same
/// device.
class Devices {
 public:
  Devices(const match::Rules& rules, const DeviceSettings& settings);
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

  const DeviceSettings& settings() const { return settings_; }
  /// Evaluates expressions within the allocator's budget.
  const match::TolerationTimeRules& toleration_rules() const { return allocator_.rules(); }

  /// Returns true if the object is of a kind that is stored here: ResourceClaim, ResourceSlice,
  /// DeviceClass or DeviceTaintRule.
  static bool Concerns(const api::Object& object);

  /// A change, described as a cluster event.
  struct DeviceEvent {
    EventResource resource;
    EventActions action;
  };
  /// Applies the change of an object. Returns nullopt if the change can help no pod.
  std::optional<DeviceEvent> Observe(const api::ObjectChanged& change);

  const ObjectTable& claims() const { return claims_; }
  const ObjectTable& classes() const { return classes_; }
  /// Returns the DeviceClass that provides the extended resource: the newest with that name, or the
  /// one in the resource's implicit name. Empty if there is none.
  std::string_view ClassOf(std::string_view resource) const;
  /// Increases whenever results of ClassOf may have changed.
  std::uint64_t classes_version() const { return classes_.version(); }
  const dra::SliceTracker& tracker() const { return tracker_; }
  /// Returns true if a device usable on the node has a taint that blocks allocation.
  bool HasTaints(std::string_view node) const;
  /// The allocator's nodes are those of the last FollowNodes.
  dra::Allocator& allocator() { return allocator_; }
  /// Passes added, removed and relabelled nodes to the allocator.
  void FollowNodes(const ClusterState& cluster);
  Random& random() { return random_; }

  // Pending allocations: decided here, but not yet visible in a known claim. Their devices count as
  // taken.
  bool IsPending(std::string_view claim_uid) const { return pending_.contains(claim_uid); }
  void AddPending(std::string_view claim_uid, const dra::Allocation& allocation);
  /// Cancels a pending allocation. No effect if there is none.
  void DropPending(std::string_view claim_uid);
  /// Links the pending allocation to a claim to be created with this name and an unknown uid.
  void ExpectClaim(std::string_view claim_uid, std::string_view namespace_, std::string_view name);
  std::size_t pending() const { return pending_.size(); }

  // Time of the current input, for time-dependent queries.
  void SetNow(Instant now) { now_ = now; }
  Instant now() const { return now_; }

 private:
  std::optional<DeviceEvent> OnClaim(const api::ObjectChanged& change);
  void NameResources();
  void ObserveNode(const ClusterState& cluster, NodeSlot slot);

  const DeviceSettings settings_;
  dra::DeviceSelectors selectors_;
  dra::SliceTracker tracker_;
  dra::Allocator allocator_;
  Random random_;
  ObjectTable claims_;
  ObjectTable classes_;
  std::map<std::string_view, ObjectPtr> resource_classes_;       // by spec.extendedResourceName
  std::map<std::string, dra::Allocation, std::less<>> pending_;  // by claim uid
  std::map<std::pair<std::string, std::string>, std::string> expected_;  // name to claim uid
  Journal::Position followed_ = 0;
  std::size_t slots_synced_ = 0;
  mutable std::optional<bool> has_shared_taints_;  // unset: not computed yet
  Instant now_;
};

}  // namespace plimsoll::scheduler
