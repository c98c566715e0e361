#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/core_input.h"
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

/// What is known of devices and of claims to them: what drivers publish, what is allocated, and
/// what is decided here and not yet known to the server. One for all profiles, so that no two pods
/// get the same device.
class Devices {
 public:
  Devices(const match::Rules& rules, const DeviceSettings& settings);
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

  const DeviceSettings& settings() const { return settings_; }
  const match::StayRules& toleration_rules() const { return toleration_rules_; }

  /// Whether the object is of a kind that is kept here: a ResourceClaim, ResourceSlice, DeviceClass
  /// or DeviceTaintRule.
  static bool Concerns(const api::Object& object);

  /// What happened, in the terms of what waiting pods are told.
  struct News {
    EventResource resource;
    EventActions action;
  };
  /// Takes in news of such an object. Nothing when it is of no consequence to anyone.
  std::optional<News> Observe(const api::ObjectChanged& news);

  const ObjectTable& claims() const { return claims_; }
  const ObjectTable& classes() const { return classes_; }
  /// The class whose devices stand for the resource: the newest of those that name it, or the one
  /// that the resource itself names. Empty: none does.
  std::string_view ClassOf(std::string_view resource) const;
  /// Grows when the answers may have changed.
  std::uint64_t classes_version() const { return classes_.version(); }
  const dra::SliceTracker& tracker() const { return tracker_; }
  /// Whether some device that the node may use has a taint that keeps claims away.
  bool HasTaints(std::string_view node) const;
  /// Its nodes are those of the last FollowNodes.
  dra::Allocator& allocator() { return allocator_; }
  /// Tells the allocator of nodes that are new, gone or labelled otherwise than before.
  void FollowNodes(const ClusterState& cluster);
  Random& random() { return random_; }

  // Allocations that are decided and that no claim that is known here shows yet. They count as
  // taken.
  bool IsPending(std::string_view claim_uid) const { return pending_.contains(claim_uid); }
  void AddPending(std::string_view claim_uid, const dra::Allocation& allocation);
  /// It will not be. Nothing happens when there is none.
  void DropPending(std::string_view claim_uid);
  /// What is pending under this uid will show in a claim of that name, whose uid is not known yet.
  void ExpectClaim(std::string_view claim_uid, std::string_view namespace_, std::string_view name);
  std::size_t pending() const { return pending_.size(); }

  // The time, as far as it matters to what is asked.
  void SetNow(Instant now) { now_ = now; }
  Instant now() const { return now_; }

 private:
  std::optional<News> OnClaim(const api::ObjectChanged& news);
  void NameResources();
  void TellNode(const ClusterState& cluster, NodeSlot slot);

  const DeviceSettings settings_;
  const match::StayRules toleration_rules_;
  dra::DeviceSelectors selectors_;
  dra::SliceTracker tracker_;
  dra::Allocator allocator_;
  Random random_;
  ObjectTable claims_;
  ObjectTable classes_;
  std::map<std::string_view, ObjectPtr> resource_classes_;       // by spec.extendedResourceName
  std::map<std::string, dra::Allocation, std::less<>> pending_;  // by uid
  std::map<std::pair<std::string, std::string>, std::string> expected_;  // uids of pending ones
  Journal::Position followed_ = 0;
  std::size_t slots_told_ = 0;
  mutable std::optional<bool> has_shared_taints_;  // nothing: to be looked up
  Instant now_;
};

}  // namespace plimsoll::scheduler
