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

void Scheduler::Core::OnObjectChanged(const ObjectChanged& change, const Turn& turn) {
  event_began_ = stopwatch_.Now();
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
    OnPodDeleted(after == nullptr ? *before : *after, turn);
    return;
  }
  // The pod was deleted and recreated under the same name, and the informer missed the deletion.
  if (before != nullptr && before->metadata().uid != after->metadata().uid) {
    OnPodDeleted(*before, turn);
  }
  const api::Pod& pod = *after->As<api::Pod>();
  const PodId id = cluster_.FindPod(pod.metadata);
  if (!pod.spec.node_name.empty()) {
    OnAssignedPod(after, id, turn);
  } else if (const std::optional<std::size_t> profile = ProfileOf(pod)) {
    OnPendingPod(after, id, *profile, turn);
  }
}

void Scheduler::Core::OnPodDeleted(const api::Object& pod, const Turn& turn) {
  const PodId id = cluster_.FindPod(pod.metadata());
  if (id == kNoPod) return;
  const PodRecord& record = cluster_.pod(id);
  const ObjectPtr object = record.object;
  const bool has_freed =
      record.node != kNoNode || record.nominated != kNoNode || !record.pod->spec.node_name.empty();
  binding_.Cancel(id, turn);
  queue_.Remove(id);
  preemption_.Forget(id);
  failures_.Forget(id);
  nominator_.Forget(id);
  set_aside_.erase(id);
  cluster_.RemovePod(object->metadata());
  if (has_freed) {
    PublishEvent(MakeEvent(EventResource::AssignedPod, kDelete, object, nullptr), turn);
  }
}

void Scheduler::Core::OnAssignedPod(const ObjectPtr& pod, PodId id, const Turn& turn) {
  const ObjectPtr known = id == kNoPod ? nullptr : cluster_.pod(id).object;
  const bool was_assigned = known && !known->As<api::Pod>()->spec.node_name.empty();
  id = cluster_.UpsertPod(pod);
  if (was_assigned) {
    for (const ClusterEvent& event : PodEvents(known, pod, EventResource::AssignedPod)) {
      PublishEvent(event, turn);
    }
    return;
  }
  nominator_.Forget(id);
  set_aside_.erase(id);
  binding_.OnPodBound(id, pod->As<api::Pod>()->spec.node_name, turn);
  PublishEvent(MakeEvent(EventResource::AssignedPod, kAdd, nullptr, pod), turn);
}

void Scheduler::Core::OnNewPendingPod(const ObjectPtr& pod, std::size_t profile, const Turn& turn) {
  const PodId id = cluster_.UpsertPod(pod);
  nominator_.OnPodUpdated(id, {});
  if (!api::FaultOf(*pod).empty()) return OnInvalidPod(nullptr, id, profile, turn);
  const std::string_view label = EventLabel(EventResource::TargetPod, kAdd);
  queue_.Add(id, profile, label, turn.now);
  RecordEventHandled(label);
}

void Scheduler::Core::OnPendingPod(const ObjectPtr& pod, PodId id, std::size_t profile,
                                   const Turn& turn) {
  if (id == kNoPod) return OnNewPendingPod(pod, profile, turn);
  const ObjectPtr before = cluster_.pod(id).object;
  cluster_.UpsertPod(pod);
  if (binding_.state(id) != BindingState::None) return;
  if (const auto aside = set_aside_.find(id); aside != set_aside_.end()) {
    if (aside->second == cluster_.pod(id).pod_class->serial) return;
    set_aside_.erase(aside);
  }
  OnNominatedNode(id, before, turn);
  if (!api::FaultOf(*pod).empty()) return OnInvalidPod(before, id, profile, turn);
  const std::string_view label = EventLabel(EventResource::TargetPod, kUpdateOther);
  if (queue_.Contains(id) && HasConstraintChange(*before, *pod)) queue_.Remove(id);
  if (queue_.Contains(id)) {
    queue_.Update(id, PodEvents(before, pod, EventResource::TargetPod), turn.now);
  } else {
    queue_.Add(id, profile, label, turn.now);
  }
  RecordEventHandled(label);
}

