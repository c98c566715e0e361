#include "scheduler/binding/binding_cycle.h"

#include <algorithm>
#include <memory>
#include <ranges>

#include "base/assert.h"
#include "scheduler/event_text.h"
#include "scheduler/queue/backoff.h"
#include "scheduler/queue/event_label.h"

namespace plimsoll::scheduler {
namespace {

/// Returns true if the binding may have succeeded despite this error.
bool IsUnknown(Reason reason) {
  return reason == Reason::Timeout || reason == Reason::ServiceUnavailable ||
         reason == Reason::InternalError;
}

bool HasNumericToleration(const api::PodSpec& spec) {
  return std::ranges::any_of(spec.tolerations, [](const api::Toleration& toleration) {
    const auto op = api::ParseTolerationOperator(toleration.op);
    return op && api::IsNumeric(*op);
  });
}

}  // namespace

BindingCycle::BindingCycle(ClusterState& cluster, const Profiles& profiles, SchedulingQueue& queue,
                           WaitingPods& waiting, InflightActions& inflight,
                           FailureHandler& failures, SchedulerMetrics& metrics,
                           const Stopwatch& stopwatch)
    : cluster_(cluster),
      profiles_(profiles),
      queue_(queue),
      waiting_(waiting),
      inflight_(inflight),
      failures_(failures),
      metrics_(metrics),
      stopwatch_(stopwatch) {}

BindingCycle::PodBinding& BindingCycle::BindingOf(PodId id) {
  if (id >= bindings_.size()) {
    bindings_.resize(std::max<std::size_t>(id + 1, bindings_.size() * 2));
  }
  return bindings_[id];
}

void BindingCycle::SetState(PodBinding& binding, BindingState state) {
  if (binding.state == BindingState::None && state != BindingState::None) ++assumed_;
  if (binding.state != BindingState::None && state == BindingState::None) --assumed_;
  binding.state = state;
}

bool BindingCycle::Start(PodId id, NodeSlot node, Duration began, const api::Turn& turn) {
  if (!RunReserve(id, node, began, turn)) return false;
  RunPermit(id, turn);
  return true;
}

bool BindingCycle::RunReserve(PodId id, NodeSlot node, Duration began, const api::Turn& turn) {
  const Framework& framework = ProfileOf(id);
  const PodUnderTest pod = UnderTest(cluster_, id);
  // PreFilter must run before Assume, so that it does not count the pod itself.
  std::vector<std::shared_ptr<PluginState>> states;
  states.reserve(framework.At<ReservePlugin>().size());
  for (const auto& [plugin, index, name] : framework.At<ReservePlugin>()) {
    const EnabledPlugin& enabled = framework.plugins()[index];
    states.push_back(enabled.IsEnabledAt(kPreFilter) ? enabled.pre_filter->PreFilter(pod).state
                                                     : nullptr);
  }
  cluster_.AssumePod(id, node);
  PodBinding& binding = BindingOf(id);
  SetState(binding, BindingState::PreBind);
  binding.slot = node;
  binding.node.assign(cluster_.node_name(node));
  binding.began = began;
  binding.plugin = 0;
  binding.unknowns = 0;
  binding.action = 0;
  binding.is_confirmed = false;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const PluginAt<ReservePlugin>& one = framework.At<ReservePlugin>()[i];
    Verdict verdict = one.plugin->Reserve(pod, states[i].get(), node);
    if (verdict.ok()) continue;
    verdict.plugin = one.name;
    RefuseReserved(id, kReserve, std::move(verdict), turn);
    return false;
  }
  return true;
}

/// Handles only the pod itself. The caller notifies the queue if that is needed.
void BindingCycle::RefuseReserved(PodId id, ExtensionPoint point, Verdict verdict,
                                  const api::Turn& turn) {
  const Duration began = bindings_[id].began;
  Unreserve(id, turn);
  if (!verdict.rejected()) {
    failures_.Fail(id, began, PluginFailure(point, verdict.plugin, verdict.Message()), turn);
    return;
  }
  Diagnosis diagnosis;
  diagnosis.node_count = 1;
  (verdict.code == Code::Pending ? diagnosis.pending_plugins : diagnosis.unschedulable_plugins)
      .push_back(verdict.plugin);
  diagnosis.refusals.push_back({.verdict = std::move(verdict), .nodes = 1, .which = {}});
  failures_.Refuse(id, std::make_shared<const Diagnosis>(std::move(diagnosis)), std::nullopt, began,
                   turn);
}

