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

#include "agent/action.h"
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
class NodeAgent {
 public:
  /// The runtime and the registry must outlive this object.
  NodeAgent(NodeAgentOptions options, Runtime& runtime, MetricsRegistry& metrics);
  ~NodeAgent();
  NodeAgent(const NodeAgent&) = delete;
  NodeAgent& operator=(const NodeAgent&) = delete;

  void Observe(const InputEvent& event, Instant now, Actions& out);
  void Wake(Instant now, Actions& out);
  std::optional<Instant> NextWake() const;

 private:
  /// Time and output of one call.
  struct Step {
    Instant now;
    Actions& out;
  };
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
  void Take(const ObjectChanged& event, const Step& step);
  void Take(const ActionFinished& event, const Step& step);
  void Take(const Synced& event, const Step& step);
  void Take(const NodeRead& event, const Step& step);
  void Take(const VolumesRead& event, const Step& step);
  void TakeRuntimeEvents(const Step& step);
  void Flush(const Step& step);
  ActionId Begin(const Pending& pending);
  std::optional<Pending> Finish(ActionId id);
  void Tell(const ObjectPtr& about, const NodeRecord& node, LifeEvent event, std::string field_path,
            const Step& step);
  /// Records an event about annotations with the deprecated prefix, once for each key.
  void WarnOfAnnotations(const ObjectPtr& about, const NodeRecord& node, const Step& step);

  // Nodes (node_agent_nodes.cc).
  NodeRecord& AddNode(std::string name, const HostedNode* hosted);
  NodeRecord* FindNode(std::string_view name);
  void TakeNode(const ObjectPtr& before, const ObjectPtr& after, const Step& step);
  void ReconcileNode(NodeRecord& node, Instant now);
  void ForgetNode(NodeRecord& node);
  void CreateNode(NodeRecord& node, const Step& step);
  void JoinNode(NodeRecord& node, const Step& step);
  void SetConditions(NodeRecord& node, const Step& step);
  void SetSilence(NodeRecord& node, const Step& step);
  void ReportNode(NodeRecord& node, const Step& step);
  std::vector<NodeImageEntry> ImagesOf(const NodeRecord& node) const;
  void AddImages(NodeRecord& node, const api::PodSpec& spec, Instant now);
  void RenewLeases(const Step& step);
  void RenewOrCreateLease(NodeRecord& node, const Step& step);
  void FinishLease(NodeRecord& node, const Status& status, const Step& step);
  void FinishNode(const Pending& pending, const Status& status, const Step& step);
  void ScheduleNode(NodeRecord& node, Instant when);
  void WakeNode(NodeRecord& node, const Step& step);

  // Pods (node_agent_pods.cc).
  void TakePod(const ObjectPtr& before, const ObjectPtr& after, const Step& step);
  void ForgetPod(std::string_view uid);
  PodRecord* FindPod(std::uint64_t number);
  void Touch(PodRecord& pod);
  /// Makes the next transition of the pod, except for writes.
  void Look(PodRecord& pod, const Step& step);
  void Enter(PodRecord& pod, const Step& step);
  std::optional<Refusal> Check(const PodRecord& pod, const api::Node& node);
  /// Continues the admission check later: its expressions exceed the cost limit of one check.
  void PutOff(PodRecord& pod, const Step& step);
  void Admit(PodRecord& pod, const Step& step);
  void Resume(PodRecord& pod, const Step& step);
  /// Releases a pod that is held for its claims or volumes as soon as it may use them.
  void Prepare(PodRecord& pod, const Step& step);
  void TakeClaim(const api::ObjectMeta& claim, const Step& step);
  void AwaitClaims(PodRecord& pod);
  void StopAwaiting(PodRecord& pod);
  void ReportUnprepared(PodRecord& pod, const Step& step);
  // PersistentVolumes (node_agent_volumes.cc).
  void ReadVolumesOf(PodRecord& pod, const Step& step);
  std::string AffinityFault(const std::vector<ObjectPtr>& volumes, const api::Object& node) const;
  void CheckVolumesAgain(NodeRecord& node, const Step& step);
  static bool IsOver(const PodRecord& pod);
  void RefusePod(PodRecord& pod, Refusal refusal, const Step& step);
  /// Admits or rejects the pod. For a critical pod, others may be preempted
  /// (node_agent_preemption.cc).
  void Decide(PodRecord& pod, const api::Node& node, const Step& step);
  void MakeRoom(PodRecord& pod, Refusal refusal, const Step& step);
  void Preempt(PodRecord& victim, const Refusal& shortage, const Step& step);
  void StopWaitingForRoom(PodRecord& pod);
  void Occupy(PodRecord& pod);
  void Vacate(PodRecord& pod);
  void StopIfDeleted(PodRecord& pod, const Step& step);
  /// Sends the pod's next write, if none is in flight.
  void Write(PodRecord& pod, const Step& step);
  void Reconcile(PodRecord& pod, Instant now);
  void TellEvents(PodRecord& pod, std::vector<LifeEvent>& events, const Step& step);
  void FinishPod(const Pending& pending, const Status& status, const Step& step);
  void SchedulePod(PodRecord& pod);
  /// Calls `change` for the pod's life, if this agent runs the pod.
  void Live(PodRecord& pod, const Step& step, const std::function<void(const LifeStep&)>& change);

  NodeAgentOptions options_;
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
