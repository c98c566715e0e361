#include "agent/pod_workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/status_reader.h"
#include "api/core/pod_phase.h"
#include "base/time_arithmetic.h"

namespace plimsoll::agent {
namespace {

using State = PodRecord::State;
using Kind = PodAdmission::Decision::Kind;

constexpr Duration kAdmissionDelay = std::chrono::milliseconds(10);
constexpr PodFailure kPreempted = {
    .reason = "Preempting",
    .message = "Preempted in order to admit critical pod",
    .event = EventType::Warning,
    .disruption = "Pod was preempted by Kubelet to accommodate a critical pod."};

}  // namespace

PodWorkers::PodWorkers(const match::Rules& rules, AddressPool addresses, ActionId& next_action,
                       const Parts& parts)
    : addresses_(std::move(addresses)),
      runtime_(parts.runtime),
      devices_(parts.devices),
      statuses_(parts.statuses),
      events_(parts.events),
      metrics_(parts.metrics),
      admission_(rules),
      volumes_(admission_.rules(), next_action, events_,
               [this](std::uint64_t number, const Turn& turn) {
                 PodRecord& pod = *Find(number);
                 ReleaseIfPrepared(pod, turn);
                 Queue(pod);
               }),
      claims_(devices_, events_),
      node_reads_(next_action),
      writes_(next_action) {}

PodRecord* PodWorkers::Find(std::uint64_t number) {
  const auto found = pods_.find(number);
  return found == pods_.end() ? nullptr : found->second.get();
}

NodePods& PodWorkers::PodsOf(const NodeRecord& node) {
  if (nodes_.size() <= node.index) nodes_.resize(node.index + 1);
  auto& pods = nodes_[node.index];
  if (pods == nullptr) pods = std::make_unique<NodePods>();
  return *pods;
}

void PodWorkers::Queue(PodRecord& pod) {
  if (!std::exchange(pod.is_queued, true)) queue_.push_back(pod.number());
}

void PodWorkers::Update(const ObjectPtr& object, const NodeRecord& node, const Turn& turn) {
  const auto known = pods_by_uid_.find(object->metadata().uid);
  if (known == pods_by_uid_.end()) return Sync(Add(object, node), turn);
  PodRecord& pod = *pods_.at(known->second);
  ChangeLife(pod, turn, [&](const LifeStep& life) { pod.life.Update(object, life); });
  if (pod.state != State::Living) pod.life.Replace(object);
  ReleaseIfPrepared(pod, turn);
  pod.writer.Compare(pod, turn.now);
  Sync(pod, turn);
}

PodRecord& PodWorkers::Add(const ObjectPtr& object, const NodeRecord& node) {
  const std::uint64_t number = next_pod_++;
  NodePods& neighbours = PodsOf(node);
  auto pod = std::make_unique<PodRecord>(number, node, neighbours, object);
  pods_by_uid_.emplace(object->metadata().uid, number);
  pod->place = neighbours.pods.size();
  neighbours.pods.push_back(pod.get());
  if (const auto address = ParseAddress(ReadPodAddress(*object))) {
    const bool is_host = object->As<api::Pod>()->spec.host_network;
    if (!is_host && addresses_.Reserve(*address)) pod->address = address;
  }
  return *(pods_[number] = std::move(pod));
}

void PodWorkers::Delete(std::string_view uid) {
  const auto known = pods_by_uid_.find(uid);
  if (known == pods_by_uid_.end()) return;
  const auto found = pods_.find(known->second);
  PodRecord& pod = *found->second;
  runtime_.Forget(pod.number());
  Vacate(pod);
  if (pod.address) addresses_.Release(*pod.address);
  if (pod.due) due_.erase({*pod.due, pod.number()});
  pod.writer.Cancel(writes_);
  if (pod.node_read != 0) node_reads_.Cancel(pod.node_read);
  volumes_.Forget(pod);
  claims_.Forget(pod);
  pod.neighbours.waiting.erase(pod.number());
  std::vector<PodRecord*>& neighbours = pod.neighbours.pods;
  neighbours[pod.place] = neighbours.back();
  neighbours[pod.place]->place = pod.place;
  neighbours.pop_back();
  pods_by_uid_.erase(known);
  pods_.erase(found);
}

void PodWorkers::SyncNode(const NodeRecord& node, const Turn& turn) {
  for (PodRecord* const pod : std::vector(PodsOf(node).pods)) Sync(*pod, turn);
}

void PodWorkers::RewriteStatuses(const NodeRecord& node) {
  for (PodRecord* const pod : PodsOf(node).pods) {
    if (pod->state == State::Living) pod->writer.MarkChanged();
  }
}

void PodWorkers::ObserveNodeLabels(const NodeRecord& node, const Turn& turn) {
  volumes_.ObserveNodeLabels(PodsOf(node).pods, turn);
}

void PodWorkers::ObserveClaim(const api::ObjectMeta& claim, const Turn& turn) {
  for (const std::uint64_t number : claims_.PodsWaitingFor(claim)) {
    PodRecord& pod = *Find(number);
    ReleaseIfPrepared(pod, turn);
    Queue(pod);
  }
}

void PodWorkers::ObserveRuntime(const Turn& turn) {
  std::vector<RuntimeEvent> events;
  for (runtime_.TakeEvents(turn.now, events); !events.empty();
       runtime_.TakeEvents(turn.now, events)) {
    for (const RuntimeEvent& event : events) {
      PodRecord* const pod = Find(event.key.pod);
      if (pod == nullptr) continue;
      ChangeLife(*pod, turn, [&](const LifeStep& life) { pod->life.Observe(event, life); });
      Queue(*pod);
    }
    events.clear();
  }
}

bool PodWorkers::Finish(const ActionFinished& event, const Turn& turn) {
  if (const std::optional<PodWrite> write = writes_.Finish(event.id)) {
    PodRecord& pod = *Find(write->pod);
    pod.writer.Finish(write->kind, event.status, turn.now);
    Queue(pod);
    return true;
  }
  if (const std::optional<std::uint64_t> number = node_reads_.Finish(event.id)) {
    FinishNodeRead(*Find(*number), event.object, turn);
    return true;
  }
  return volumes_.Finish(event, turn);
}

void PodWorkers::Wake(const Turn& turn) {
  while (!due_.empty() && due_.begin()->first <= turn.now) {
    PodRecord& pod = *pods_.at(due_.begin()->second);
    due_.erase(due_.begin());
    pod.due.reset();
    ChangeLife(pod, turn, [&](const LifeStep& life) { pod.life.Wake(life); });
    pod.writer.Wake(pod, turn.now);
    if (pod.admit_at && *pod.admit_at <= turn.now) {
      pod.admit_at.reset();
      Sync(pod, turn);
    }
    Queue(pod);
  }
  claims_.Wake(turn);
  volumes_.Wake(turn);
}

std::optional<Instant> PodWorkers::NextWake() const {
  std::optional<Instant> next = volumes_.NextWake();
  if (const auto when = claims_.NextWake(); when && (!next || *when < *next)) next = when;
  if (!due_.empty() && (!next || due_.begin()->first < *next)) next = due_.begin()->first;
  return next;
}

void PodWorkers::Flush(const Turn& turn) {
  // A pod that ends queues the waiting ones, so the list may grow in this loop.
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    PodRecord* const pod = Find(queue_[i]);
    if (pod != nullptr && pod->state == State::Waiting) Sync(*pod, turn);
  }
  for (const std::uint64_t number : std::exchange(queue_, {})) {
    PodRecord* const pod = Find(number);
    if (pod == nullptr) continue;
    pod->is_queued = false;
    if (is_synced_ && !pod->node.is_silent) pod->writer.Write(*pod, writes_, turn);
    Schedule(*pod);
  }
}

