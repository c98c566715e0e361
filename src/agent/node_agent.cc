#include "agent/node_agent.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace plimsoll::agent {

namespace {

std::vector<WatchedKind> WatchedFor(const std::vector<HostedNode>& nodes) {
  std::vector<WatchedKind> watched = {{"", "v1", "Node"},
                                      {"", "v1", "Pod", {}, "spec.nodeName!="},
                                      {"resource.k8s.io", "v1", "ResourceClaim"}};
  if (std::ranges::any_of(nodes, [](const HostedNode& node) { return !node.slices.empty(); })) {
    watched.push_back({"resource.k8s.io", "v1", "ResourceSlice"});
  }
  return watched;
}

}  // namespace

NodeAgent::NodeAgent(NodeAgentOptions options, std::shared_ptr<Runtime> runtime,
                     MetricsRegistry& metrics)
    : hosted_(std::move(options.nodes)),
      adopts_(options.adopts),
      watched_(WatchedFor(hosted_)),
      runtime_(std::move(runtime)),
      metrics_(metrics),
      events_(options.events_per_second, options.events_at_once),
      leases_({.lease = options.lease_duration, .renewal = options.lease_renewal}, next_action_,
              metrics_),
      statuses_({.period = options.report_period,
                 .adopted_status = std::move(options.adopted_status),
                 .addresses = std::move(options.node_addresses)},
                next_action_, *runtime_, events_),
      devices_(next_action_),
      pods_(options.rules, std::move(options.pod_addresses), next_action_,
            {.runtime = *runtime_,
             .devices = devices_,
             .statuses = statuses_,
             .events = events_,
             .metrics = metrics_}) {
  for (const HostedNode& node : hosted_) {
    AddNode(node.name, &node);
    devices_.AddNode(node);
  }
}

NodeAgent::~NodeAgent() = default;

void NodeAgent::Observe(const CoreInput& event, const Turn& turn) {
  std::visit([&](const auto& one) { ObserveInput(one, turn); }, event);
  EndTurn(turn);
}

void NodeAgent::Wake(const Turn& turn) {
  pods_.ObserveRuntime(turn);
  pods_.Wake(turn);
  statuses_.Wake(turn);
  leases_.Wake(turn);
  devices_.Wake(turn);
  EndTurn(turn);
}

void NodeAgent::EndTurn(const Turn& turn) {
  pods_.ObserveRuntime(turn);
  pods_.Flush(turn);
}

std::optional<Instant> NodeAgent::NextWake() const {
  std::optional<Instant> next = leases_.NextWake();
  for (const std::optional<Instant>& when :
       {runtime_->NextWake(), devices_.NextWake(), pods_.NextWake(), statuses_.NextWake()}) {
    if (when && (!next || *when < *next)) next = when;
  }
  return next;
}

void NodeAgent::ObserveInput(const ObjectChanged& event, const Turn& turn) {
  const api::Object& any = event.new_object != nullptr ? *event.new_object : *event.old_object;
  if (any.As<api::Pod>() != nullptr) {
    ObservePod(event.old_object, event.new_object, turn);
  } else if (any.As<api::Node>() != nullptr) {
    ObserveNode(event.old_object, event.new_object, turn);
  } else {
    devices_.Observe(event, turn);
    if (any.As<api::ResourceClaim>() != nullptr) pods_.ObserveClaim(any.metadata(), turn);
  }
}

void NodeAgent::ObserveInput(const Synced& /*event*/, const Turn& turn) {
  is_synced_ = true;
  pods_.SetSynced();
  for (NodeRecord* const node : nodes_by_index_) {
    if (node->is_there) {
      StartNode(*node, turn);
    } else if (node->hosted != nullptr) {
      statuses_.Register(*node, turn);
    }
  }
}

