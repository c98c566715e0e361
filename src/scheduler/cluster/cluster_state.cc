#include "scheduler/cluster/cluster_state.h"

#include <algorithm>
#include <utility>

#include "api/core/pod_condition.h"
#include "api/core/pod_phase.h"
#include "base/assert.h"
#include "scheduler/dra/devices.h"
#include "scheduler/limits.h"

namespace plimsoll::scheduler {
namespace {

/// Returns the maximum journal length. A reader of a small cluster, or one that reads every
/// thousand changes of a large one, never has to rebuild.
std::size_t JournalLimit(std::size_t slot_limit) { return 8192 + 2 * slot_limit; }

/// Returns true if preemption is why the pod is terminating. REQUIRES: it is terminating.
bool IsPreempted(const api::Object& pod) {
  const auto condition = api::FindCondition(pod, "DisruptionTarget");
  return condition && condition->status == "True" && condition->reason == "PreemptionByScheduler";
}

std::optional<Instant> StartTime(const api::Pod& pod) {
  if (pod.status.start_time.empty()) return std::nullopt;
  const Result<Instant> time = ParseTime(pod.status.start_time);
  return time ? std::optional(*time) : std::nullopt;
}

}  // namespace

ClusterState::ClusterState(const match::Rules& rules, const DeviceSettings& devices)
    : rules_(rules), index_(rules), devices_(std::make_unique<Devices>(rules, devices)) {}

ClusterState::~ClusterState() = default;

void ClusterState::AppendToJournal(const JournalEntry& entry) {
  journal_.Append(entry);
  journal_.Trim(JournalLimit(slot_limit()));
}

NodeSlot ClusterState::UpsertNode(const api::Node& node) {
  match::NodeChange change;
  const NodeSlot slot = index_.Upsert(node, &change);
  if (change.is_new) {
    if (slot >= rows_.size()) rows_.resize(slot + 1);
    for (Bitmap* bitmap : {&live_, &unschedulable_, &nominated_nodes_}) {
      if (bitmap->size() < slot_limit()) bitmap->Resize(slot_limit());
    }
    rows_[slot] = {};
    live_.Set(slot);
  }
  NodeRow& row = rows_[slot];
  Changes changes = change.is_new ? kNodeAdded : 0;
  if (change.labels) changes |= kLabels;
  if (change.taints) changes |= kTaints;
  Allocatable allocatable = AllocatableOf(node);
  if (allocatable != row.allocatable) {
    row.allocatable = std::move(allocatable);
    changes |= kAllocatable;
  }
  if (node.spec.unschedulable != row.unschedulable) {
    row.unschedulable = node.spec.unschedulable;
    changes |= kUnschedulable;
  }
  unschedulable_.Assign(slot, row.unschedulable);
  const api::NodeFeatures features = api::ReadFeatures(node.status.declared_features);
  if (std::exchange(row.declared_features, features) != features) changes |= kFeatures;
  if (images_.Set(slot, node.status.images)) changes |= kImages;
  if (changes != 0) AppendToJournal({.slot = slot, .changes = changes});
  if (!change.is_new) return slot;
  if (const auto found = pods_of_missing_nodes_.find(node.metadata.name);
      found != pods_of_missing_nodes_.end()) {
    const std::vector<PodId> pods = std::move(found->second);
    pods_of_missing_nodes_.erase(found);
    for (const PodId id : pods) {
      pods_[id].is_on_missing_node = false;
      AddToNode(id, slot);
    }
  }
  return slot;
}

void ClusterState::RemoveNode(std::string_view name) {
  const std::optional<NodeSlot> slot = index_.Find(name);
  if (!slot) return;
  NodeRow& row = rows_[*slot];
  while (!row.nominated.empty()) SetNominated(row.nominated.back(), kNoNode);
  const std::vector<PodId> pods = row.pods;
  std::vector<PodId> homeless;
  for (const PodId id : pods) {
    RemoveFromNode(id);
    PodRecord& record = pods_[id];
    // Assumed pods are scheduled again. Bound pods belong to the node of that name.
    if (std::exchange(record.is_assumed, false)) continue;
    record.is_on_missing_node = true;
    homeless.push_back(id);
  }
  if (!homeless.empty()) pods_of_missing_nodes_.emplace(std::string(name), std::move(homeless));
  row = {};
  images_.Clear(*slot);
  live_.Reset(*slot);
  unschedulable_.Reset(*slot);
  nominated_nodes_.Reset(*slot);
  index_.Remove(name);
  AppendToJournal({.slot = *slot, .changes = kNodeRemoved});
}

const std::string& ClusterState::KeyOf(const api::ObjectMeta& metadata) {
  key_scratch_.clear();
  if (!metadata.uid.empty()) {
    key_scratch_.append(metadata.uid);
  } else {
    key_scratch_.append(metadata.namespace_).append("/").append(metadata.name);
  }
  return key_scratch_;
}

PodId ClusterState::FindPod(const api::ObjectMeta& metadata) {
  return pod_keys_.Find(KeyOf(metadata));
}

PodId ClusterState::UpsertPod(const ObjectPtr& object) {
  const auto* pod = object->As<api::Pod>();
  PL_ASSERT(pod != nullptr);
  PodId id = FindPod(pod->metadata);
  const bool is_new = id == kNoPod;
  if (is_new) {
    id = pod_keys_.Acquire(KeyOf(pod->metadata)).id;
    if (id >= pods_.size()) pods_.resize(id + 1);
    pods_[id] = {};
  }
  const PodClass* const pod_class = AcquireClass(object);
  PodRecord& record = pods_[id];
  const bool was_terminating = record.is_terminating;
  if (!is_new && record.pod_class != pod_class) {
    // The pod was counted under its old class: remove it, and add it under the new one.
    const NodeSlot node = record.node;
    const NodeSlot nominated = record.nominated;
    if (nominated != kNoNode) SetNominated(id, kNoNode);
    if (node != kNoNode) RemoveFromNode(id);
    ReleaseClass(std::exchange(record.pod_class, pod_class)->id);
    if (node != kNoNode) AddToNode(id, node);
    if (nominated != kNoNode) SetNominated(id, nominated);
  } else if (!is_new) {
    ReleaseClass(pod_class->id);  // the record already holds a reference
  } else {
    record.pod_class = pod_class;
  }
  record.object = object;
  record.pod = pod;
  record.start_time = StartTime(*pod);
  record.is_terminating = !pod->metadata.deletion_timestamp.empty();
  record.is_preempted = record.is_terminating && IsPreempted(*object);
  AssignToNode(id, IsPodTerminal(*pod) ? std::string_view() : pod->spec.node_name);
  if (record.is_terminating != was_terminating && record.node != kNoNode) {
    AppendToJournal(
        {.slot = record.node, .changes = kPodTerminating, .pod_class = record.pod_class->id});
  }
  return id;
}

/// Moves a pod to the node that the server has bound it to.
void ClusterState::AssignToNode(PodId id, std::string_view node_name) {
  PodRecord& record = pods_[id];
  RemoveFromMissingNode(id);
  if (node_name.empty()) {
    // Not bound yet, so an assumption is kept. A finished pod frees its node.
    if (record.node != kNoNode && (!record.is_assumed || IsPodTerminal(*record.pod))) {
      record.is_assumed = false;
      RemoveFromNode(id);
    }
    return;
  }
  SetNominated(id, kNoNode);
  record.is_assumed = false;
  const std::optional<NodeSlot> slot = index_.Find(node_name);
  if (slot && record.node == *slot) return;
  if (record.node != kNoNode) RemoveFromNode(id);
  if (slot) {
    AddToNode(id, *slot);
  } else {
    record.is_on_missing_node = true;
    pods_of_missing_nodes_[std::string(node_name)].push_back(id);
  }
}

void ClusterState::RemoveFromMissingNode(PodId id) {
  if (!std::exchange(pods_[id].is_on_missing_node, false)) return;
  // Rare, so there is no index from the pod to its list.
  for (auto at = pods_of_missing_nodes_.begin(); at != pods_of_missing_nodes_.end(); ++at) {
    if (std::erase(at->second, id) == 0) continue;
    if (at->second.empty()) pods_of_missing_nodes_.erase(at);
    return;
  }
}

bool ClusterState::RemovePod(const api::ObjectMeta& metadata) {
  const PodId id = FindPod(metadata);
  if (id == kNoPod) return false;
  RemoveFromMissingNode(id);
  SetNominated(id, kNoNode);
  if (pods_[id].node != kNoNode) RemoveFromNode(id);
  ReleaseClass(pods_[id].pod_class->id);
  pods_[id] = {};
  pod_keys_.Release(id);
  return true;
}

void ClusterState::AssumePod(PodId id, NodeSlot slot) {
  PL_ASSERT(pods_[id].node == kNoNode && live_.Test(slot));
  SetNominated(id, kNoNode);
  AddToNode(id, slot);
  pods_[id].is_assumed = true;
}

void ClusterState::ForgetPod(PodId id) {
  if (!std::exchange(pods_[id].is_assumed, false)) return;
  RemoveFromNode(id);
}

void ClusterState::NominatePod(PodId id, NodeSlot slot) { SetNominated(id, slot); }

void ClusterState::SetNominated(PodId id, NodeSlot slot) {
  PodRecord& record = pods_[id];
  if (record.nominated == slot) return;
  if (record.nominated != kNoNode) {
    std::vector<PodId>& old = rows_[record.nominated].nominated;
    std::erase(old, id);
    nominated_nodes_.Assign(record.nominated, !old.empty());
    AppendToJournal({.slot = record.nominated, .changes = kNominations});
  }
  record.nominated = slot;
  if (slot == kNoNode) return;
  rows_[slot].nominated.push_back(id);
  nominated_nodes_.Set(slot);
  AppendToJournal({.slot = slot, .changes = kNominations});
}

void ClusterState::AddToNode(PodId id, NodeSlot slot) {
  PodRecord& record = pods_[id];
  record.node = slot;
  rows_[slot].AddPod(id, *record.pod_class);
  if (record.pod_class->has_required_anti_affinity) ++pods_with_anti_affinity_;
  if (record.pod_class->has_pod_affinity) ++pods_with_affinity_;
  AppendToJournal({.slot = slot, .changes = kPodAdded, .pod_class = record.pod_class->id});
}

void ClusterState::RemoveFromNode(PodId id) {
  PodRecord& record = pods_[id];
  const NodeSlot slot = std::exchange(record.node, kNoNode);
  rows_[slot].RemovePod(id, *record.pod_class);
  if (record.pod_class->has_required_anti_affinity) --pods_with_anti_affinity_;
  if (record.pod_class->has_pod_affinity) --pods_with_affinity_;
  AppendToJournal({.slot = slot, .changes = kPodRemoved, .pod_class = record.pod_class->id});
}

const PodClass* ClusterState::AcquireClass(const ObjectPtr& object) {
  key_scratch_.clear();
  AppendClassKey(ClassView::Of(*object->As<api::Pod>()), key_scratch_);
  ClassId id = class_keys_.Find(key_scratch_);
  if (id == Interner::kNone) {
    id = class_keys_.Acquire(key_scratch_).id;
    if (id >= classes_.size()) classes_.resize(id + 1);
    PodClass described = DescribeClass(object, resource_names_);
    described.id = id;
    described.serial = ++class_serials_;
    classes_[id] = {.described = std::make_unique<PodClass>(std::move(described))};
  } else if (classes_[id].uses == 0) {
    --idle_classes_;
  }
  ++classes_[id].uses;
  return classes_[id].described.get();
}

/// An unused class is kept for a while, as another pod of the template may follow soon.
void ClusterState::ReleaseClass(ClassId id) {
  if (--classes_[id].uses > 0) return;
  classes_[id].idle_since = ++class_releases_;
  ++idle_classes_;
  if (idle_classes_ > kIdleClassesMax) ForgetIdleClass();
}

void ClusterState::ForgetIdleClass() {
  ClassId oldest = Interner::kNone;
  for (ClassId id = 0; id < classes_.size(); ++id) {
    if (classes_[id].described == nullptr || classes_[id].uses > 0) continue;
    if (oldest == Interner::kNone || classes_[id].idle_since < classes_[oldest].idle_since) {
      oldest = id;
    }
  }
  PL_ASSERT(oldest != Interner::kNone);
  classes_[oldest] = {};
  class_keys_.Release(oldest);
  --idle_classes_;
}

std::shared_ptr<const PodClass> ClusterState::ClassOf(const ObjectPtr& object) {
  const PodClass* const pod_class = AcquireClass(object);
  return {pod_class, [this](const PodClass* released) { ReleaseClass(released->id); }};
}

std::size_t ClusterState::MemoryBytes() const {
  std::size_t bytes = index_.Memory().total() + rows_.capacity() * sizeof(NodeRow) +
                      pods_.capacity() * sizeof(PodRecord) + pod_keys_.MemoryBytes() +
                      class_keys_.MemoryBytes() + classes_.size() * sizeof(ClassEntry) +
                      journal_.MemoryBytes();
  for (const NodeRow& row : rows_) {
    bytes += (row.pods.capacity() + row.nominated.capacity()) * sizeof(PodId) +
             row.ports.capacity() * sizeof(HostPort) +
             (row.allocatable.resources.scalars.capacity() + row.requested.scalars.capacity()) *
                 sizeof(ScalarAmount);
  }
  return bytes;
}

}  // namespace plimsoll::scheduler