void PodWorkers::Schedule(PodRecord& pod) {
  std::optional<Instant> due = pod.admit_at;
  const std::optional<Instant> wake =
      pod.state == State::Living ? pod.life.NextWake() : std::nullopt;
  for (const std::optional<Instant>& when : {wake, pod.writer.NextWake()}) {
    if (when && (!due || *when < *due)) due = when;
  }
  if (due == pod.due) return;
  if (pod.due) due_.erase({*pod.due, pod.number()});
  pod.due = due;
  if (due) due_.emplace(*due, pod.number());
}

void PodWorkers::Sync(PodRecord& pod, const Turn& turn) {
  if (pod.node.object == nullptr || !is_synced_ || pod.node.is_silent) return;
  if (pod.state == State::New) Begin(pod, turn);
  if (pod.state == State::Waiting) {
    if (pod.is_deleting()) {
      pod.neighbours.waiting.erase(pod.number());
      pod.state = State::Done;
    } else {
      Apply(pod, admission_.Decide(pod, *pod.node.object->As<api::Node>()), turn);
    }
  }
  StopIfDeleted(pod, turn);
  Queue(pod);
}

/// Handles a pod that the agent sees for the first time.
void PodWorkers::Begin(PodRecord& pod, const Turn& turn) {
  const api::Pod& view = *pod.life.pod()->As<api::Pod>();
  if (IsPodTerminal(view)) {
    pod.state = State::Done;
    return;
  }
  events_.WarnOfDeprecatedAnnotations(pod.life.pod(), pod.node, turn);
  // Only agents set the start time, when they admit the pod.
  if (!view.status.start_time.empty()) return Resume(pod, turn);
  if (pod.is_deleting()) {
    pod.state = State::Done;
    return;
  }
  Apply(pod, admission_.Check(pod), turn);
}

