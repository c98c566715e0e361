#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "base/bitmap.h"
#include "base/interner.h"
#include "base/time.h"
#include "match/index/match_index.h"
#include "match/rules.h"
#include "scheduler/cluster/image_table.h"
#include "scheduler/cluster/journal.h"
#include "scheduler/cluster/node_row.h"
#include "scheduler/cluster/object_table.h"
#include "scheduler/cluster/pod_class.h"
#include "scheduler/dra/device_settings.h"

namespace plimsoll::scheduler {

class Devices;

/// A known pod: pending, assumed or bound.
struct PodRecord {
  ObjectPtr object;
  const api::Pod* pod = nullptr;  // typed view of `object`
  const PodClass* pod_class = nullptr;
  NodeSlot node = kNoNode;       // node whose row counts it; kNoNode also if the node is unknown
  NodeSlot nominated = kNoNode;  // node whose row counts it as nominated
  std::optional<Instant> start_time;
  bool is_terminating = false;
  bool is_preempted = false;  // terminating because of preemption
  bool is_assumed = false;
  bool is_on_missing_node = false;  // bound to a node that does not exist
};

/// All known state of the cluster, in the form that plugins read. It has node rows, pods by class,
/// columns of labels and taints, and a journal of changes. It is changed in place. It needs no
/// snapshot, because cycles and events never overlap.
///
/// Not thread-safe.
class ClusterState {
 public:
  explicit ClusterState(const match::Rules& rules, const DeviceSettings& devices = {});
  ~ClusterState();
  ClusterState(const ClusterState&) = delete;
  ClusterState& operator=(const ClusterState&) = delete;

  const match::Rules& rules() const { return rules_; }

  // Nodes. Copies what it needs; does not keep the object.
  NodeSlot UpsertNode(const api::Node& node);
  /// Keeps the node's bound pods, and restores them if a node of that name is added again.
  void RemoveNode(std::string_view name);

  std::size_t node_count() const { return index_.size(); }
  /// Size of bitmaps and columns over nodes.
  std::size_t slot_limit() const { return index_.slot_limit(); }
  const Bitmap& nodes() const { return live_; }
  std::optional<NodeSlot> FindNode(std::string_view name) const { return index_.Find(name); }
  std::string_view node_name(NodeSlot slot) const { return index_.name(slot); }
  const NodeRow& row(NodeSlot slot) const { return rows_[slot]; }
  NodeView view(NodeSlot slot) const { return {slot, rows_[slot]}; }
  /// Labels, taints and names of nodes as columns. Queries may update a compiled program.
  match::MatchIndex& index() { return index_; }
  const match::MatchIndex& index() const { return index_; }
  const ImageTable& images() const { return images_; }
  const Bitmap& unschedulable_nodes() const { return unschedulable_; }
  /// Nodes whose row has nominated pods.
  const Bitmap& nominated_nodes() const { return nominated_nodes_; }

  // Pods, by uid (by namespace and name if there is none). A pod counts on the node that it names.
  /// Adds a pod, or updates a known one and moves it to the node that it names. A finished pod
  /// (Succeeded, Failed) counts nowhere.
  PodId UpsertPod(const ObjectPtr& object);
  /// Returns false if the pod is not known.
  bool RemovePod(const api::ObjectMeta& metadata);
  /// Returns kNoPod if the pod is not known.
  PodId FindPod(const api::ObjectMeta& metadata);
  const PodRecord& pod(PodId id) const { return pods_[id]; }
  std::size_t pod_count() const { return pod_keys_.size(); }
  /// Calls `visit(PodId)` in ascending order.
  template <class Visitor>
  void ForEachPod(Visitor&& visit) const {
    for (PodId id = 0; id < pods_.size(); ++id) {
      if (pod_keys_.IsLive(id)) visit(id);
    }
  }

  /// Counts a pending pod on a node before the server has bound it.
  void AssumePod(PodId id, NodeSlot slot);
  /// Undoes Assume. No effect if the pod is not assumed, or if its binding is confirmed.
  void ForgetPod(PodId id);
  bool IsAssumed(PodId id) const { return pods_[id].is_assumed; }

