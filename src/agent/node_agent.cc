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

}  // namespace

NodeAgent::NodeAgent(NodeAgentOptions options, Runtime& runtime, MetricsRegistry& metrics)
    : options_(std::move(options)),
      runtime_(runtime),
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

void NodeAgent::Observe(const InputEvent& event, Instant now, Actions& out) {
  const Step step{now, out};
  std::visit([&](const auto& one) { Take(one, step); }, event);
  TakeRuntimeEvents(step);
  Flush(step);
}

void NodeAgent::Wake(Instant now, Actions& out) {
  const Step step{now, out};
  TakeRuntimeEvents(step);
  while (!pods_due_.empty() && pods_due_.begin()->first <= now) {
    PodRecord& pod = *pods_.at(pods_due_.begin()->second);
    pods_due_.erase(pods_due_.begin());
    pod.due.reset();
    if (pod.retry_at && *pod.retry_at <= now) pod.retry_at.reset();
    Live(pod, step, [&](const LifeStep& life) { pod.life.Wake(life); });
    if (pod.confirm_at && *pod.confirm_at <= now) Reconcile(pod, now);
    if (pod.complain_at && *pod.complain_at <= now) ReportUnprepared(pod, step);
    if (pod.admit_at && *pod.admit_at <= now) {
      pod.admit_at.reset();
      Look(pod, step);
    }
    if (pod.volume_retry_at && *pod.volume_retry_at <= now) ReadVolumesOf(pod, step);
    Touch(pod);
  }
  while (!nodes_due_.empty() && nodes_due_.begin()->first <= now) {
    NodeRecord& node = *nodes_by_index_[nodes_due_.begin()->second];
    nodes_due_.erase(nodes_due_.begin());
    node.due.reset();
    WakeNode(node, step);
  }
  RenewLeases(step);
  devices_.Wake(now, out);
  TakeRuntimeEvents(step);
  Flush(step);
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

void NodeAgent::Take(const ObjectChanged& event, const Step& step) {
  const api::Object& any = event.new_object != nullptr ? *event.new_object : *event.old_object;
  if (any.As<api::Pod>() != nullptr) {
    TakePod(event.old_object, event.new_object, step);
  } else if (any.As<api::Node>() != nullptr) {
    TakeNode(event.old_object, event.new_object, step);
  } else {
    devices_.Take(event, step.now, step.out);
    if (any.As<api::ResourceClaim>() != nullptr) TakeClaim(any.metadata(), step);
  }
}

void NodeAgent::Take(const Synced& /*event*/, const Step& step) {
  is_synced_ = true;
  for (NodeRecord* const node : nodes_by_index_) {
    if (node->is_there) {
      JoinNode(*node, step);
    } else if (node->hosted != nullptr) {
      node->wants_create = true;
      CreateNode(*node, step);
    }
  }
}

void NodeAgent::Take(const ActionFinished& event, const Step& step) {
  const std::optional<Pending> pending = Finish(event.id);
  if (!pending) {
    devices_.Finish(event, step.now, step.out);
    return;
  }
  if (pending->node != nullptr) {
    FinishNode(*pending, event.status, step);
  } else {
    FinishPod(*pending, event.status, step);
  }
}

/// Checks a rejected pod a second time, with the node as read from the server.
void NodeAgent::Take(const NodeRead& event, const Step& step) {
  const std::optional<Pending> pending = Finish(event.id);
  PodRecord* const pod = pending ? FindPod(pending->pod) : nullptr;
  if (pod == nullptr) return;
  pod->write = 0;
  const ObjectPtr& node = event.node ? *event.node : pod->node.object;
  if (!pod->life.pod()->metadata().deletion_timestamp.empty()) {
    pod->state = PodRecord::State::Done;
  } else {
    Decide(*pod, *node->As<api::Node>(), step);
  }
  Look(*pod, step);
}

void NodeAgent::TakeRuntimeEvents(const Step& step) {
  std::vector<RuntimeEvent> events;
  for (runtime_.Take(step.now, events); !events.empty(); runtime_.Take(step.now, events)) {
    for (const RuntimeEvent& event : events) {
      PodRecord* const pod = FindPod(event.key.pod);
      if (pod == nullptr) continue;
      Live(*pod, step, [&](const LifeStep& life) { pod->life.Take(event, life); });
      Touch(*pod);
    }
    events.clear();
  }
}

/// Writes come last, so that all changes of one moment share one write.
void NodeAgent::Flush(const Step& step) {
  // A vacated pod touches the waiting ones, so the list may grow in this loop.
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    PodRecord* const pod = FindPod(touched_[i]);
    if (pod != nullptr && pod->state == PodRecord::State::Waiting) Look(*pod, step);
  }
  for (const std::uint64_t number : std::exchange(touched_, {})) {
    PodRecord* const pod = FindPod(number);
    if (pod == nullptr) continue;
    pod->is_touched = false;
    Write(*pod, step);
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
                     std::string field_path, const Step& step) {
  if (node.is_silent) return;
  if (event.type == EventType::Normal && !event_tokens_.Take(step.now)) return;
  step.out.push_back(RecordEvent{.regarding = about,
                                 .field_path = std::move(field_path),
                                 .host = node.name,
                                 .type = event.type,
                                 .reason = std::string(event.reason),
                                 .message = std::move(event.message)});
}

void NodeAgent::WarnOfAnnotations(const ObjectPtr& about, const NodeRecord& node,
                                  const Step& step) {
  for (const auto& [key, value] : about->metadata().annotations) {
    std::string advice = api::DeprecationOf(key);
    if (advice.empty() || deprecated_.size() >= kDeprecatedMax) continue;
    if (!deprecated_.emplace(key).second) continue;
    Tell(about, node,
         {{},
          EventType::Warning,
          "DeprecatedAnnotation",
          fmt::format("metadata.annotations[{}]: {}", key, advice)},
         {}, step);
  }
}

}  // namespace plimsoll::agent
