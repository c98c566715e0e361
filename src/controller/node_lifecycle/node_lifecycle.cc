#include "controller/node_lifecycle/node_lifecycle.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "controller/node_lifecycle/node_conditions.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kLeaseNamespace = "kube-node-lease";

RecordEvent NodeEvent(const ObjectPtr& node, std::string_view reason, std::string_view what,
                      std::string_view where) {
  const std::string name(node->metadata().name);
  return {.regarding = node,
          .reason = std::string(reason),
          .message = "Node " + name + " event: " + std::string(what) + " Node " + name + " " +
                     std::string(where)};
}

}  // namespace

NodeLifecycle::NodeLifecycle(MetricsRegistry& metrics, const NodeLifecycleOptions& options)
    : options_(options), zones_(options.zones, metrics) {}

std::span<const WatchedKind> NodeLifecycle::watched() const {
  static constexpr std::array kWatched = {WatchedKind{"", "v1", "Node"},
                                          WatchedKind{"", "v1", "Pod"},
                                          WatchedKind{"coordination.k8s.io", "v1", "Lease"}};
  return kWatched;
}

void NodeLifecycle::Observe(const CoreInput& event, const Turn& turn) {
  if (const auto* const finished = std::get_if<ActionFinished>(&event)) {
    return Finish(*finished, turn);
  }
  if (std::holds_alternative<Synced>(event)) return Start(turn);
  const auto& [before, after] = std::get<ObjectChanged>(event);
  const api::Object& any = after != nullptr ? *after : *before;
  if (any.As<api::Node>() != nullptr) {
    OnNodeChange(before, after, turn);
  } else if (any.As<api::Pod>() != nullptr) {
    OnPodChange(before, after, turn);
  } else if (any.kind().kind == "Lease" && any.metadata().namespace_ == kLeaseNamespace) {
    OnLeaseChange(any, after == nullptr, turn.now);
  }
}

void NodeLifecycle::Start(const Turn& turn) {
  is_synced_ = true;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    if (nodes_[id].object != nullptr) AddNode(id, turn);
  }
  Sweep(turn);
  for (const Node& node : nodes_) {
    for (const PodId pod : node.pods) MarkNotReady(pod, turn);
  }
}

void NodeLifecycle::Wake(const Turn& turn) {
  if (!is_synced_) return;
  while (const auto id = node_retries_.Take(turn.now)) Sync(*id, turn);
  while (const auto id = pod_retries_.Take(turn.now)) MarkNotReady(*id, turn);
  if (next_sweep_ <= turn.now) Sweep(turn);
  TaintNext(turn);
}

std::optional<Instant> NodeLifecycle::NextWake() const {
  if (!is_synced_) return std::nullopt;
  Instant first = next_sweep_;
  for (const std::optional<Instant> next :
       {zones_.NextWake(), node_retries_.NextWake(), pod_retries_.NextWake()}) {
    if (next) first = std::min(first, *next);
  }
  return first;
}

NodeLifecycle::NodeId NodeLifecycle::AcquireNode(std::string_view name) {
  const NodeId id = node_names_.Acquire(name).id;
  if (id >= nodes_.size()) nodes_.resize(std::size_t{id} + 1);
  return id;
}

void NodeLifecycle::ReleaseNode(NodeId id) {
  if (node_names_.Release(id)) nodes_[id] = {};
}

/// A lease may exist before and after its node; its renew time is kept for the node.
void NodeLifecycle::OnLeaseChange(const api::Object& lease, bool is_gone, Instant now) {
  const std::optional<Instant> renewed = RenewTimeOf(lease);
  if (!renewed) return;
  const NodeId id = AcquireNode(lease.metadata().name);
  Node& node = nodes_[id];
  if (node.renewed.has_value()) node_names_.Release(id);  // the lease holds one reference already
  if (is_gone) {
    node.renewed.reset();
    return ReleaseNode(id);
  }
  const bool is_new = !node.renewed.has_value() || *renewed > *node.renewed;
  node.renewed = renewed;
  if (is_new && is_synced_ && node.object != nullptr) SeeAlive(id, now);
}