  /// Marks a pending pod as nominated to a node; kNoNode clears the nomination.
  void NominatePod(PodId id, NodeSlot slot);

  const PodClass& pod_class(ClassId id) const { return *classes_[id].described; }
  /// Returns null if no class has this id now.
  const PodClass* FindClass(ClassId id) const {
    return id < classes_.size() ? classes_[id].described.get() : nullptr;
  }
  /// Size of vectors and bitmaps over classes.
  std::size_t class_limit() const { return class_keys_.id_limit(); }
  /// Returns the class of a pod that need not be in the table, for queries about it. The class
  /// lives as long as the handle.
  std::shared_ptr<const PodClass> ClassOf(const ObjectPtr& object);

  /// Number of pods on nodes with required anti-affinity, and with any pod affinity.
  std::size_t pods_with_anti_affinity() const { return pods_with_anti_affinity_; }
  std::size_t pods_with_affinity() const { return pods_with_affinity_; }

  // Other kinds, stored unchanged.
  ObjectTable namespaces;
  ObjectTable services;
  ObjectTable replication_controllers;
  ObjectTable replica_sets;
  ObjectTable stateful_sets;
  ObjectTable volumes;  // PersistentVolumes
  ObjectTable claims;   // PersistentVolumeClaims
  ObjectTable storage_classes;
  ObjectTable csi_nodes;
  ObjectTable csi_drivers;
  ObjectTable csi_capacities;
  ObjectTable volume_attachments;
  ObjectTable disruption_budgets;

  Devices& devices() { return *devices_; }
  const Devices& devices() const { return *devices_; }

  Journal& journal() { return journal_; }
  const Journal& journal() const { return journal_; }

  ResourceId resource_id(std::string_view name) { return resource_names_.Acquire(name).id; }
  std::string_view resource_name(ResourceId id) const { return resource_names_.text(id); }
  /// Returns the allocatable resources of a node, which need not be in the table.
  Allocatable AllocatableOf(const api::Node& node) {
    return ReadAllocatable(node.status.allocatable, resource_names_);
  }

  std::size_t MemoryBytes() const;

 private:
  struct ClassEntry {
    std::unique_ptr<PodClass> described;
    std::uint32_t uses = 0;        // number of pods and handles
    std::uint64_t idle_since = 0;  // release counter when it became unused
  };

  const std::string& KeyOf(const api::ObjectMeta& metadata);
  const PodClass* AcquireClass(const ObjectPtr& object);
  void ReleaseClass(ClassId id);
  void ForgetIdleClass();
  void AssignToNode(PodId id, std::string_view node_name);
  void AddToNode(PodId id, NodeSlot slot);
  void RemoveFromNode(PodId id);
  void RemoveFromMissingNode(PodId id);
  void SetNominated(PodId id, NodeSlot slot);
  void AppendToJournal(const JournalEntry& entry);

  match::Rules rules_;
  match::MatchIndex index_;
  ImageTable images_;
  Bitmap live_;
  Bitmap unschedulable_;
  Bitmap nominated_nodes_;
  std::vector<NodeRow> rows_;  // indexed by slot
  Interner pod_keys_;          // the id of a key is the PodId
  std::vector<PodRecord> pods_;
  std::vector<std::uint8_t> assumed_;  // indexed by PodId
  std::map<std::string, std::vector<PodId>, std::less<>>
      pods_of_missing_nodes_;  // pods bound to a missing node, by its name
  Interner class_keys_;
  std::vector<ClassEntry> classes_;  // indexed by ClassId
  std::size_t idle_classes_ = 0;
  std::uint64_t class_serials_ = 0;
  std::uint64_t class_releases_ = 0;
  Interner resource_names_;
  Journal journal_;
  std::size_t pods_with_anti_affinity_ = 0;
  std::size_t pods_with_affinity_ = 0;
  std::string key_scratch_;
  std::unique_ptr<Devices> devices_;
};

}  // namespace plimsoll::scheduler