void Scheduler::Core::OnInvalidPod(const ObjectPtr& before, PodId id, std::size_t profile,
                                   const Turn& turn) {
  queue_.Remove(id);
  preemption_.Forget(id);
  failures_.CancelReport(id);
  // Report the same fault only once, although other fields of the pod may have changed.
  const api::Object& pod = *cluster_.pod(id).object;
  if (before != nullptr && api::FaultOf(*before) == api::FaultOf(pod)) return;
  failures_.ReportInvalidAnnotations(id, profile, turn);
}

std::vector<ClusterEvent> Scheduler::Core::PodEvents(const ObjectPtr& before,
                                                     const ObjectPtr& after,
                                                     EventResource resource) {
  const EventActions awaited = AwaitedActions(resource);
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

void Scheduler::Core::OnNominatedNode(PodId id, const ObjectPtr& before, const Turn& turn) {
  if (!nominator_.OnPodUpdated(id, before->As<api::Pod>()->status.nominated_node_name)) return;
  // Other pods counted it as assigned to that node.
  PublishEvent(MakeEvent(EventResource::AssignedPod, kDelete, before, nullptr), turn, id);
}

void Scheduler::Core::OnNode(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn) {
  if (after == nullptr) {
    cluster_.RemoveNode(before->metadata().name);
    binding_.OnNodeDeleted(before->metadata().name, turn);
    PublishEvent(MakeEvent(EventResource::Node, kDelete, before, nullptr), turn);
    return;
  }
  const api::Node& node = *after->As<api::Node>();
  if (before == nullptr) {
    nominator_.OnNodeAdded(cluster_.UpsertNode(node));
    PublishEvent(MakeEvent(EventResource::Node, kAdd, nullptr, after), turn);
    return;
  }
  if (HasNodeChanged(*before, *after)) cluster_.UpsertNode(node);
  const EventActions awaited = AwaitedActions(EventResource::Node);
  ForEachAction(NodeChanges(*before, *after, awaited), [&](EventActions action) {
    PublishEvent(MakeEvent(EventResource::Node, action, before, after), turn);
  });
}

void Scheduler::Core::OnOther(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn) {
  const api::Object& object = after ? *after : *before;
  const auto* const other = std::ranges::find_if(kOtherKinds, [&](const OtherKind& kind) {
    return kind.kind == object.kind().kind && kind.group == object.kind().group;
  });
  if (other == std::end(kOtherKinds)) return;
  refusals_.Invalidate();
  ObjectTable& table = cluster_.*(other->table);
  if (after) {
    table.Put(after);
  } else {
    table.Erase(object.metadata().namespace_, object.metadata().name);
  }
  if (!other->resource) return;
  const EventActions action = !before ? kAdd : !after ? kDelete : kUpdateOther;
  PublishEvent(MakeEvent(*other->resource, action, before, after), turn);
}

void Scheduler::Core::OnDevices(const ObjectChanged& change, const Turn& turn) {
  refusals_.Invalidate();
  const std::optional<Devices::DeviceEvent> event = cluster_.devices().Observe(change);
  if (!event) return;
  PublishEvent(MakeEvent(event->resource, event->action, change.old_object, change.new_object),
               turn);
}

EventActions Scheduler::Core::AwaitedActions(EventResource resource) const {
  return binding_.HasEventWaits() ? kAll : queue_.Awaited(resource);
}

void Scheduler::Core::PublishEvent(const ClusterEvent& event, const Turn& turn, PodId except) {
  queue_.OnEvent(event, turn.now, except);
  binding_.OnEvent(event, turn);
  RecordEventHandled(event.label);
}

/// Events that follow directly are timed from here.
void Scheduler::Core::RecordEventHandled(std::string_view label) {
  if (!stopwatch_.has_source()) return;
  const Duration now = stopwatch_.Now();
  metrics_.EventHandled(label, now - std::exchange(event_began_, now));
}

}  // namespace plimsoll::scheduler
