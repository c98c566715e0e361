#include "agent/node_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/pod_status.h"
#include "api/meta/own_annotation.h"

namespace plimsoll::agent {

namespace {

constexpr std::size_t kDeprecatedMax = 100;   // keys of annotations that are reported
constexpr std::size_t kAnswersMax = 1 << 14;  // cached results of expressions

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
    : options_(std::move(options)),
      watched_(WatchedFor(options_.nodes)),
      owned_runtime_(std::move(runtime)),
      runtime_(*owned_runtime_),
      metrics_(metrics),
      expressions_(options_.rules.evaluator, kAnswersMax),
      leases_(options_.lease_renewal),
      event_tokens_(options_.events_per_second, options_.events_at_once) {
  for (const HostedNode& node : options_.nodes) {
    AddNode(node.name, &node);
    devices_.AddNode(node);
  }
}

NodeAgent::~NodeAgent() = default;

void NodeAgent::Observe(const CoreInput& event, const Turn& turn) {
  std::visit([&](const auto& one) { Take(one, turn); }, event);
  TakeRuntimeEvents(turn);
  Flush(turn);
}

void NodeAgent::Wake(const Turn& turn) {
  const Instant now = turn.now;
  TakeRuntimeEvents(turn);
  while (!pods_due_.empty() && pods_due_.begin()->first <= now) {
    PodRecord& pod = *pods_.at(pods_due_.begin()->second);
    pods_due_.erase(pods_due_.begin());
    pod.due.reset();
    if (pod.retry_at && *pod.retry_at <= now) pod.retry_at.reset();
    Live(pod, turn, [&](const LifeStep& life) { pod.life.Wake(life); });
    if (pod.confirm_at && *pod.confirm_at <= now) Reconcile(pod, now);
    if (pod.complain_at && *pod.complain_at <= now) ReportUnprepared(pod, turn);
    if (pod.admit_at && *pod.admit_at <= now) {
      pod.admit_at.reset();
      Look(pod, turn);
    }
    if (pod.volume_retry_at && *pod.volume_retry_at <= now) ReadVolumesOf(pod, turn);
    Touch(pod);
  }
  while (!nodes_due_.empty() && nodes_due_.begin()->first <= now) {
    NodeRecord& node = *nodes_by_index_[nodes_due_.begin()->second];
    nodes_due_.erase(nodes_due_.begin());
    node.due.reset();
    WakeNode(node, turn);
  }
  RenewLeases(turn);
  devices_.Wake(turn);
  TakeRuntimeEvents(turn);
  Flush(turn);
}

std::optional<Instant> NodeAgent::NextWake() const {
  std::optional<Instant> next = leases_.NextWake();
  const auto consider = [&](Instant when) {
    if (!next || when < *next) next = when;
  };
  if (const auto when = runtime_.NextWake()) consider(*when);
  if (const auto when = devices_.NextWake()) consider(*when);
  if (!pods_due_.empty()) consider(pods_due_.begin()->first);
  if (!nodes_due_.empty()) consider(nodes_due_.begin()->first);
  return next;
}

void NodeAgent::Take(const ObjectChanged& event, const Turn& turn) {
  const api::Object& any = event.new_object != nullptr ? *event.new_object : *event.old_object;
  if (any.As<api::Pod>() != nullptr) {
    TakePod(event.old_object, event.new_object, turn);
  } else if (any.As<api::Node>() != nullptr) {
    TakeNode(event.old_object, event.new_object, turn);
  } else {
    devices_.Take(event, turn);
    if (any.As<api::ResourceClaim>() != nullptr) TakeClaim(any.metadata(), turn);
  }
}

void NodeAgent::Take(const Synced& /*event*/, const Turn& turn) {
  is_synced_ = true;
  for (NodeRecord* const node : nodes_by_index_) {
    if (node->is_there) {
      JoinNode(*node, turn);
    } else if (node->hosted != nullptr) {
      node->wants_create = true;
      CreateNode(*node, turn);
    }
  }
}

void NodeAgent::Take(const ActionFinished& event, const Turn& turn) {
  const std::optional<Pending> pending = Finish(event.id);
  if (!pending) {
    devices_.Finish(event, turn);
    return;
  }
  if (pending->node != nullptr) return FinishNode(*pending, event.status, turn);
  PodRecord* const pod = FindPod(pending->pod);
  if (pod == nullptr) return;
  switch (pending->purpose) {
    case Purpose::PodCheck:
      return FinishCheck(*pod, event.object, turn);
    case Purpose::PodVolumes:
      return FinishVolumeRead(*pod, event, turn);
    default:
      return FinishPod(*pod, pending->purpose, event.status, turn);
  }
}

/// Checks a rejected pod a second time, with the node as read from the server.
void NodeAgent::FinishCheck(PodRecord& pod, const ObjectPtr& read, const Turn& turn) {
  pod.write = 0;
  const ObjectPtr& node = read != nullptr ? read : pod.node.object;
  if (!pod.life.pod()->metadata().deletion_timestamp.empty()) {
    pod.state = PodRecord::State::Done;
  } else {
    Decide(pod, *node->As<api::Node>(), turn);
  }
  Look(pod, turn);
}

void NodeAgent::TakeRuntimeEvents(const Turn& turn) {
  std::vector<RuntimeEvent> events;
  for (runtime_.Take(turn.now, events); !events.empty(); runtime_.Take(turn.now, events)) {
    for (const RuntimeEvent& event : events) {
      PodRecord* const pod = FindPod(event.key.pod);
      if (pod == nullptr) continue;
      Live(*pod, turn, [&](const LifeStep& life) { pod->life.Take(event, life); });
      Touch(*pod);
    }
    events.clear();
  }
}

/// Writes come last, so that all changes of one moment share one write.
void NodeAgent::Flush(const Turn& turn) {
  // A vacated pod touches the waiting ones, so the list may grow in this loop.
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    PodRecord* const pod = FindPod(touched_[i]);
    if (pod != nullptr && pod->state == PodRecord::State::Waiting) Look(*pod, turn);
  }
  for (const std::uint64_t number : std::exchange(touched_, {})) {
    PodRecord* const pod = FindPod(number);
    if (pod == nullptr) continue;
    pod->is_touched = false;
    Write(*pod, turn);
    SchedulePod(*pod);
  }
}

ActionId NodeAgent::Begin(const Pending& pending) {
  pending_.emplace_hint(pending_.end(), next_action_, pending);
  return next_action_++;
}

std::optional<NodeAgent::Pending> NodeAgent::Finish(ActionId id) {
  const auto found = pending_.find(id);
  if (found == pending_.end()) return std::nullopt;
  const Pending pending = found->second;
  pending_.erase(found);
  return pending;
}

void NodeAgent::Tell(const ObjectPtr& about, const NodeRecord& node, LifeEvent event,
                     std::string field_path, const Turn& turn) {
  if (node.is_silent) return;
  if (event.type == EventType::Normal && !event_tokens_.Take(turn.now)) return;
  turn.Do(RecordEvent{.regarding = about,
                      .type = event.type,
                      .reason = std::string(event.reason),
                      .message = std::move(event.message),
                      .host = node.name,
                      .field_path = std::move(field_path)});
}

void NodeAgent::WarnOfAnnotations(const ObjectPtr& about, const NodeRecord& node,
                                  const Turn& turn) {
  for (const auto& [key, value] : about->metadata().annotations) {
    std::string advice = api::DeprecationOf(key);
    if (advice.empty() || deprecated_.size() >= kDeprecatedMax) continue;
    if (!deprecated_.emplace(key).second) continue;
    Tell(about, node,
         {{},
          EventType::Warning,
          "DeprecatedAnnotation",
          fmt::format("metadata.annotations[{}]: {}", key, advice)},
         {}, turn);
  }
}

}  // namespace plimsoll::agent
