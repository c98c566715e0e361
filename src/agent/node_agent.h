#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/address_pool.h"
#include "agent/devices/device_driver.h"
#include "agent/event_recorder.h"
#include "agent/metrics.h"
#include "agent/node_leases.h"
#include "agent/node_status.h"
#include "agent/node_status_reporter.h"
#include "agent/pod_workers.h"
#include "agent/records.h"
#include "agent/runtime.h"
#include "base/metrics.h"
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

/// Kubelets of one to many thousand nodes, as one pure core. It passes each change and each outcome
/// to the part that it concerns: NodeStatusReporter, NodeLeases, DeviceDriver or PodWorkers.
///
/// A new agent that receives the same objects continues where the previous one stopped: running
/// pods keep running.
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
  void ObserveInput(const ObjectChanged& event, const Turn& turn);
  void ObserveInput(const ActionFinished& event, const Turn& turn);
  void ObserveInput(const Synced& event, const Turn& turn);
  void ObservePod(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void ObserveNode(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void EndTurn(const Turn& turn);

  NodeRecord& AddNode(std::string name, const HostedNode* hosted);
  NodeRecord* FindNode(std::string_view name);
  /// Starts the agent of a node that exists on the server.
  void StartNode(NodeRecord& node, const Turn& turn);
  void StopNode(NodeRecord& node);
  /// Resumes the writes of a node that was silent.
  void EndSilence(NodeRecord& node, const Turn& turn);

  const std::vector<HostedNode> hosted_;
  const bool adopts_;
  const std::vector<WatchedKind> watched_;
  const std::shared_ptr<Runtime> runtime_;
  AgentMetrics metrics_;
  bool is_synced_ = false;
  std::map<std::string, std::unique_ptr<NodeRecord>, std::less<>> nodes_;
  std::vector<NodeRecord*> nodes_by_index_;
  ActionId next_action_ = 1;
  EventRecorder events_;
  NodeLeases leases_;
  NodeStatusReporter statuses_;
  DeviceDriver devices_;
  PodWorkers pods_;
};

}  // namespace plimsoll::agent
