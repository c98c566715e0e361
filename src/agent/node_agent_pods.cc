#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/node_agent.h"
#include "agent/pod_status.h"
#include "agent/pod_volumes.h"
#include "agent/status_reader.h"
#include "api/core/pod_phase.h"
#include "base/time_arithmetic.h"

namespace plimsoll::agent {
namespace {

using State = PodRecord::State;

constexpr Duration kRetryMin = std::chrono::milliseconds(200);
constexpr Duration kRetryMax = std::chrono::seconds(30);
/// Time during which a pod with a different status may still be an old version.
constexpr Duration kConfirmTime = std::chrono::seconds(10);
constexpr Duration kServerEndTime = std::chrono::seconds(1);
/// Cost limit of expressions in one admission check; their results are cached for the next.
constexpr std::uint64_t kAdmissionBudget = 1'000'000;
constexpr Duration kPutOffTime = std::chrono::milliseconds(10);

bool IsLeaving(const PodRecord& pod) {
  return !pod.life.pod()->metadata().deletion_timestamp.empty();
}

/// Returns true if someone evaluates how the pod ended: there is a finalizer, or it is a pod that
/// runs to completion. For other pods the last status write is skipped.
bool IsEndCounted(const api::Object& pod) {
  return !pod.metadata().finalizers.empty() || pod.As<api::Pod>()->spec.restart_policy != "Always";
}

}  // namespace

void NodeAgent::Live(PodRecord& pod, const Turn& turn,
                     const std::function<void(const LifeStep&)>& change) {
  if (pod.state != State::Living) return;
  std::vector<LifeEvent> events;
  change(LifeStep{runtime_, pod.node.object, turn.now, events});
  pod.is_dirty |= pod.life.TakeChanged();
  if (pod.life.has_ended()) Vacate(pod);
  TellEvents(pod, events, turn);
}

void NodeAgent::TellEvents(PodRecord& pod, std::vector<LifeEvent>& events, const Turn& turn) {
  for (LifeEvent& event : events) {
    std::string field_path;
    if (event.container) {
      const bool is_init = *event.container < pod.life.init_count();
      field_path = fmt::format("spec.{}{{{}}}", is_init ? "initContainers" : "containers",
                               pod.life.Spec(*event.container).name);
    }
    Tell(pod.life.pod(), pod.node, std::move(event), std::move(field_path), turn);
  }
}

PodRecord* NodeAgent::FindPod(std::uint64_t number) {
  const auto found = pods_.find(number);
  return found == pods_.end() ? nullptr : found->second.get();
}

void NodeAgent::Touch(PodRecord& pod) {
  if (!std::exchange(pod.is_touched, true)) touched_.push_back(pod.number());
}

void NodeAgent::TakePod(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn) {
  if (after == nullptr) return ForgetPod(before->metadata().uid);
  const std::string_view uid = after->metadata().uid;
  if (const auto known = pods_by_uid_.find(uid); known != pods_by_uid_.end()) {
    PodRecord& pod = *pods_.at(known->second);
    Live(pod, turn, [&](const LifeStep& life) { pod.life.Update(after, life); });
    if (pod.state != State::Living) pod.life.Replace(after);
    Prepare(pod, turn);
    Reconcile(pod, turn.now);
    return Look(pod, turn);
  }
  const std::string_view node_name = after->As<api::Pod>()->spec.node_name;
  NodeRecord* node = FindNode(node_name);
  // The Node to adopt may arrive after its pods.
  if (node == nullptr && options_.adopts && !node_name.empty()) {
    node = &AddNode(std::string(node_name), nullptr);
  }
  if (node == nullptr) return;
  const std::uint64_t number = next_pod_++;
  auto& place = pods_[number];
  place = std::make_unique<PodRecord>(number, *node, after);
  pods_by_uid_.emplace(uid, number);
  place->place = node->pods.size();
  node->pods.push_back(place.get());
  if (const auto address = ParseAddress(ReadPodAddress(*after))) {
    const bool is_host = after->As<api::Pod>()->spec.host_network;
    if (!is_host && options_.pod_addresses.Reserve(*address)) place->address = address;
  }
  Look(*place, turn);
}

void NodeAgent::ForgetPod(std::string_view uid) {
  const auto known = pods_by_uid_.find(uid);
  if (known == pods_by_uid_.end()) return;
  const auto found = pods_.find(known->second);
  PodRecord& pod = *found->second;
  runtime_.Forget(pod.number());
  Vacate(pod);
  if (pod.address) options_.pod_addresses.Release(*pod.address);
  if (pod.due) pods_due_.erase({*pod.due, pod.number()});
  if (pod.write != 0) pending_.erase(pod.write);
  if (pod.volume_read != 0) pending_.erase(pod.volume_read);
  StopAwaiting(pod);
  StopWaitingForRoom(pod);
  std::vector<PodRecord*>& neighbours = pod.node.pods;
  neighbours[pod.place] = neighbours.back();
  neighbours[pod.place]->place = pod.place;
  neighbours.pop_back();
  pods_by_uid_.erase(known);
  pods_.erase(found);
}

void NodeAgent::Look(PodRecord& pod, const Turn& turn) {
  if (pod.node.object == nullptr || !is_synced_ || pod.node.is_silent) return;
  if (pod.state == State::New) Enter(pod, turn);
  if (pod.state == State::Waiting) {
    if (IsLeaving(pod)) {
      StopWaitingForRoom(pod);
      pod.state = State::Done;
    } else {
      Decide(pod, *pod.node.object->As<api::Node>(), turn);
    }
  }
  StopIfDeleted(pod, turn);
  Touch(pod);
}

/// Handles a pod that the agent sees for the first time.
void NodeAgent::Enter(PodRecord& pod, const Turn& turn) {
  const api::Object& object = *pod.life.pod();
  const api::Pod& view = *object.As<api::Pod>();
  if (IsPodTerminal(view)) {
    pod.state = State::Done;
    return;
  }
  WarnOfAnnotations(pod.life.pod(), pod.node, turn);
  // Only agents set the start time, when they admit the pod.
  if (!view.status.start_time.empty()) return Resume(pod, turn);
  if (IsLeaving(pod)) {
    pod.state = State::Done;
    return;
  }
  std::optional<Refusal> refusal = Check(pod, *pod.node.object->As<api::Node>());
  if (expressions_.is_exhausted()) return PutOff(pod, turn);
  if (!refusal) return Admit(pod, turn);
  if (!refusal->depends_on_object) return RefusePod(pod, std::move(*refusal), turn);
  pod.state = State::Checking;
  pod.write = Begin({.purpose = Purpose::PodCheck, .pod = pod.number()});
  turn.Do(GetObject{.id = pod.write,
                    .object = api::ObjectRef(pod.node.object->kind(), {}, pod.node.name)});
}

std::optional<Refusal> NodeAgent::Check(const PodRecord& pod, const api::Node& node) {
  AdmissionNode admission{node, pod.node.occupancy, {}};
  for (const std::string_view type : {"MemoryPressure", "DiskPressure", "PIDPressure"}) {
    if (IsTrue(pod.node.conditions, type)) admission.pressures.push_back(type);
  }
  match::Rules rules = options_.rules;
  if (rules.evaluator != nullptr) rules.evaluator = &expressions_;
  expressions_.SetBudget(kAdmissionBudget);
  return Refuse(*pod.life.pod()->As<api::Pod>(), admission, rules, resources_);
}

void NodeAgent::PutOff(PodRecord& pod, const Turn& turn) {
  pod.state = State::Waiting;
  pod.admit_at = turn.now + kPutOffTime;
  Touch(pod);
}

void NodeAgent::Admit(PodRecord& pod, const Turn& turn) {
  pod.state = State::Living;
  Occupy(pod);
  const api::PodSpec& spec = pod.life.pod()->As<api::Pod>()->spec;
  if (!spec.host_network && !pod.address) pod.address = options_.pod_addresses.Take();
  AddImages(pod.node, spec, turn.now);
  metrics_.started_pods.Add();
  pod.has_volumes = !HasVolumeClaims(spec);
  if (!pod.has_volumes || devices_.WhyUnprepared(*pod.life.pod())) pod.life.Hold();
  Live(pod, turn, [&](const LifeStep& life) { pod.life.Begin(life); });
  Prepare(pod, turn);
  ReadVolumesOf(pod, turn);
  Touch(pod);
}

void NodeAgent::Resume(PodRecord& pod, const Turn& turn) {
  pod.state = State::Living;
  Occupy(pod);
  AddImages(pod.node, pod.life.pod()->As<api::Pod>()->spec, turn.now);
  pod.written_generation = pod.life.pod()->metadata().generation;
  // A pod whose containers may start has its claims and volumes.
  if (!ReadCondition(*pod.life.pod(), PodConditionType::PodReadyToStartContainers).holds) {
    pod.has_volumes = !HasVolumeClaims(pod.life.pod()->As<api::Pod>()->spec);
    if (!pod.has_volumes || devices_.WhyUnprepared(*pod.life.pod())) pod.life.Hold();
  }
  Live(pod, turn, [&](const LifeStep& life) { pod.life.Resume(life); });
  Prepare(pod, turn);
  ReadVolumesOf(pod, turn);
  Touch(pod);
}

void NodeAgent::RefusePod(PodRecord& pod, Refusal refusal, const Turn& turn) {
  pod.state = State::Refused;
  pod.is_dirty = true;
  pod.refused_at = turn.now;
  metrics_.rejections.With({refusal.reason}).Add();
  turn.Do(RecordEvent{.regarding = pod.life.pod(),
                      .type = EventType::Warning,
                      .reason = refusal.reason,
                      .message = refusal.message,
                      .host = pod.node.name});
  pod.refusal = std::move(refusal);
  Touch(pod);
}

void NodeAgent::Occupy(PodRecord& pod) {
  const api::PodSpec& spec = pod.life.pod()->As<api::Pod>()->spec;
  pod.requests = RequestsOf(spec, resources_);
  pod.ports = HostPortsOf(spec);
  pod.node.occupancy.Add(pod.requests, pod.ports);
  pod.is_counted = true;
  metrics_.running_pods.Add(1);
}

void NodeAgent::Vacate(PodRecord& pod) {
  if (!std::exchange(pod.is_counted, false)) return;
  pod.node.occupancy.Remove(pod.requests, pod.ports);
  metrics_.running_pods.Add(-1);
  for (const std::uint64_t waiting : pod.node.waiting) Touch(*pods_.at(waiting));
}

void NodeAgent::StopIfDeleted(PodRecord& pod, const Turn& turn) {
  if (pod.state != State::Living || !IsLeaving(pod) || pod.life.has_ended()) return;
  const api::ObjectMeta& metadata = pod.life.pod()->metadata();
  Duration grace = SaturatingSeconds(metadata.deletion_grace_period_seconds.value_or(30));
  if (pod.stop_grace && *pod.stop_grace <= grace) return;
  // A new agent grants the rest of the grace period, not all of it again.
  if (const Result<Instant> end = ParseTime(metadata.deletion_timestamp)) {
    grace = std::clamp(TimeBetween(turn.now, *end), Duration::zero(), grace);
  }
  pod.stop_grace = SaturatingSeconds(metadata.deletion_grace_period_seconds.value_or(30));
  Live(pod, turn, [&](const LifeStep& life) { pod.life.Stop(grace, life); });
}

/// Other components may write the status, for a node that seems lost. The agent corrects it.
void NodeAgent::Reconcile(PodRecord& pod, Instant now) {
  if (pod.state != State::Living || pod.life.has_ended()) return;
  const api::Object& object = *pod.life.pod();
  const bool is_ready = pod.life.condition(PodConditionType::Ready).holds;
  const bool is_same = object.As<api::Pod>()->status.phase == ToText(pod.life.phase()) &&
                       HasCondition(object, "Ready", is_ready);
  if (is_same) pod.is_unconfirmed = false;
  Instant settled_at = now;
  if (pod.is_unconfirmed) settled_at = pod.written_at + kConfirmTime;
  if (pod.write != 0) settled_at = now + kConfirmTime;
  pod.confirm_at.reset();
  if (!is_same && settled_at <= now) pod.is_dirty = true;
  if (!is_same && settled_at > now) pod.confirm_at = settled_at;
  if (!IsLeaving(pod) && object.metadata().generation != pod.written_generation) {
    pod.is_dirty = true;
  }
}

void NodeAgent::Write(PodRecord& pod, const Turn& turn) {
  if (!is_synced_ || pod.write != 0 || pod.retry_at || pod.is_deleted || pod.node.is_silent) return;
  const bool has_ended =
      pod.life.has_ended() || pod.state == State::Refused || pod.state == State::Done;
  const bool is_over = IsLeaving(pod) && has_ended;
  if (is_over && !(pod.is_dirty && IsEndCounted(*pod.life.pod()))) {
    const bool is_ended_by_server = pod.life.pod()->metadata().deletion_grace_period_seconds == 0;
    if (is_ended_by_server && !std::exchange(pod.waits_for_server_deletion, true)) {
      pod.retry_at = turn.now + kServerEndTime;
      return;
    }
    pod.write = Begin({.purpose = Purpose::PodDelete, .pod = pod.number()});
    turn.Do(DeleteObject{.id = pod.write, .object = pod.life.pod(), .grace_period_seconds = 0});
    return;
  }
  if (!std::exchange(pod.is_dirty, false)) return;
  std::string patch;
  if (pod.refusal) {
    patch = RefusalPatch(*pod.life.pod(), *pod.refusal, pod.refused_at);
  } else {
    const bool is_host = pod.life.pod()->As<api::Pod>()->spec.host_network;
    const std::string address = is_host       ? pod.node.address
                                : pod.address ? AddressText(*pod.address)
                                              : std::string();
    patch = StatusPatch(pod.life, {.host = pod.node.address, .pod = address});
  }
  pod.is_unconfirmed = true;
  pod.written_at = turn.now;
  pod.written_generation = pod.life.pod()->metadata().generation;
  pod.write = Begin({.purpose = Purpose::PodStatus, .pod = pod.number()});
  turn.Do(PatchObject{.id = pod.write,
                      .object = pod.life.pod(),
                      .subresource = "status",
                      .body = std::move(patch),
                      .form = PatchForm::StrategicMerge});
}

void NodeAgent::FinishPod(PodRecord& pod, Purpose purpose, const Status& status, const Turn& turn) {
  pod.write = 0;
  Touch(pod);
  if (status) {
    pod.retry_wait = {};
    if (purpose == Purpose::PodDelete) pod.is_deleted = true;
    return;
  }
  if (status.error().reason == Reason::NotFound) return;  // the watch event follows
  if (purpose == Purpose::PodStatus) pod.is_dirty = true;
  pod.retry_wait =
      pod.retry_wait == Duration::zero() ? kRetryMin : std::min(pod.retry_wait * 2, kRetryMax);
  pod.retry_at = turn.now + pod.retry_wait;
}

void NodeAgent::SchedulePod(PodRecord& pod) {
  std::optional<Instant> due = pod.retry_at;
  const std::optional<Instant> wake =
      pod.state == State::Living ? pod.life.NextWake() : std::nullopt;
  if (wake && (!due || *wake < *due)) due = wake;
  for (const std::optional<Instant>& when :
       {pod.confirm_at, pod.complain_at, pod.volume_retry_at, pod.admit_at}) {
    if (when && (!due || *when < *due)) due = when;
  }
  if (due == pod.due) return;
  if (pod.due) pods_due_.erase({*pod.due, pod.number()});
  pod.due = due;
  if (due) pods_due_.emplace(*due, pod.number());
}

}  // namespace plimsoll::agent