void BindingCycle::RunPermit(PodId id, const api::Turn& turn) {
  const Framework& framework = ProfileOf(id);
  PodBinding& binding = bindings_[id];
  std::vector<WaitingPods::Hold> holds;
  for (const auto& [plugin, index, name] : framework.At<PermitPlugin>()) {
    PermitOutcome outcome = plugin->Permit(UnderTest(cluster_, id), binding.slot, waiting_);
    if (outcome.verdict.ok()) continue;
    if (outcome.verdict.code == Code::Wait) {
      holds.push_back({name, outcome.timeout});
      continue;
    }
    outcome.verdict.plugin = name;
    // No plugin has seen the pod on its node, so no AssignedPod delete event is due.
    RefuseReserved(id, kPermit, std::move(outcome.verdict), turn);
    return;
  }
  if (holds.empty()) {
    RunPreBind(id, turn);
    return;
  }
  SetState(binding, BindingState::Permit);
  queue_.Watch(id);
  PatchNominatedNode(id, turn);
  waiting_.Add(id, holds, turn.now);
  SetTimer(id, waiting_.Deadline(id));
}

void BindingCycle::ApplyPermitDecisions(const api::Turn& turn) {
  while (std::optional<WaitingPods::Decision> decision = waiting_.PopDecision(turn.now)) {
    const PodId id = decision->pod;
    metrics_.PermitEnded(decision->verdict.code, decision->waited);
    StopTimer(id);
    if (decision->verdict.ok()) {
      queue_.Unwatch(id);
      SetState(bindings_[id], BindingState::PreBind);
      RunPreBind(id, turn);
      continue;
    }
    RefuseReserved(id, kPermit, std::move(decision->verdict), turn);
    // Skip the pod itself: the event cannot help it.
    NotifyRoomFreed(id, turn, id);
  }
}

void BindingCycle::PatchNominatedNode(PodId id, const api::Turn& turn) {
  const PodRecord& record = cluster_.pod(id);
  if (record.pod->status.nominated_node_name == bindings_[id].node) return;
  turn.Do(api::UpdatePodStatus{.id = inflight_.Start(InflightActions::Kind::PatchStatus, id),
                               .pod = record.object,
                               .condition = std::nullopt,
                               .nominated_node = bindings_[id].node});
}

void BindingCycle::RunPreBind(PodId id, const api::Turn& turn) {
  const auto& plugins = ProfileOf(id).At<PreBindPlugin>();
  PodBinding& binding = bindings_[id];
  for (; binding.plugin < plugins.size(); ++binding.plugin) {
    const auto& [plugin, index, name] = plugins[binding.plugin];
    PreBindOutcome outcome = plugin->PreBind(UnderTest(cluster_, id), binding.slot, turn.now);
    if (outcome.verdict.ok()) continue;
    if (outcome.verdict.code == Code::Wait) {
      WaitAtPreBind(id, std::move(outcome), turn);
    } else {
      Fail(id, PluginFailure(kPreBind, name, outcome.verdict.Message()), turn);
    }
    return;
  }
  if (event_waits_.erase(id) != 0) queue_.Unwatch(id);
  StopTimer(id);
  SendBind(id, turn);
}

void BindingCycle::WaitAtPreBind(PodId id, PreBindOutcome outcome, const api::Turn& turn) {
  if (!event_waits_.contains(id)) {
    queue_.Watch(id);
    PatchNominatedNode(id, turn);
  }
  event_waits_[id] = std::move(outcome.waits_for);
  SetTimer(id, outcome.deadline);
  if (!outcome.event_reason.empty()) {
    turn.Do(api::RecordEvent{.regarding = cluster_.pod(id).object,
                             .type = api::EventType::Normal,
                             .reason = std::string(outcome.event_reason),
                             .message = std::move(outcome.event_note),
                             .component = ProfileOf(id).options().profile,
                             .action = "Scheduling"});
  }
  if (!outcome.writes.empty()) {
    bindings_[id].action = SendWrites(id, std::move(outcome.writes), turn);
  }
}

