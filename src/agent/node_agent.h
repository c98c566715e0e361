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
  /// Also takes over nodes that carry `plimsoll.io/simulated: "true"`, as they come.
  bool adopts = false;
  /// What an adopted node without capacity gets; of HostedNode.
  std::string adopted_status = "{}";
  match::Rules rules;
  AddressPool node_addresses;
  AddressPool pod_addresses;
  Duration lease_duration = std::chrono::seconds(40);
  Duration lease_renewal = std::chrono::seconds(10);
  Duration report_period = std::chrono::minutes(5);
  /// Normal events of all nodes together; warnings are always told. A rate of zero: none.
  double events_per_second = 100;
  double events_at_once = 1000;
};

/// The agents of one node to many thousands, as one pure core: registers the nodes, keeps their
/// leases and status fresh, and takes, runs and ends the pods that are bound to them.
///
/// A pod has at most one write under way; what changes meanwhile is in the next. A new agent that
/// is told the same objects goes on where another was killed: pods that ran go on running.
class NodeAgent {
 public:
  /// The runtime and the registry must outlive it.
  NodeAgent(NodeAgentOptions options, Runtime& runtime, MetricsRegistry& metrics);
  ~NodeAgent();
  NodeAgent(const NodeAgent&) = delete;
  NodeAgent& operator=(const NodeAgent&) = delete;

  void Observe(const InputEvent& event, Instant now, Actions& out);
  void Wake(Instant now, Actions& out);
  std::optional<Instant> NextWake() const;

 private:
  /// The moment that a call of the core is about.
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
    std::uint64_t pod = 0;       // its number, or …
    NodeRecord* node = nullptr;  // which lives as long as the agent
  };

  // What happened (node_agent.cc).
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
  /// Does what the pod needs now, but for writes.
  void Look(PodRecord& pod, const Step& step);
  void Enter(PodRecord& pod, const Step& step);
  std::optional<Refusal> Check(const PodRecord& pod, const api::Node& node);
  /// Goes on with the check later: its expressions cost more than one look may.
  void PutOff(PodRecord& pod, const Step& step);
  void Admit(PodRecord& pod, const Step& step);
  void Resume(PodRecord& pod, const Step& step);
  /// Lets a pod that is held for its claims or its volumes go as soon as it may use them.
  void Prepare(PodRecord& pod, const Step& step);
  void TakeClaim(const api::ObjectMeta& claim, const Step& step);
  void AwaitClaims(PodRecord& pod);
  void StopAwaiting(PodRecord& pod);
  void Complain(PodRecord& pod, const Step& step);
  // PersistentVolumes (node_agent_volumes.cc).
  void ReadVolumesOf(PodRecord& pod, const Step& step);
  std::string AffinityFault(const std::vector<ObjectPtr>& volumes, const api::Object& node) const;
  void CheckVolumesAgain(NodeRecord& node, const Step& step);
  static bool IsOver(const PodRecord& pod);
  void RefusePod(PodRecord& pod, Refusal refusal, const Step& step);
  /// Takes the pod, or not; for a critical one others may have to go first (node_agent_room.cc).
  void Decide(PodRecord& pod, const api::Node& node, const Step& step);
  void MakeRoom(PodRecord& pod, Refusal refusal, const Step& step);
  void Preempt(PodRecord& victim, const Refusal& shortage, const Step& step);
  void StopWaitingForRoom(PodRecord& pod);
  void Occupy(PodRecord& pod);
  void Vacate(PodRecord& pod);
  void StopIfDeleted(PodRecord& pod, const Step& step);
  /// Sends what is to be written of it, one thing at a time.
  void Write(PodRecord& pod, const Step& step);
  void Reconcile(PodRecord& pod, Instant now);
  void TellEvents(PodRecord& pod, std::vector<LifeEvent>& events, const Step& step);
  void FinishPod(const Pending& pending, const Status& status, const Step& step);
  void SchedulePod(PodRecord& pod);
  /// One step of the pod's life, if it lives here.
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
