#include "scheduler/dra/devices.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "codec/document.h"
#include "match/toleration.h"
#include "scheduler/cluster/cluster_state.h"

namespace plimsoll::scheduler {
namespace {

constexpr Changes kObservedChanges = kNodeAdded | kNodeRemoved | kLabels;

EventActions ActionOf(const api::ObjectChanged& change) {
  return !change.old_object ? kAdd : !change.new_object ? kDelete : kUpdateOther;
}

void UpdateTable(ObjectTable& table, const api::ObjectChanged& change) {
  if (change.new_object != nullptr) {
    table.Put(change.new_object);
  } else {
    table.Erase(change.old_object->metadata().namespace_, change.old_object->metadata().name);
  }
}

/// Returns a node with only the fields that device selectors read. Nodes are many, and the full
/// objects are stored nowhere else.
ObjectPtr LeanNode(std::string_view name, const api::StringMap& labels) {
  auto document = std::make_shared<codec::Document>();
  codec::Value map = document->NewObject(labels.size());
  for (const auto& [key, value] : labels) {
    document->Set(map, document->CopyText(key), document->NewString(value));
  }
  codec::Value metadata = document->NewObject(2);
  document->Set(metadata, "name", document->NewString(name));
  document->Set(metadata, "labels", map);
  codec::Value root = document->NewObject(3);
  document->Set(root, "apiVersion", codec::Value::String("v1"));
  document->Set(root, "kind", codec::Value::String("Node"));
  document->Set(root, "metadata", metadata);
  document->root() = root;
  auto decoded = api::DecodeObject(
      document, {.field_validation = api::FieldValidation::Ignore, .apply_defaults = false});
  PL_ASSERT(decoded.has_value());
  return decoded->object;
}

}  // namespace

Devices::Devices(const match::Rules& rules, const DeviceSettings& settings)
    : settings_(settings),
      tracker_(selectors_, {.taints_enabled = settings.taints_enabled,
                            .rules_enabled = settings.rules_enabled}),
      allocator_(tracker_, selectors_,
                 {.match = rules, .threshold_grace = settings.threshold_grace}),
      random_(settings.seed) {}

bool Devices::Concerns(const api::Object& object) {
  return object.As<api::ResourceClaim>() != nullptr || object.As<api::ResourceSlice>() != nullptr ||
         object.As<api::DeviceClass>() != nullptr || object.As<api::DeviceTaintRule>() != nullptr;
}

std::optional<Devices::DeviceEvent> Devices::Observe(const api::ObjectChanged& change) {
  const api::Object& object = change.new_object ? *change.new_object : *change.old_object;
  if (object.As<api::ResourceClaim>() != nullptr) return OnClaim(change);
  const dra::SliceTracker::Changes& changes = tracker_.Observe(change);
  if (!changes.empty()) has_shared_taints_.reset();
  allocator_.Observe(changes);
  allocator_.Observe(change);
  if (object.As<api::DeviceClass>() != nullptr) {
    UpdateTable(classes_, change);
    NameResources();
    return DeviceEvent{EventResource::DeviceClass, ActionOf(change)};
  }
  if (object.As<api::ResourceSlice>() != nullptr) {
    if (changes.empty()) return std::nullopt;
    return DeviceEvent{EventResource::ResourceSlice, ActionOf(change)};
  }
  // A DeviceTaintRule matters only through the devices whose taints it changes.
  if (changes.empty()) return std::nullopt;
  return DeviceEvent{EventResource::ResourceSlice, kUpdateOther};
}

std::optional<Devices::DeviceEvent> Devices::OnClaim(const api::ObjectChanged& change) {
  UpdateTable(claims_, change);
  const api::Object* const before = change.old_object.get();
  const api::Object* const after = change.new_object.get();
  const auto allocation_of = [](const api::Object& claim) {
    const auto& allocation = claim.As<api::ResourceClaim>()->allocation;
    return allocation ? &*allocation : nullptr;
  };
  const api::ObjectMeta& of = (after != nullptr ? after : before)->metadata();
  const auto expected = expected_.find({std::string(of.namespace_), std::string(of.name)});
  if (expected != expected_.end() && (after == nullptr || allocation_of(*after) != nullptr)) {
    DropPending(expected->second);
    expected_.erase(expected);
  }
  const bool is_same =
      before != nullptr && after != nullptr && before->metadata().uid == after->metadata().uid;
  if (before != nullptr && !is_same) {
    DropPending(before->metadata().uid);
    allocator_.SetAllocation(before->metadata().uid, nullptr);
  }
  if (after != nullptr) {
    const std::string_view uid = after->metadata().uid;
    const api::AllocationResult* const has = allocation_of(*after);
    if (has != nullptr) {
      if (const auto at = pending_.find(uid); at != pending_.end()) pending_.erase(at);
      allocator_.SetAllocation(uid, has);
    } else if (is_same && allocation_of(*before) != nullptr && !IsPending(uid)) {
      allocator_.SetAllocation(uid, nullptr);
    }
  }
  return DeviceEvent{EventResource::ResourceClaim, ActionOf(change)};
}

void Devices::NameResources() {
  resource_classes_.clear();
  classes_.ForEach([&](const ObjectPtr& object) {
    const std::string_view resource = object->As<api::DeviceClass>()->extended_resource_name;
    if (resource.empty()) return;
    const auto [at, is_new] = resource_classes_.try_emplace(resource, object);
    if (!is_new &&
        at->second->metadata().creation_timestamp < object->metadata().creation_timestamp) {
      resource_classes_.erase(at);
      resource_classes_.emplace(resource, object);
    }
  });
}

std::string_view Devices::ClassOf(std::string_view resource) const {
  constexpr std::string_view kPrefix = "deviceclass.resource.kubernetes.io/";
  if (const auto at = resource_classes_.find(resource); at != resource_classes_.end()) {
    return at->second->metadata().name;
  }
  if (!resource.starts_with(kPrefix)) return {};
  const ObjectPtr named = classes_.Find({}, resource.substr(kPrefix.size()));
  return named == nullptr ? std::string_view() : named->metadata().name;
}

bool Devices::HasTaints(std::string_view node) const {
  const auto has_taints = [](const dra::TrackedSlice* slice) {
    return std::ranges::any_of(slice->devices, [](const dra::TrackedDevice& device) {
      return std::ranges::any_of(device.taints, [](const dra::DeviceTaintSource& source) {
        return match::BlocksScheduling(*source.taint);
      });
    });
  };
  // Slices that are not bound to one node may be many, and every node asks about them: cache.
  if (!has_shared_taints_) {
    has_shared_taints_ = std::ranges::any_of(tracker_.SharedSlices(), has_taints);
  }
  return *has_shared_taints_ || std::ranges::any_of(tracker_.SlicesOfNode(node), has_taints);
}

void Devices::ExpectClaim(std::string_view claim_uid, std::string_view namespace_,
                          std::string_view name) {
  expected_.insert_or_assign({std::string(namespace_), std::string(name)}, std::string(claim_uid));
}

void Devices::AddPending(std::string_view claim_uid, const dra::Allocation& allocation) {
  const auto [at, is_new] = pending_.insert_or_assign(std::string(claim_uid), allocation);
  allocator_.SetAllocation(claim_uid, &at->second.result);
}

void Devices::DropPending(std::string_view claim_uid) {
  const auto at = pending_.find(claim_uid);
  if (at == pending_.end()) return;
  pending_.erase(at);
  allocator_.SetAllocation(claim_uid, nullptr);
}

void Devices::FollowNodes(const ClusterState& cluster) {
  const auto entries = cluster.journal().Since(followed_);
  if (entries) {
    for (const JournalEntry& entry : *entries) {
      if ((entry.changes & kObservedChanges) != 0) ObserveNode(cluster, entry.slot);
    }
  } else {
    const std::size_t limit = std::max(slots_synced_, cluster.slot_limit());
    for (NodeSlot slot = 0; slot < limit; ++slot) ObserveNode(cluster, slot);
  }
  followed_ = cluster.journal().end();
  slots_synced_ = std::max(slots_synced_, cluster.slot_limit());
}

void Devices::ObserveNode(const ClusterState& cluster, NodeSlot slot) {
  const bool is_there = slot < cluster.slot_limit() && cluster.nodes().Test(slot);
  allocator_.SetNode(
      slot, is_there ? LeanNode(cluster.node_name(slot), cluster.index().Labels(slot)) : nullptr);
}

}  // namespace plimsoll::scheduler