api::ActionId BindingCycle::SendWrites(PodId id, std::vector<api::Write> writes,
                                       const api::Turn& turn) {
  const api::ActionId action = inflight_.Start(InflightActions::Kind::Write, id);
  turn.Do(
      api::WriteInOrder{.id = action, .pod = cluster_.pod(id).object, .writes = std::move(writes)});
  return action;
}

bool BindingCycle::OnWritesFinished(PodId id, api::ActionId action, const Status& status,
                                    const api::Turn& turn) {
  if (!IsAwaited(id, action)) return false;
  PodBinding& binding = bindings_[id];
  binding.action = 0;
  if (status) {
    binding.unknowns = 0;
    RunPreBind(id, turn);
    return true;
  }
  const auto& [plugin, index, name] = ProfileOf(id).At<PreBindPlugin>()[binding.plugin];
  const Verdict verdict = plugin->WritesFailed(UnderTest(cluster_, id), status.error());
  if (verdict.code == Code::Wait) {
    SetTimer(id, turn.now + Backoff().After(++binding.unknowns));
  } else {
    Fail(id, PluginFailure(kPreBind, name, verdict.Message()), turn);
  }
  return true;
}

void BindingCycle::OnEvent(const ClusterEvent& event, const api::Turn& turn) {
  if (event_waits_.empty()) return;
  std::vector<PodId> concerned;
  for (const auto& [id, interests] : event_waits_) {
    const bool is_concerned = std::ranges::any_of(interests, [&](const EventInterest& interest) {
      return interest.resource == event.resource && (interest.actions & event.actions) != 0;
    });
    if (is_concerned && bindings_[id].action == 0) concerned.push_back(id);
  }
  for (const PodId id : concerned) {
    // Handling one pod may end the wait of another.
    if (event_waits_.contains(id)) RunPreBind(id, turn);
  }
}

void BindingCycle::OnNodeDeleted(std::string_view node, const api::Turn& turn) {
  std::vector<PodId> lost = waiting_.pods();
  for (const auto& [id, interests] : event_waits_) lost.push_back(id);
  std::erase_if(lost, [&](PodId id) { return bindings_[id].node != node; });
  for (const PodId id : lost) {
    Fail(id, "node \"" + std::string(node) + "\" not found", turn);
  }
}

void BindingCycle::SendBind(PodId id, const api::Turn& turn) {
  PodBinding& binding = bindings_[id];
  SetState(binding, BindingState::Binding);
  binding.action = inflight_.Start(InflightActions::Kind::Bind, id);
  binding.sent = inflight_.started_at(binding.action);
  turn.Do(api::BindPod{.id = binding.action, .pod = cluster_.pod(id).object, .node = binding.node});
}

bool BindingCycle::OnBindFinished(PodId id, api::ActionId action, const Status& status,
                                  const api::Turn& turn) {
  if (!IsAwaited(id, action)) return false;
  PodBinding& binding = bindings_[id];
  binding.action = 0;
  if (status || binding.is_confirmed) {
    Finish(id, turn);
    return true;
  }
  const Reason reason = status.error().reason;
  if (IsUnknown(reason)) {
    // Retrying the same node is safe, as the server binds a pod only once. Another node is not.
    SetState(binding, BindingState::Retrying);
    SetTimer(id, turn.now + Backoff().After(++binding.unknowns));
  } else if (reason == Reason::Conflict && binding.unknowns > 0) {
    SetState(binding, BindingState::Unsettled);
  } else {
    const auto& binders = ProfileOf(id).At<BindPlugin>();
    const std::string_view binder = binders.empty() ? std::string_view() : binders.front().name;
    Fail(id, PluginFailure(kBind, binder, status.error().message), turn);
  }
  return true;
}

void BindingCycle::OnPodBound(PodId id, std::string_view node, const api::Turn& turn) {
  const BindingState before = state(id);
  const bool is_requested = before != BindingState::None && before != BindingState::Permit &&
                            before != BindingState::PreBind;
  if (!is_requested || bindings_[id].node != node) {
    Cancel(id, turn);
    queue_.Remove(id);
    failures_.Forget(id);
    return;
  }
  bindings_[id].is_confirmed = true;
  if (before == BindingState::Bound) {
    SetState(bindings_[id], BindingState::None);
  } else if (before != BindingState::Binding) {
    Finish(id, turn);
  }
}

