// Applies informer events to the cluster state, and requeues the pods that they may help.

#include <algorithm>
#include <bit>
#include <utility>

#include "api/core/pod_phase.h"
#include "api/extension/extension.h"
#include "scheduler/dra/devices.h"
#include "scheduler/queue/change.h"
#include "scheduler/queue/event_label.h"
#include "scheduler/scheduler_core.h"

namespace plimsoll::scheduler {
namespace {

/// A kind whose objects are stored unchanged. Changes cause cluster events if `resource` is set.
struct OtherKind {
  std::string_view group;
  std::string_view kind;
  ObjectTable ClusterState::* table;
  std::optional<EventResource> resource;
};

constexpr OtherKind kOtherKinds[] = {
    {"", "Namespace", &ClusterState::namespaces, {}},
    {"", "Service", &ClusterState::services, {}},
    {"", "ReplicationController", &ClusterState::replication_controllers, {}},
    {"apps", "ReplicaSet", &ClusterState::replica_sets, {}},
    {"apps", "StatefulSet", &ClusterState::stateful_sets, {}},
    {"", "PersistentVolume", &ClusterState::volumes, EventResource::PersistentVolume},
    {"", "PersistentVolumeClaim", &ClusterState::claims, EventResource::PersistentVolumeClaim},
    {"storage.k8s.io", "StorageClass", &ClusterState::storage_classes, EventResource::StorageClass},
    {"storage.k8s.io", "CSINode", &ClusterState::csi_nodes, EventResource::CSINode},
    {"storage.k8s.io", "CSIDriver", &ClusterState::csi_drivers, EventResource::CSIDriver},
    {"storage.k8s.io", "CSIStorageCapacity", &ClusterState::csi_capacities,
     EventResource::CSIStorageCapacity},
    {"storage.k8s.io", "VolumeAttachment", &ClusterState::volume_attachments,
     EventResource::VolumeAttachment},
    {"policy", "PodDisruptionBudget", &ClusterState::disruption_budgets, {}},
};

template <class Visitor>
void ForEachAction(EventActions actions, const Visitor& visit) {
  for (; actions != 0; actions &= actions - 1) visit(actions & -actions);
}

}  // namespace

void Scheduler::Core::OnObject(const ObjectChanged& change, const Turn& turn) {
  handling_since_ = Elapsed();
  const api::Object& object = change.new_object ? *change.new_object : *change.old_object;
  if (object.As<api::Pod>() != nullptr) {
    OnPod(change.old_object, change.new_object, turn);
  } else if (object.As<api::Node>() != nullptr) {
    OnNode(change.old_object, change.new_object, turn);
  } else if (Devices::Concerns(object)) {
    OnDevices(change, turn);
  } else {
    OnOther(change.old_object, change.new_object, turn);
  }
}

void Scheduler::Core::OnPod(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn) {
  if (after == nullptr || IsPodTerminal(*after->As<api::Pod>())) {
    OnPodGone(after == nullptr ? *before : *after, turn);
    return;
  }
  // The pod was deleted and recreated under the same name, and the informer missed the deletion.
  if (before != nullptr && before->metadata().uid != after->metadata().uid) {
    OnPodGone(*before, turn);
  }
  const api::Pod& pod = *after->As<api::Pod>();
  const PodId id = cluster_.FindPod(pod.metadata);
  if (!pod.spec.node_name.empty()) {
    OnAssigned(after, id, turn);
  } else if (const std::optional<std::size_t> profile = ProfileOf(pod)) {
    OnWaiting(after, id, *profile, turn);
  }
}

void Scheduler::Core::OnPodGone(const api::Object& pod, const Turn& turn) {
  const PodId id = cluster_.FindPod(pod.metadata());
  if (id == kNoPod) return;
  const PodRecord& record = cluster_.pod(id);
  const ObjectPtr object = record.object;
  const bool has_freed =
      record.node != kNoNode || record.nominated != kNoNode || !record.pod->spec.node_name.empty();
  DropFlow(id, turn);
  queue_.Remove(id);
  preemptions_.erase(id);
  postponed_.erase(id);
  unplaced_nominations_.erase(id);
  set_aside_.erase(id);
  if (id < diagnoses_.size()) diagnoses_[id].reset();
  cluster_.RemovePod(object->metadata());
  if (has_freed) {
    Happened(MakeEvent(EventResource::AssignedPod, kDelete, object, nullptr), turn);
  }
}

void Scheduler::Core::OnAssigned(const ObjectPtr& pod, PodId id, const Turn& turn) {
  const ObjectPtr known = id == kNoPod ? nullptr : cluster_.pod(id).object;
  const bool was_assigned = known && !known->As<api::Pod>()->spec.node_name.empty();
  id = cluster_.UpsertPod(pod);
  if (was_assigned) {
    for (const ClusterEvent& event : PodEvents(known, pod, EventResource::AssignedPod)) {
      Happened(event, turn);
    }
    return;
  }
  unplaced_nominations_.erase(id);
  set_aside_.erase(id);
  Confirm(id, pod->As<api::Pod>()->spec.node_name, turn);
  Happened(MakeEvent(EventResource::AssignedPod, kAdd, nullptr, pod), turn);
}

void Scheduler::Core::OnWaiting(const ObjectPtr& pod, PodId id, std::size_t profile,
                                const Turn& turn) {
  if (id == kNoPod) {
    id = cluster_.UpsertPod(pod);
    FollowNomination(id, {}, nullptr, turn);
    if (!api::FaultOf(*pod).empty()) return OnUnreadable(nullptr, id, profile, turn);
    const std::string_view label = EventLabel(EventResource::TargetPod, kAdd);
    queue_.Add(id, profile, label, turn.now);
    Handled(label);
    return;
  }
  const ObjectPtr known = cluster_.pod(id).object;
  cluster_.UpsertPod(pod);
  if (StageOf(id) != Stage::None) return;  // a binding is in progress
  if (const auto aside = set_aside_.find(id); aside != set_aside_.end()) {
    if (aside->second == cluster_.pod(id).pod_class->serial) return;
    set_aside_.erase(aside);
  }
  FollowNomination(id, known->As<api::Pod>()->status.nominated_node_name, known, turn);
  if (!api::FaultOf(*pod).empty()) return OnUnreadable(known, id, profile, turn);
  const std::string_view label = EventLabel(EventResource::TargetPod, kUpdateOther);
  if (queue_.Contains(id) && HasConstraintChange(*known, *pod)) queue_.Remove(id);
  if (queue_.Contains(id)) {
    queue_.Update(id, PodEvents(known, pod, EventResource::TargetPod), turn.now);
  } else {
    queue_.Add(id, profile, label, turn.now);
  }
  Handled(label);
}

void Scheduler::Core::OnUnreadable(const ObjectPtr& known, PodId id, std::size_t profile,
                                   const Turn& turn) {
  queue_.Remove(id);
  preemptions_.erase(id);
  postponed_.erase(id);
  // Report the same fault only once, although other fields of the pod may have changed.
  const api::Object& pod = *cluster_.pod(id).object;
  if (known != nullptr && api::FaultOf(*known) == api::FaultOf(pod)) return;
  ReportUnreadable(id, profile, turn);
}

std::vector<ClusterEvent> Scheduler::Core::PodEvents(const ObjectPtr& before,
                                                     const ObjectPtr& after,
                                                     EventResource resource) {
  const EventActions awaited = Awaited(resource);
  if (awaited == 0) return {};
  EventActions actions = PodChanges(*before, *after);
  if ((awaited & kUpdatePodScaleDown) != 0) {
    const auto old_class = cluster_.ClassOf(before);
    const auto new_class = cluster_.ClassOf(after);
    if (old_class != new_class &&
        HasScaledDown(old_class->requests.exact, new_class->requests.exact)) {
      actions = (actions & ~EventActions{kUpdateOther}) | kUpdatePodScaleDown;
    }
  }
  std::vector<ClusterEvent> events;
  ForEachAction(actions, [&](EventActions action) {
    events.push_back(MakeEvent(resource, action, before, after));
  });
  return events;
}

/// Applies nominatedNodeName only if it has changed in the object. Otherwise the scheduler's own
/// nomination stays until the server has stored it.
void Scheduler::Core::FollowNomination(PodId id, std::string_view before,
                                       const ObjectPtr& old_object, const Turn& turn) {
  const std::string_view after = cluster_.pod(id).pod->status.nominated_node_name;
  if (before == after) return;
  unplaced_nominations_.erase(id);
  NodeSlot slot = kNoNode;
  if (!after.empty()) {
    const std::optional<NodeSlot> found = cluster_.FindNode(after);
    if (!found) unplaced_nominations_.insert(id);
    slot = found.value_or(kNoNode);
  }
  cluster_.Nominate(id, slot);
  if (before.empty()) return;
  // Other pods counted it as assigned to that node.
  Happened(MakeEvent(EventResource::AssignedPod, kDelete, old_object, nullptr), turn, id);
}

void Scheduler::Core::OnNode(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn) {
  if (after == nullptr) {
    cluster_.RemoveNode(before->metadata().name);
    FailWaitsOn(before->metadata().name, turn);
    Happened(MakeEvent(EventResource::Node, kDelete, before, nullptr), turn);
    return;
  }
  const api::Node& node = *after->As<api::Node>();
  if (before == nullptr) {
    const NodeSlot slot = cluster_.UpsertNode(node);
    std::erase_if(unplaced_nominations_, [&](PodId id) {
      if (cluster_.pod(id).pod->status.nominated_node_name != node.metadata.name) return false;
      cluster_.Nominate(id, slot);
      return true;
    });
    Happened(MakeEvent(EventResource::Node, kAdd, nullptr, after), turn);
    return;
  }
  if (HasNodeChanged(*before, *after)) cluster_.UpsertNode(node);
  const EventActions awaited = Awaited(EventResource::Node);
  ForEachAction(NodeChanges(*before, *after, awaited), [&](EventActions action) {
    Happened(MakeEvent(EventResource::Node, action, before, after), turn);
  });
}

void Scheduler::Core::OnOther(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn) {
  const api::Object& object = after ? *after : *before;
  const auto* const other = std::ranges::find_if(kOtherKinds, [&](const OtherKind& kind) {
    return kind.kind == object.kind().kind && kind.group == object.kind().group;
  });
  if (other == std::end(kOtherKinds)) return;
  ++other_changes_;
  ObjectTable& table = cluster_.*(other->table);
  if (after) {
    table.Put(after);
  } else {
    table.Erase(object.metadata().namespace_, object.metadata().name);
  }
  if (!other->resource) return;
  const EventActions action = !before ? kAdd : !after ? kDelete : kUpdateOther;
  Happened(MakeEvent(*other->resource, action, before, after), turn);
}

void Scheduler::Core::OnDevices(const ObjectChanged& change, const Turn& turn) {
  ++other_changes_;
  const std::optional<Devices::DeviceEvent> event = cluster_.devices().Observe(change);
  if (!event) return;
  Happened(MakeEvent(event->resource, event->action, change.old_object, change.new_object), turn);
}

EventActions Scheduler::Core::Awaited(EventResource resource) const {
  return waits_.empty() ? queue_.Awaited(resource) : kAll;
}

void Scheduler::Core::Happened(const ClusterEvent& event, const Turn& turn, PodId except) {
  Tell(event, turn, except);
  Handled(event.label);
}

/// Events that follow directly are timed from here.
void Scheduler::Core::Handled(std::string_view label) {
  if (!options_.stopwatch) return;
  const Duration elapsed = options_.stopwatch();
  metrics_.EventHandled(label, elapsed - std::exchange(handling_since_, elapsed));
}

void Scheduler::Core::Tell(const ClusterEvent& event, const Turn& turn, PodId except) {
  queue_.Move(event, turn.now, except);
  if (waits_.empty()) return;
  std::vector<PodId> concerned;
  for (const auto& [id, interests] : waits_) {
    const bool is_concerned = std::ranges::any_of(interests, [&](const EventInterest& interest) {
      return interest.resource == event.resource && (interest.actions & event.actions) != 0;
    });
    if (is_concerned && flows_[id].action == 0) concerned.push_back(id);
  }
  for (const PodId id : concerned) {
    // Handling one pod may end the wait of another.
    if (waits_.contains(id)) AskPreBind(id, turn);
  }
}

}  // namespace plimsoll::scheduler
