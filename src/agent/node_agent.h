#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/address_pool.h"
#include "agent/devices/device_driver.h"
#include "agent/lease_wheel.h"
#include "agent/metrics.h"
#include "agent/node_status.h"
#include "agent/records.h"
#include "agent/runtime.h"
#include "agent/token_bucket.h"
#include "base/interner.h"
#include "base/metrics.h"
#include "match/expression_memo.h"
#include "match/rules.h"

namespace plimsoll::agent {

struct NodeAgentOptions {
  std::vector<HostedNode> nodes;
  /// Also adopts nodes with the annotation `plimsoll.io/simulated: "true"`.
  bool adopts = false;
  /// Status of an adopted node without capacity; see HostedNode.
  std::string adopted_status = "{}";
  match::Rules rules;
  AddressPool node_addresses;
  AddressPool pod_addresses;
  Duration lease_duration = std::chrono::seconds(40);
  Duration lease_renewal = std::chrono::seconds(10);
  Duration report_period = std::chrono::minutes(5);
  /// Rate limit for Normal events of all nodes; warnings are not limited. Zero: no Normal events.
  double events_per_second = 100;
  double events_at_once = 1000;
};

/// Kubelets of one to many thousand nodes, as one pure core. It registers the nodes, renews their
/// leases and status, and admits, runs and ends the pods that are bound to them.
///
/// A pod has at most one write in flight; changes meanwhile go into the next one. A new agent that
/// receives the same objects continues where the previous one stopped: running pods keep running.
class NodeAgent : public api::PureCore {
 public:
  /// The registry must outlive this object.
  NodeAgent(NodeAgentOptions options, std::shared_ptr<Runtime> runtime, MetricsRegistry& metrics);
  ~NodeAgent() override;
  NodeAgent(const NodeAgent&) = delete;
  NodeAgent& operator=(const NodeAgent&) = delete;

  std::span<const WatchedKind> watched() const override { return watched_; }
  void Observe(const CoreInput& event, const Turn& turn) override;
  void Wake(const Turn& turn) override;
  std::optional<Instant> NextWake() const override;

 private:
  enum class Purpose : std::uint8_t {
    NodeCreate,
    NodeStatus,
    Lease,
    PodStatus,
    PodDelete,
    PodCheck,
    PodVolumes
  };
  struct Pending {
    Purpose purpose = Purpose::NodeCreate;
    std::uint64_t pod = 0;       // number of the pod; or `node` is set
    NodeRecord* node = nullptr;  // lives as long as the agent
  };

  // Input events (node_agent.cc).
  void Take(const ObjectChanged& event, const Turn& turn);
  void Take(const ActionFinished& event, const Turn& turn);
  void Take(const Synced& event, const Turn& turn);
  void FinishCheck(PodRecord& pod, const ObjectPtr& read, const Turn& turn);
  void TakeRuntimeEvents(const Turn& turn);
  void Flush(const Turn& turn);
  ActionId Begin(const Pending& pending);
  std::optional<Pending> Finish(ActionId id);
  void Tell(const ObjectPtr& about, const NodeRecord& node, LifeEvent event, std::string field_path,
            const Turn& turn);
  /// Records an event about annotations with the deprecated prefix, once for each key.
  void WarnOfAnnotations(const ObjectPtr& about, const NodeRecord& node, const Turn& turn);