/// Checks a rejected pod a second time, with the node as read from the server.
void PodWorkers::FinishNodeRead(PodRecord& pod, const ObjectPtr& node, const Turn& turn) {
  pod.node_read = 0;
  if (pod.is_deleting()) {
    pod.state = State::Done;
  } else {
    const api::Object& current = node != nullptr ? *node : *pod.node.object;
    Apply(pod, admission_.Decide(pod, *current.As<api::Node>()), turn);
  }
  Sync(pod, turn);
}

void PodWorkers::Apply(PodRecord& pod, PodAdmission::Decision decision, const Turn& turn) {
  if (decision.kind == Kind::Defer) {
    pod.state = State::Waiting;
    pod.admit_at = turn.now + kAdmissionDelay;
    return Queue(pod);
  }
  if (decision.kind != Kind::Preempt) pod.neighbours.waiting.erase(pod.number());
  switch (decision.kind) {
    case Kind::Admit:
      return Admit(pod, turn);
    case Kind::Reject:
      return Reject(pod, std::move(*decision.refusal), turn);
    case Kind::ReadNode:
      pod.state = State::Checking;
      pod.node_read = node_reads_.Begin(pod.number());
      return turn.Do(
          GetObject{.id = pod.node_read,
                    .object = api::ObjectRef(pod.node.object->kind(), {}, pod.node.name)});
    case Kind::Preempt:
      pod.state = State::Waiting;
      pod.neighbours.waiting.insert(pod.number());
      for (PodRecord* const victim : decision.victims) Preempt(*victim, *decision.refusal, turn);
      return;
    case Kind::Defer:
      return;
  }
}

void PodWorkers::Admit(PodRecord& pod, const Turn& turn) {
  pod.state = State::Living;
  Occupy(pod);
  const api::PodSpec& spec = pod.life.pod()->As<api::Pod>()->spec;
  if (!spec.host_network && !pod.address) pod.address = addresses_.Allocate();
  statuses_.AddImages(pod.node, spec, turn.now);
  metrics_.started_pods.Add();
  HoldIfUnprepared(pod);
  ChangeLife(pod, turn, [&](const LifeStep& life) { pod.life.Begin(life); });
  ReleaseIfPrepared(pod, turn);
  volumes_.Read(pod, turn);
  Queue(pod);
}

void PodWorkers::Resume(PodRecord& pod, const Turn& turn) {
  pod.state = State::Living;
  Occupy(pod);
  const api::Object& object = *pod.life.pod();
  statuses_.AddImages(pod.node, object.As<api::Pod>()->spec, turn.now);
  pod.writer.SetReportedGeneration(object.metadata().generation);
  // A pod whose containers may start has its claims and volumes.
  if (!ReadCondition(object, PodConditionType::PodReadyToStartContainers).holds) {
    HoldIfUnprepared(pod);
  }
  ChangeLife(pod, turn, [&](const LifeStep& life) { pod.life.Resume(life); });
  ReleaseIfPrepared(pod, turn);
  volumes_.Read(pod, turn);
  Queue(pod);
}