void BindingCycle::Finish(PodId id, const api::Turn& turn) {
  PodBinding& binding = bindings_[id];
  const PodRecord& record = cluster_.pod(id);
  const std::size_t profile = queue_.profile(id);
  const Duration now = stopwatch_.Now();
  metrics_.PointRan(profile, kBind, Code::Success, now - binding.sent);
  metrics_.Attempted(profile, AttemptResult::Scheduled, now - binding.began);
  metrics_.PodScheduled(queue_.attempts(id), turn.now - queue_.first_active(id),
                        queue_.was_flushed(id));
  if (HasNumericToleration(record.pod->spec)) metrics_.PlacedWithNumericToleration();
  turn.Do(api::RecordEvent{.regarding = record.object,
                           .type = api::EventType::Normal,
                           .reason = "Scheduled",
                           .message = AssignedNote(record.pod->metadata, binding.node),
                           .component = profiles_[profile]->options().profile,
                           .action = "Binding"});
  for (const auto& one : profiles_[profile]->At<PostBindPlugin>()) {
    one.plugin->PostBind(UnderTest(cluster_, id), binding.node);
  }
  StopTimer(id);
  queue_.Remove(id);
  failures_.Forget(id);
  SetState(binding, binding.is_confirmed ? BindingState::None : BindingState::Bound);
}

void BindingCycle::Unreserve(PodId id, const api::Turn& turn) {
  PodBinding& binding = bindings_[id];
  for (const auto& one : std::views::reverse(ProfileOf(id).At<ReservePlugin>())) {
    std::vector<api::Write> writes = one.plugin->Unreserve(UnderTest(cluster_, id), binding.slot);
    if (!writes.empty()) SendWrites(id, std::move(writes), turn);
  }
  cluster_.ForgetPod(id);
  event_waits_.erase(id);
  waiting_.Remove(id);
  StopTimer(id);
  binding.action = 0;
  SetState(binding, BindingState::None);
}

void BindingCycle::Fail(PodId id, std::string message, const api::Turn& turn) {
  const Duration began = bindings_[id].began;
  Unreserve(id, turn);
  failures_.Fail(id, began, std::move(message), turn);
  NotifyRoomFreed(id, turn);
}

void BindingCycle::NotifyRoomFreed(PodId id, const api::Turn& turn, PodId except) {
  const ClusterEvent event =
      MakeEvent(EventResource::AssignedPod, kDelete, cluster_.pod(id).object, nullptr);
  queue_.OnEvent(event, turn.now, except);
  OnEvent(event, turn);
}

void BindingCycle::Cancel(PodId id, const api::Turn& turn) {
  const BindingState before = state(id);
  if (before == BindingState::None) return;
  if (before == BindingState::Bound) {
    SetState(bindings_[id], BindingState::None);
    return;
  }
  Unreserve(id, turn);
}

void BindingCycle::SetTimer(PodId id, std::optional<Instant> at) {
  StopTimer(id);
  if (!at) return;
  bindings_[id].timer = at;
  timers_.emplace(*at, id);
}

void BindingCycle::StopTimer(PodId id) {
  if (const std::optional<Instant> at = std::exchange(bindings_[id].timer, std::nullopt)) {
    timers_.erase({*at, id});
  }
}

void BindingCycle::RunTimers(const api::Turn& turn) {
  while (!timers_.empty() && timers_.begin()->first <= turn.now) {
    const PodId id = timers_.begin()->second;
    StopTimer(id);
    const BindingState current = state(id);
    PL_ASSERT(current == BindingState::Permit || current == BindingState::PreBind ||
              current == BindingState::Retrying);
    if (current == BindingState::Retrying) {
      SendBind(id, turn);
    } else if (current == BindingState::Permit) {
      waiting_.Expire(id, turn.now);
      // If the pod still waits, the expired plugin has already allowed it: use the next deadline.
      const std::optional<Instant> deadline = waiting_.Deadline(id);
      SetTimer(id, deadline && *deadline > turn.now ? deadline : std::nullopt);
    } else if (bindings_[id].action == 0) {
      RunPreBind(id, turn);
    }
  }
}

}  // namespace plimsoll::scheduler
