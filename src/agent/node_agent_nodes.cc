#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "agent/node_agent.h"
#include "base/assert.h"

namespace plimsoll::agent {
namespace {

constexpr std::size_t kImagesShown = 50;  // upstream's nodeStatusMaxImages
/// Delay of a report of new images, to combine several, and its spread over the nodes.
constexpr Duration kImageDelay = std::chrono::seconds(10);
constexpr Duration kImageSpread = std::chrono::seconds(50);
constexpr Duration kRetryMin = std::chrono::milliseconds(200);
constexpr Duration kRetryMax = std::chrono::seconds(10);
/// Time during which a node with a different status may still be an old version.
constexpr Duration kConfirmTime = std::chrono::seconds(10);

const api::KindDesc& KindOf(std::string_view group, std::string_view kind) {
  const api::KindDesc* const found = api::FindKind(group, "v1", kind);
  PL_ASSERT(found != nullptr);
  return *found;
}

}  // namespace

NodeRecord& NodeAgent::AddNode(std::string name, const HostedNode* hosted) {
  auto& place = nodes_[name];
  PL_ASSERT(place == nullptr);
  place = std::make_unique<NodeRecord>();
  place->name = std::move(name);
  place->index = static_cast<std::uint32_t>(nodes_by_index_.size());
  place->hosted = hosted;
  nodes_by_index_.push_back(place.get());
  return *place;
}

NodeRecord* NodeAgent::FindNode(std::string_view name) {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : found->second.get();
}

void NodeAgent::TakeNode(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn) {
  NodeRecord* node = FindNode((after != nullptr ? after : before)->metadata().name);
  if (node == nullptr || (node->hosted == nullptr && !node->is_there)) {
    const bool is_adopted =
        options_.adopts && after != nullptr && IsSimulated(after->metadata().annotations);
    if (!is_adopted) return;
    if (node == nullptr) node = &AddNode(std::string(after->metadata().name), nullptr);
  }
  if (after == nullptr) return ForgetNode(*node);
  const bool has_new_annotations =
      node->object == nullptr ||
      node->object->metadata().annotations != after->metadata().annotations;
  const bool has_new_labels =
      node->object == nullptr || node->object->metadata().labels != after->metadata().labels;
  node->object = after;
  if (!is_synced_) {
    node->is_there = true;
    return;
  }
  if (!std::exchange(node->is_there, true)) return JoinNode(*node, turn);
  if (has_new_annotations) {
    WarnOfAnnotations(node->object, *node, turn);
    SetConditions(*node, turn);
    SetSilence(*node, turn);
    if (!node->is_silent) devices_.TakeNode(node->object, turn);
  }
  if (has_new_labels) CheckVolumesAgain(*node, turn);
  ReconcileNode(*node, turn.now);
  if (node->needs_report) ReportNode(*node, turn);
}

/// Another component may have marked the node as not ready, while it was silent or late. The agent
/// corrects that once the object cannot be an old version any more.
void NodeAgent::ReconcileNode(NodeRecord& node, Instant now) {
  const bool is_same =
      IsTrue(ReadConditions(*node.object), "Ready") == IsTrue(node.conditions, "Ready");
  if (is_same || node.is_silent) return;
  const Instant settled_at = node.reported_at + kConfirmTime;
  if (settled_at <= now) {
    node.needs_report = true;
  } else {
    ScheduleNode(node, settled_at);
  }
}

/// The Node was deleted. Other components delete its pods. If the Node is created again, it joins
/// again.
void NodeAgent::ForgetNode(NodeRecord& node) {
  node.is_there = false;
  if (!std::exchange(node.is_joined, false)) return;
  metrics_.nodes.Add(-1);
  leases_.Remove(node.index);
  devices_.ForgetNode(node.name);
  node.is_ours = false;
  node.conditions.clear();
}

void NodeAgent::CreateNode(NodeRecord& node, const Turn& turn) {
  if (node.create != 0) return;
  if (node.address.empty()) {
    node.address = node.hosted->address;
    if (node.address.empty()) {
      const auto address = options_.node_addresses.Take();
      node.address = address ? AddressText(*address) : "127.0.0.1";
    }
  }
  node.conditions = ConditionsOf({}, {}, turn.now);
  node.create = Begin({.purpose = Purpose::NodeCreate, .node = &node});
  turn.Do(CreateObject{.id = node.create,
                       .object = api::ObjectRef(KindOf("", "Node"), {}, node.name),
                       .body = NodeJson(*node.hosted, {.conditions = node.conditions,
                                                       .dropped = {},
                                                       .now = turn.now,
                                                       .images = {},
                                                       .address = node.address,
                                                       .hostname = node.name,
                                                       .status = node.hosted->status,
                                                       .runtime = runtime_.Version()})});
}

/// Starts the agent of a node that exists on the server.
void NodeAgent::JoinNode(NodeRecord& node, const Turn& turn) {
  node.is_joined = true;
  node.wants_create = false;
  metrics_.nodes.Add(1);
  if (const std::string_view address = ReadAddress(*node.object); !address.empty()) {
    if (const auto number = ParseAddress(address)) options_.node_addresses.Reserve(*number);
    node.address = address;
  } else if (node.address.empty()) {
    const auto taken = options_.node_addresses.Take();
    node.address = taken ? AddressText(*taken) : "127.0.0.1";
  }
  node.is_silent = IsSilenced(node.object->metadata().annotations);
  Tell(node.object, node, {{}, EventType::Normal, "Starting", "Starting kubelet."}, {}, turn);
  WarnOfAnnotations(node.object, node, turn);
  if (!node.is_ours) node.conditions = ReadConditions(*node.object);
  node.needs_full_report = !node.is_ours;
  SetConditions(node, turn);
  node.needs_report = !node.is_ours || node.needs_report;
  node.lacks_lease = node.is_ours;
  leases_.Add(node.index, turn.now);
  if (!node.is_silent) {
    RenewOrCreateLease(node, turn);
    devices_.TakeNode(node.object, turn);
  }
  node.reported_at = turn.now;
  ReportNode(node, turn);
  // Spread the next reports of many nodes, like their leases.
  node.report_due =
      turn.now + options_.report_period - options_.report_period / 1000 * (node.index * 127 % 1000);
  ScheduleNode(node, node.report_due);
  for (PodRecord* const pod : std::vector(node.pods)) Look(*pod, turn);
}

void NodeAgent::SetConditions(NodeRecord& node, const Turn& turn) {
  NodeConditions conditions =
      ConditionsOf(node.object->metadata().annotations, node.conditions, turn.now);
  for (const NodeCondition& condition : conditions) {
    const auto before = std::ranges::find(node.conditions, condition.type, &NodeCondition::type);
    if (before != node.conditions.end() && before->EqualsIgnoringTime(condition)) continue;
    node.needs_report = true;
    const std::string_view reason = EventReason(condition);
    const bool is_other = before == node.conditions.end() || before->status != condition.status;
    if (reason.empty() || !is_other) continue;
    Tell(node.object, node,
         {{},
          EventType::Normal,
          reason,
          fmt::format("Node {} status is now: {}", node.name, reason)},
         {}, turn);
  }
  for (const NodeCondition& before : node.conditions) {
    if (std::ranges::find(conditions, before.type, &NodeCondition::type) != conditions.end() ||
        before.reason != "Simulated") {
      continue;
    }
    node.dropped_conditions.push_back(before.type);
    node.needs_report = true;
  }
  node.conditions = std::move(conditions);
}

void NodeAgent::SetSilence(NodeRecord& node, const Turn& turn) {
  const bool is_silent = IsSilenced(node.object->metadata().annotations);
  if (std::exchange(node.is_silent, is_silent) == is_silent || is_silent) return;
  // Write everything again: others may have marked the node and its pods as lost.
  node.needs_report = true;
  RenewOrCreateLease(node, turn);
  for (PodRecord* const pod : std::vector(node.pods)) {
    if (pod->state == PodRecord::State::Living) pod->is_dirty = true;
    Look(*pod, turn);
  }
}

std::vector<NodeImageEntry> NodeAgent::ImagesOf(const NodeRecord& node) const {
  std::vector<NodeImageEntry> images;
  for (const Interner::Id id : node.images) {
    images.push_back({images_.text(id), runtime_.ImageBytes(images_.text(id))});
  }
  std::ranges::stable_sort(images, std::greater(), &NodeImageEntry::bytes);
  if (images.size() > kImagesShown) images.resize(kImagesShown);
  return images;
}

void NodeAgent::AddImages(NodeRecord& node, const api::PodSpec& spec, Instant now) {
  bool has_new = false;
  for (const auto* const list : {&spec.init_containers, &spec.containers}) {
    for (const api::Container& container : *list) {
      Interner::Id id = images_.Find(container.image);
      if (id == Interner::kNone) id = images_.Acquire(container.image).id;
      const auto at = std::ranges::lower_bound(node.images, id);
      if (at != node.images.end() && *at == id) continue;
      node.images.insert(at, id);
      has_new = true;
    }
  }
  if (!has_new || std::exchange(node.has_new_images, true)) return;
  ScheduleNode(node, now + kImageDelay + kImageSpread / 1000 * (node.index * 127 % 1000));
}

void NodeAgent::ReportNode(NodeRecord& node, const Turn& turn) {
  if (!node.needs_report || node.is_silent || !node.is_there || node.report != 0) return;
  NodeReport report{.conditions = node.conditions,
                    .dropped = {},
                    .now = turn.now,
                    .images = {},
                    .address = {},
                    .hostname = {},
                    .status = {},
                    .runtime = {}};
  for (const std::string& type : node.dropped_conditions) report.dropped.emplace_back(type);
  node.reports_images = std::exchange(node.has_new_images, false);
  if (node.reports_images) report.images = ImagesOf(node);
  if (std::exchange(node.needs_full_report, false)) {
    report.address = node.address;
    report.hostname = node.name;
    report.runtime = runtime_.Version();
    if (node.hosted != nullptr) {
      report.status = node.hosted->status;
    } else if (!HasCapacity(*node.object)) {
      report.status = options_.adopted_status;
    }
  }
  node.needs_report = false;
  node.reported_at = turn.now;
  node.report_due = turn.now + options_.report_period;
  node.report = Begin({.purpose = Purpose::NodeStatus, .node = &node});
  turn.Do(PatchObject{.id = node.report,
                      .object = node.object,
                      .subresource = "status",
                      .body = NodeStatusPatch(*node.object, report),
                      .form = PatchForm::StrategicMerge});
  node.reported_drops = std::exchange(node.dropped_conditions, {});
}

void NodeAgent::RenewLeases(const Turn& turn) {
  std::vector<std::uint32_t> due;
  leases_.Take(turn.now, due);
  for (const std::uint32_t index : due) {
    NodeRecord& node = *nodes_by_index_[index];
    if (node.is_there && !node.is_silent) RenewOrCreateLease(node, turn);
  }
}

void NodeAgent::RenewOrCreateLease(NodeRecord& node, const Turn& turn) {
  if (node.lease != 0) return;
  node.lease = Begin({.purpose = Purpose::Lease, .node = &node});
  static const api::KindDesc& kind = KindOf("coordination.k8s.io", "Lease");
  const api::ObjectRef lease(kind, "kube-node-lease", node.name);
  if (!node.lacks_lease) {
    // A small patch, because thousands of nodes renew. NotFound: there is no Lease.
    turn.Do(PatchObject{.id = node.lease, .object = lease, .body = RenewalPatch(turn.now)});
    return;
  }
  turn.Do(CreateObject{.id = node.lease,
                       .object = lease,
                       .body = LeaseJson(*node.object, options_.lease_duration, turn.now)});
}

void NodeAgent::FinishNode(const Pending& pending, const Status& status, const Turn& turn) {
  NodeRecord& node = *pending.node;
  if (status) node.retry_wait = {};
  const auto retry = [&] {
    node.retry_wait =
        node.retry_wait == Duration::zero() ? kRetryMin : std::min(node.retry_wait * 2, kRetryMax);
    ScheduleNode(node, turn.now + node.retry_wait);
  };
  switch (pending.purpose) {
    case Purpose::NodeCreate:
      node.create = 0;
      node.is_ours = status.has_value();
      // If the node exists already, its watch event follows.
      if (!status && status.error().reason != Reason::AlreadyExists) retry();
      break;
    case Purpose::NodeStatus:
      node.report = 0;
      if (!status && status.error().reason != Reason::NotFound) {
        node.needs_report = true;
        node.needs_full_report = !node.is_ours;
        node.has_new_images |= node.reports_images;
        std::ranges::move(node.reported_drops, std::back_inserter(node.dropped_conditions));
        node.reported_drops.clear();
        retry();
      } else if (node.needs_report) {
        ReportNode(node, turn);
      }
      break;
    default:
      node.lease = 0;
      FinishLease(node, status, turn);
      break;
  }
}

void NodeAgent::FinishLease(NodeRecord& node, const Status& status, const Turn& turn) {
  if (status) {
    node.lacks_lease = false;
    return;
  }
  const Reason reason = status.error().reason;
  const bool lacks_lease = reason == Reason::NotFound;
  if (lacks_lease == node.lacks_lease || (!lacks_lease && reason != Reason::AlreadyExists)) {
    metrics_.failed_renewals.Add();  // retried at the next turn
    return;
  }
  node.lacks_lease = lacks_lease;
  if (node.is_there && !node.is_silent) RenewOrCreateLease(node, turn);
}

/// An earlier time takes precedence.
void NodeAgent::ScheduleNode(NodeRecord& node, Instant when) {
  if (node.due && *node.due <= when) return;
  if (node.due) nodes_due_.erase({*node.due, node.index});
  node.due = when;
  nodes_due_.emplace(when, node.index);
}

void NodeAgent::WakeNode(NodeRecord& node, const Turn& turn) {
  if (!node.is_there) {
    if (node.wants_create) CreateNode(node, turn);
    return;
  }
  ReconcileNode(node, turn.now);
  node.needs_report |= node.has_new_images || node.report_due <= turn.now;
  ReportNode(node, turn);
  // A silent node, or one with a report in flight, reports when that is over.
  ScheduleNode(node,
               node.report_due > turn.now ? node.report_due : turn.now + options_.report_period);
}

}  // namespace plimsoll::agent
