#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/address_pool.h"
#include "agent/claim_preparer.h"
#include "agent/event_recorder.h"
#include "agent/metrics.h"
#include "agent/node_status_reporter.h"
#include "agent/pending_actions.h"
#include "agent/pod_admission.h"
#include "agent/records.h"
#include "agent/volume_manager.h"

namespace plimsoll::agent {

/// Manages the pods of all nodes of an agent, from the first watch event to the last. Admits them,
/// starts them once their claims and volumes are usable, writes their status, and ends them.
class PodWorkers {
 public:
  struct Parts {
    Runtime& runtime;
    const DeviceDriver& devices;
    NodeStatusReporter& statuses;
    EventRecorder& events;
    AgentMetrics& metrics;
  };

  /// The references must outlive this object.
  PodWorkers(const match::Rules& rules, AddressPool addresses, ActionId& next_action,
             const Parts& parts);
  PodWorkers(const PodWorkers&) = delete;
  PodWorkers& operator=(const PodWorkers&) = delete;

  /// Allows writes: all objects that existed at the start have been observed.
  void SetSynced() { is_synced_ = true; }

  /// Handles a change of a pod. `node` is the node to which it is bound.
  void Update(const ObjectPtr& pod, const NodeRecord& node, const Turn& turn);
  void Delete(std::string_view uid);
  /// Handles a node that has joined, or was silent and is no longer.
  void SyncNode(const NodeRecord& node, const Turn& turn);
  /// Writes the statuses of the node's pods again: another component may have changed them.
  void RewriteStatuses(const NodeRecord& node);
  void ObserveNodeLabels(const NodeRecord& node, const Turn& turn);
  void ObserveClaim(const api::ObjectMeta& claim, const Turn& turn);
  void ObserveRuntime(const Turn& turn);

  /// Returns false if the action is not one of these.
  bool Finish(const ActionFinished& event, const Turn& turn);
  void Wake(const Turn& turn);
  std::optional<Instant> NextWake() const;
  /// Ends a turn: writes the pods that have changed, so that all changes of a turn share one write.
  void Flush(const Turn& turn);

 private:
  PodRecord& Add(const ObjectPtr& pod, const NodeRecord& node);
  PodRecord* Find(std::uint64_t number);
  NodePods& PodsOf(const NodeRecord& node);
  /// Queues the pod for Flush.
  void Queue(PodRecord& pod);
  void Schedule(PodRecord& pod);

  /// Makes the next transition of the pod, except for writes.
  void Sync(PodRecord& pod, const Turn& turn);
  void Begin(PodRecord& pod, const Turn& turn);
  void FinishNodeRead(PodRecord& pod, const ObjectPtr& node, const Turn& turn);
  void Apply(PodRecord& pod, PodAdmission::Decision decision, const Turn& turn);
  void Admit(PodRecord& pod, const Turn& turn);
  void Resume(PodRecord& pod, const Turn& turn);
  /// Prevents the containers from starting until claims and volumes are usable.
  void HoldIfUnprepared(PodRecord& pod);
  /// Releases a pod that is held, if it may use its claims and volumes now.
  void ReleaseIfPrepared(PodRecord& pod, const Turn& turn);
  void Reject(PodRecord& pod, Refusal refusal, const Turn& turn);
  void Preempt(PodRecord& victim, const Refusal& shortage, const Turn& turn);
  void Occupy(PodRecord& pod);
  void Vacate(PodRecord& pod);
  void StopIfDeleted(PodRecord& pod, const Turn& turn);
  /// Calls `change` for the pod's life, if this agent runs the pod.
  void ChangeLife(PodRecord& pod, const Turn& turn,
                  const std::function<void(const LifeStep&)>& change);
  void RecordEvents(PodRecord& pod, std::vector<LifeEvent>& events, const Turn& turn);

  AddressPool addresses_;
  Runtime& runtime_;
  const DeviceDriver& devices_;
  NodeStatusReporter& statuses_;
  EventRecorder& events_;
  AgentMetrics& metrics_;
  PodAdmission admission_;
  VolumeManager volumes_;
  ClaimPreparer claims_;
  bool is_synced_ = false;
  std::vector<std::unique_ptr<NodePods>> nodes_;              // by index of the node
  std::map<std::uint64_t, std::unique_ptr<PodRecord>> pods_;  // by number
  std::map<std::string, std::uint64_t, std::less<>> pods_by_uid_;
  std::set<std::pair<Instant, std::uint64_t>> due_;
  std::vector<std::uint64_t> queue_;  // for Flush
  std::uint64_t next_pod_ = 1;
  PendingActions<std::uint64_t> node_reads_;
  PendingActions<PodWrite> writes_;
};

}  // namespace plimsoll::agent