void PodWorkers::HoldIfUnprepared(PodRecord& pod) {
  volumes_.Add(pod);
  if (!volumes_.AreUsable(pod) || devices_.WhyUnprepared(*pod.life.pod())) pod.life.Hold();
}

void PodWorkers::ReleaseIfPrepared(PodRecord& pod, const Turn& turn) {
  if (!pod.life.is_held() || !claims_.Prepare(pod, turn.now) || !volumes_.AreUsable(pod)) return;
  ChangeLife(pod, turn, [&](const LifeStep& life) { pod.life.Release(life); });
}

void PodWorkers::Reject(PodRecord& pod, Refusal refusal, const Turn& turn) {
  pod.state = State::Refused;
  pod.writer.MarkChanged();
  pod.refused_at = turn.now;
  metrics_.rejections.With({refusal.reason}).Add();
  turn.Do(RecordEvent{.regarding = pod.life.pod(),
                      .type = EventType::Warning,
                      .reason = refusal.reason,
                      .message = refusal.message,
                      .host = pod.node.name});
  pod.refusal = std::move(refusal);
  Queue(pod);
}

void PodWorkers::Preempt(PodRecord& victim, const Refusal& shortage, const Turn& turn) {
  victim.is_preempted = true;
  for (const Shortage& one : shortage.shortages) {
    metrics_.preemptions.With({admission_.resources().text(one.resource)}).Add();
  }
  ChangeLife(victim, turn, [&](const LifeStep& life) { victim.life.Fail(kPreempted, life); });
  Queue(victim);
}

void PodWorkers::Occupy(PodRecord& pod) {
  const api::PodSpec& spec = pod.life.pod()->As<api::Pod>()->spec;
  pod.requests = RequestsOf(spec, admission_.resources());
  pod.ports = HostPortsOf(spec);
  pod.neighbours.occupancy.Add(pod.requests, pod.ports);
  pod.is_counted = true;
  metrics_.running_pods.Add(1);
}

void PodWorkers::Vacate(PodRecord& pod) {
  if (!std::exchange(pod.is_counted, false)) return;
  pod.neighbours.occupancy.Remove(pod.requests, pod.ports);
  metrics_.running_pods.Add(-1);
  for (const std::uint64_t waiting : pod.neighbours.waiting) Queue(*pods_.at(waiting));
}

void PodWorkers::StopIfDeleted(PodRecord& pod, const Turn& turn) {
  if (pod.state != State::Living || !pod.is_deleting() || pod.life.has_ended()) return;
  const api::ObjectMeta& metadata = pod.life.pod()->metadata();
  Duration grace = SaturatingSeconds(metadata.deletion_grace_period_seconds.value_or(30));
  if (pod.stop_grace && *pod.stop_grace <= grace) return;
  pod.stop_grace = grace;
  // A new agent grants the rest of the grace period, not all of it again.
  if (const Result<Instant> end = ParseTime(metadata.deletion_timestamp)) {
    grace = std::clamp(TimeBetween(turn.now, *end), Duration::zero(), grace);
  }
  ChangeLife(pod, turn, [&](const LifeStep& life) { pod.life.Stop(grace, life); });
}

void PodWorkers::ChangeLife(PodRecord& pod, const Turn& turn,
                            const std::function<void(const LifeStep&)>& change) {
  if (pod.state != State::Living) return;
  std::vector<LifeEvent> events;
  change(LifeStep{runtime_, pod.node.object, turn.now, events});
  if (pod.life.TakeChanged()) pod.writer.MarkChanged();
  if (pod.life.has_ended()) Vacate(pod);
  RecordEvents(pod, events, turn);
}

void PodWorkers::RecordEvents(PodRecord& pod, std::vector<LifeEvent>& events, const Turn& turn) {
  for (LifeEvent& event : events) {
    std::string field_path;
    if (event.container) {
      const bool is_init = *event.container < pod.life.init_count();
      field_path = fmt::format("spec.{}{{{}}}", is_init ? "initContainers" : "containers",
                               pod.life.Spec(*event.container).name);
    }
    events_.Record(pod.life.pod(), pod.node, std::move(event), std::move(field_path), turn);
  }
}

}  // namespace plimsoll::agent