void NodeAgent::ObserveInput(const ActionFinished& event, const Turn& turn) {
  if (leases_.Finish(event, turn) || pods_.Finish(event, turn)) return;
  if (!statuses_.Finish(event, turn)) devices_.Finish(event, turn);
}

void NodeAgent::ObservePod(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn) {
  if (after == nullptr) return pods_.Delete(before->metadata().uid);
  const std::string_view node_name = after->As<api::Pod>()->spec.node_name;
  NodeRecord* node = FindNode(node_name);
  // The Node to adopt may arrive after its pods.
  if (node == nullptr && adopts_ && !node_name.empty()) {
    node = &AddNode(std::string(node_name), nullptr);
  }
  if (node != nullptr) pods_.Update(after, *node, turn);
}

void NodeAgent::ObserveNode(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn) {
  NodeRecord* node = FindNode((after != nullptr ? after : before)->metadata().name);
  if (node == nullptr || (node->hosted == nullptr && !node->is_there)) {
    const bool is_adopted =
        adopts_ && after != nullptr && IsSimulated(after->metadata().annotations);
    if (!is_adopted) return;
    if (node == nullptr) node = &AddNode(std::string(after->metadata().name), nullptr);
  }
  if (after == nullptr) return StopNode(*node);
  const ObjectPtr known = std::exchange(node->object, after);
  if (!is_synced_) {
    node->is_there = true;
    return;
  }
  if (!std::exchange(node->is_there, true)) return StartNode(*node, turn);
  if (known == nullptr || known->metadata().annotations != after->metadata().annotations) {
    events_.WarnOfDeprecatedAnnotations(after, *node, turn);
    statuses_.UpdateConditions(*node, turn);
    const bool was_silent =
        std::exchange(node->is_silent, IsSilenced(after->metadata().annotations));
    if (was_silent && !node->is_silent) EndSilence(*node, turn);
    if (!node->is_silent) devices_.ObserveNode(after, turn);
  }
  if (known == nullptr || known->metadata().labels != after->metadata().labels) {
    pods_.ObserveNodeLabels(*node, turn);
  }
  statuses_.CheckReadiness(*node, turn.now);
  statuses_.Report(*node, turn);
}

NodeRecord& NodeAgent::AddNode(std::string name, const HostedNode* hosted) {
  auto& node = nodes_[name];
  PL_ASSERT(node == nullptr);
  node = std::make_unique<NodeRecord>();
  node->name = std::move(name);
  node->index = static_cast<std::uint32_t>(nodes_by_index_.size());
  node->hosted = hosted;
  nodes_by_index_.push_back(node.get());
  return *node;
}

NodeRecord* NodeAgent::FindNode(std::string_view name) {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : found->second.get();
}

void NodeAgent::StartNode(NodeRecord& node, const Turn& turn) {
  node.is_joined = true;
  node.is_silent = IsSilenced(node.object->metadata().annotations);
  metrics_.nodes.Add(1);
  statuses_.Join(node, turn);
  leases_.Start(node, statuses_.HasRegistered(node), turn.now);
  if (!node.is_silent) {
    leases_.Renew(node, turn);
    devices_.ObserveNode(node.object, turn);
  }
  statuses_.StartReports(node, turn);
  pods_.SyncNode(node, turn);
}

/// The Node was deleted. Other components delete its pods. If the Node is created again, it joins
/// again.
void NodeAgent::StopNode(NodeRecord& node) {
  node.is_there = false;
  if (!std::exchange(node.is_joined, false)) return;
  metrics_.nodes.Add(-1);
  leases_.Stop(node);
  devices_.ForgetNode(node.name);
  statuses_.Forget(node);
}

/// Writes everything again: others may have marked the node and its pods as lost.
void NodeAgent::EndSilence(NodeRecord& node, const Turn& turn) {
  statuses_.RequestReport(node);
  leases_.Renew(node, turn);
  pods_.RewriteStatuses(node);
  pods_.SyncNode(node, turn);
}

}  // namespace plimsoll::agent