void NodeLifecycle::OnNodeChange(const ObjectPtr& before, const ObjectPtr& after,
                                 const Turn& turn) {
  const std::string_view name = (after != nullptr ? after : before)->metadata().name;
  NodeId id = node_names_.Find(name);
  const bool is_known = id != Interner::kNone && nodes_[id].object != nullptr;
  if (is_known &&
      (after == nullptr || nodes_[id].object->metadata().uid != after->metadata().uid)) {
    ForgetNode(id, turn);
  } else if (is_known) {
    return ChangeNode(id, after, turn);
  }
  if (after == nullptr) return;
  id = AcquireNode(name);
  nodes_[id].object = after;
  if (is_synced_) AddNode(id, turn);
}

/// Starts the grace period of a new node: now, or at its creation if it never had a
/// heartbeat.
void NodeLifecycle::AddNode(NodeId id, const Turn& turn) {
  Node& node = nodes_[id];
  const bool has_spoken =
      ReadinessOf(*node.object) != Readiness::Missing || node.renewed.has_value();
  node.heartbeat = HeartbeatOf(*node.object);
  node.alive = has_spoken ? turn.now : node.heartbeat;
  node.zone = zones_.Find(ZoneKeyOf(node.object->metadata().labels));
  turn.Do(NodeEvent(node.object, "RegisteredNode", "Registered", "in Controller"));
  Await(id);
  Count(node);
  MarkDirty(id);
  Sync(id, turn);
}

void NodeLifecycle::ChangeNode(NodeId id, const ObjectPtr& after, const Turn& turn) {
  Node& node = nodes_[id];
  const ObjectPtr before = std::exchange(node.object, after);
  if (!is_synced_) return;
  node_retries_.Erase(id);  // the new version may have removed the obstacle
  const Instant heartbeat = HeartbeatOf(*after);
  if (std::exchange(node.heartbeat, heartbeat) != heartbeat) SeeAlive(id, turn.now);
  if (before->metadata().labels != after->metadata().labels) {
    zones_.Remove(node.zone, id);
    SetStanding(node, Standing::Uncounted);
    node.zone = zones_.Find(ZoneKeyOf(after->metadata().labels));
  }
  Count(node);
  MarkDirty(id);
  Await(id);  // the first status ends the longer startup grace period
  // If the version differs from the one that was patched, the patch has either succeeded or will
  // fail with Conflict. In both cases the new version is used.
  if (node.write.id != 0 &&
      node.write.object->metadata().resource_version != after->metadata().resource_version) {
    const bool announces = node.write.announces && ReadinessOf(*after) == Readiness::Unknown;
    writes_.erase(node.write.id);
    node.write = {};
    if (announces) Announce(id, turn);
  }
  Sync(id, turn);
}

void NodeLifecycle::ForgetNode(NodeId id, const Turn& turn) {
  Node& node = nodes_[id];
  if (is_synced_) {
    turn.Do(NodeEvent(node.object, "RemovingNode", "Removing", "from Controller"));
    zones_.Remove(node.zone, id);
    SetStanding(node, Standing::Uncounted);
  }
  deadlines_.Erase(id);
  node_retries_.Erase(id);
  writes_.erase(node.write.id);
  node.write = {};
  node.object.reset();
  node.is_lapsed = false;
  node.wish = NoExecuteWish::Keep;
  ReleaseNode(id);
}

void NodeLifecycle::Finish(const ActionFinished& event, const Turn& turn) {
  const auto at = writes_.find(event.id);
  if (at == writes_.end()) return;
  const Target target = at->second;
  if (target.is_pod) {
    writes_.erase(at);
    return FinishPod(target.id, event.status, turn);
  }
  FinishNode(target.id, event.status, turn);
}

void NodeLifecycle::FinishNode(NodeId id, const Status& status, const Turn& turn) {
  Node& node = nodes_[id];
  if (status) {
    // The old version must not be used until the watch event of the new one arrives.
    node_retries_.Forget(id);
    if (std::exchange(node.write.announces, false)) Announce(id, turn);
    return;
  }
  writes_.erase(node.write.id);
  node.write = {};
  node_retries_.Retry(id, turn.now);
}

}  // namespace plimsoll::controller
