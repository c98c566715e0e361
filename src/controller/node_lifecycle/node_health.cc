// Detects nodes without heartbeat, updates the state of their zones, and decides on their
// taints.

#include <string>
#include <utility>

#include "base/assert.h"
#include "base/time_arithmetic.h"
#include "controller/node_lifecycle/node_conditions.h"
#include "controller/node_lifecycle/node_lifecycle.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kExcludedLabel = "node.kubernetes.io/exclude-disruption";

}  // namespace

Instant NodeLifecycle::DeadlineOf(const Node& node) const {
  const Duration grace = ReadinessOf(*node.object) == Readiness::Missing
                             ? options_.node_startup_grace_period
                             : options_.node_monitor_grace_period;
  // A heartbeat exactly at the end of the grace period is still in time.
  return SaturatingAdd(SaturatingAdd(node.alive, grace), Duration(1));
}

void NodeLifecycle::Await(NodeId id) {
  if (!nodes_[id].is_lapsed) deadlines_.Set(id, DeadlineOf(nodes_[id]));
}

void NodeLifecycle::SeeAlive(NodeId id, Instant now) {
  Node& node = nodes_[id];
  node.alive = now;
  if (!std::exchange(node.is_lapsed, false)) return;
  Await(id);
  Count(node);
  MarkDirty(id);
}

void NodeLifecycle::MarkDirty(NodeId id) {
  if (!std::exchange(nodes_[id].is_dirty, true)) dirty_.push_back(id);
}

bool NodeLifecycle::IsReady(const Node& node) const {
  return !node.is_lapsed && ReadinessOf(*node.object) == Readiness::True;
}

void NodeLifecycle::Count(Node& node) {
  if (node.object->metadata().labels.Has(kExcludedLabel)) {
    return SetStanding(node, Standing::Uncounted);
  }
  SetStanding(node, IsReady(node) ? Standing::Ready : Standing::Unhealthy);
}

void NodeLifecycle::SetStanding(Node& node, Standing standing) {
  const Standing before = std::exchange(node.standing, standing);
  const auto change = [&](Standing which) { return (standing == which) - (before == which); };
  const int ready = change(Standing::Ready);
  const int unhealthy = change(Standing::Unhealthy);
  if (ready != 0 || unhealthy != 0) zones_.Count(node.zone, ready, unhealthy);
}

void NodeLifecycle::Sweep(const Turn& turn) {
  next_sweep_ = turn.now + options_.node_monitor_period;
  while (const auto due = deadlines_.Take(turn.now)) {
    Node& node = nodes_[due->id];
    if (DeadlineOf(node) > turn.now) {
      Await(due->id);
      continue;
    }
    node.is_lapsed = true;
    Count(node);
    MarkDirty(due->id);
  }
  for (const NodeId id : std::exchange(dirty_, {})) {
    nodes_[id].is_dirty = false;
    if (nodes_[id].object != nullptr) Evaluate(id, turn);
  }
  UpdateZones(turn);
  TaintNext(turn);
}

/// Decides on the NoExecute taint from the condition Ready. A node that has none yet is queued in
/// its zone.
void NodeLifecycle::Evaluate(NodeId id, const Turn& turn) {
  Node& node = nodes_[id];
  if (IsReady(node)) {
    zones_.Remove(node.zone, id);
    node.wish = NoExecuteWish::Absent;
  } else if (!node.is_lapsed && ReadinessOf(*node.object) == Readiness::Missing) {
    return;  // the node is still starting
  } else if (HasNoExecuteTaint(*node.object) && !zones_.is_everything_down()) {
    // A taint that is just being removed does not count.
    if (node.write.id != 0) return MarkDirty(id);
    node.wish = NoExecuteWish::Mirror;
  } else if (node.wish != NoExecuteWish::Mirror) {
    zones_.Enqueue(node.zone, id);
  }
  Sync(id, turn);
}

void NodeLifecycle::UpdateZones(const Turn& turn) {
  const Zones::Change change = zones_.Update(turn.now);
  if (change == Zones::Change::None) return;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    Node& node = nodes_[id];
    if (node.object == nullptr) continue;
    if (change == Zones::Change::EverythingDown) {
      // The control plane is more likely to be disconnected than all nodes are.
      zones_.Remove(node.zone, id);
      node.wish = NoExecuteWish::Absent;
      MarkDirty(id);
      Sync(id, turn);
    } else {
      // No heartbeat could arrive while the control plane was disconnected.
      node.alive = turn.now;
      if (std::exchange(node.is_lapsed, false)) Count(node);
      Await(id);
      MarkDirty(id);
    }
  }
}

void NodeLifecycle::TaintNext(const Turn& turn) {
  while (const auto id = zones_.Pop(turn.now)) {
    Node& node = nodes_[*id];
    PL_ASSERT(node.object != nullptr);
    if (IsReady(node)) continue;
    node.wish = NoExecuteWish::Mirror;
    Sync(*id, turn);
  }
}

void NodeLifecycle::Sync(NodeId id, const Turn& turn) {
  Node& node = nodes_[id];
  if (node.object == nullptr || node.write.id != 0) return;
  if (node.is_lapsed) {
    if (std::string patch = LapsePatch(*node.object, turn.now); !patch.empty()) {
      node.write.announces = ReadinessOf(*node.object) == Readiness::True;
      return Patch(id, "status", std::move(patch), turn);
    }
  }
  std::string patch = TaintsPatch(*node.object, node.wish, turn.now);
  if (!patch.empty()) Patch(id, {}, std::move(patch), turn);
}

void NodeLifecycle::Patch(NodeId id, std::string_view subresource, std::string patch,
                          const Turn& turn) {
  Node& node = nodes_[id];
  node.write.id = next_id_++;
  node.write.object = node.object;
  writes_[node.write.id] = {.is_pod = false, .id = id};
  turn.Do(PatchObject{.id = node.write.id,
                      .object = node.object,
                      .subresource = subresource,
                      .body = std::move(patch),
                      .form = subresource.empty() ? PatchForm::Merge : PatchForm::StrategicMerge});
}

/// Records that a node became unready because its heartbeat stopped.
void NodeLifecycle::Announce(NodeId id, const Turn& turn) {
  const Node& node = nodes_[id];
  turn.Do(RecordEvent{.regarding = node.object,
                      .reason = "NodeNotReady",
                      .message = "Node " + std::string(node.object->metadata().name) +
                                 " status is now: NodeNotReady"});
  for (const PodId pod : node.pods) MarkNotReady(pod, turn);
}

}  // namespace plimsoll::controller