  // Nodes (node_agent_nodes.cc).
  NodeRecord& AddNode(std::string name, const HostedNode* hosted);
  NodeRecord* FindNode(std::string_view name);
  void TakeNode(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void ReconcileNode(NodeRecord& node, Instant now);
  void ForgetNode(NodeRecord& node);
  void CreateNode(NodeRecord& node, const Turn& turn);
  void JoinNode(NodeRecord& node, const Turn& turn);
  void SetConditions(NodeRecord& node, const Turn& turn);
  void SetSilence(NodeRecord& node, const Turn& turn);
  void ReportNode(NodeRecord& node, const Turn& turn);
  std::vector<NodeImageEntry> ImagesOf(const NodeRecord& node) const;
  void AddImages(NodeRecord& node, const api::PodSpec& spec, Instant now);
  void RenewLeases(const Turn& turn);
  void RenewOrCreateLease(NodeRecord& node, const Turn& turn);
  void FinishLease(NodeRecord& node, const Status& status, const Turn& turn);
  void FinishNode(const Pending& pending, const Status& status, const Turn& turn);
  void ScheduleNode(NodeRecord& node, Instant when);
  void WakeNode(NodeRecord& node, const Turn& turn);

  // Pods (node_agent_pods.cc).
  void TakePod(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void ForgetPod(std::string_view uid);
  PodRecord* FindPod(std::uint64_t number);
  void Touch(PodRecord& pod);
  /// Makes the next transition of the pod, except for writes.
  void Look(PodRecord& pod, const Turn& turn);
  void Enter(PodRecord& pod, const Turn& turn);
  std::optional<Refusal> Check(const PodRecord& pod, const api::Node& node);
  /// Continues the admission check later: its expressions exceed the cost limit of one check.
  void PutOff(PodRecord& pod, const Turn& turn);
  void Admit(PodRecord& pod, const Turn& turn);
  void Resume(PodRecord& pod, const Turn& turn);
  /// Releases a pod that is held for its claims or volumes as soon as it may use them.
  void Prepare(PodRecord& pod, const Turn& turn);
  void TakeClaim(const api::ObjectMeta& claim, const Turn& turn);
  void AwaitClaims(PodRecord& pod);
  void StopAwaiting(PodRecord& pod);
  void ReportUnprepared(PodRecord& pod, const Turn& turn);
  // PersistentVolumes (node_agent_volumes.cc).
  void ReadVolumesOf(PodRecord& pod, const Turn& turn);
  void ReadNextVolume(PodRecord& pod, const Turn& turn);
  void FinishVolumeRead(PodRecord& pod, const ActionFinished& event, const Turn& turn);
  void UseVolumes(PodRecord& pod, const Status& read, const Turn& turn);
  std::string AffinityFault(const std::vector<ObjectPtr>& volumes, const api::Object& node) const;
  void CheckVolumesAgain(NodeRecord& node, const Turn& turn);
  static bool IsOver(const PodRecord& pod);
  void RefusePod(PodRecord& pod, Refusal refusal, const Turn& turn);
  /// Admits or rejects the pod. For a critical pod, others may be preempted
  /// (node_agent_preemption.cc).
  void Decide(PodRecord& pod, const api::Node& node, const Turn& turn);
  void MakeRoom(PodRecord& pod, Refusal refusal, const Turn& turn);
  void Preempt(PodRecord& victim, const Refusal& shortage, const Turn& turn);
  void StopWaitingForRoom(PodRecord& pod);
  void Occupy(PodRecord& pod);
  void Vacate(PodRecord& pod);
  void StopIfDeleted(PodRecord& pod, const Turn& turn);
  /// Sends the pod's next write, if none is in flight.
  void Write(PodRecord& pod, const Turn& turn);
  void Reconcile(PodRecord& pod, Instant now);
  void TellEvents(PodRecord& pod, std::vector<LifeEvent>& events, const Turn& turn);
  void FinishPod(PodRecord& pod, Purpose purpose, const Status& status, const Turn& turn);
  void SchedulePod(PodRecord& pod);
  /// Calls `change` for the pod's life, if this agent runs the pod.
  void Live(PodRecord& pod, const Turn& turn, const std::function<void(const LifeStep&)>& change);

  NodeAgentOptions options_;
  const std::vector<WatchedKind> watched_;
  const std::shared_ptr<Runtime> owned_runtime_;
  Runtime& runtime_;
  AgentMetrics metrics_;
  bool is_synced_ = false;
  match::ExpressionMemo expressions_;  // of tolerations, for admission
  Interner resources_;
  Interner images_;
  std::map<std::string, std::unique_ptr<NodeRecord>, std::less<>> nodes_;
  LeaseWheel leases_;
  std::set<std::pair<Instant, std::uint32_t>> nodes_due_;  // by index
  std::vector<NodeRecord*> nodes_by_index_;
  std::map<std::uint64_t, std::unique_ptr<PodRecord>> pods_;  // by number
  std::map<std::string, std::uint64_t, std::less<>> pods_by_uid_;
  std::set<std::pair<Instant, std::uint64_t>> pods_due_;
  std::vector<std::uint64_t> touched_;
  std::uint64_t next_pod_ = 1;
  std::map<std::pair<std::string, std::string>, std::set<std::uint64_t>> awaited_claims_;
  ActionId next_action_ = 1;
  DeviceDriver devices_{next_action_};
  std::map<ActionId, Pending> pending_;
  TokenBucket event_tokens_;
  std::set<std::string, std::less<>> deprecated_;  // annotations that were reported
};

}  // namespace plimsoll::agent
