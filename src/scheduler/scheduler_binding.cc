// From the chosen node to the confirmed binding.

#include <algorithm>
#include <ranges>
#include <utility>

#include "base/assert.h"
#include "scheduler/event_text.h"
#include "scheduler/queue/backoff.h"
#include "scheduler/queue/event_label.h"
#include "scheduler/scheduler_core.h"

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

Scheduler::Core::Flow& Scheduler::Core::FlowOf(PodId id) {
  if (id >= flows_.size()) flows_.resize(std::max<std::size_t>(id + 1, flows_.size() * 2));
  return flows_[id];
}

void Scheduler::Core::SetStage(Flow& flow, Stage stage) {
  if (flow.stage == Stage::None && stage != Stage::None) ++assumed_;
  if (flow.stage != Stage::None && stage == Stage::None) --assumed_;
  flow.stage = stage;
}

void Scheduler::Core::Take(PodId id, NodeSlot slot, Duration began, const Turn& turn) {
  const std::size_t profile = queue_.profile(id);
  const Framework& framework = *profiles_[profile];
  const PodUnderTest pod = UnderTest(id);
  // PreFilter must run before Assume, so that it does not count the pod itself.
  std::vector<std::shared_ptr<PluginState>> states;
  for (const auto& [plugin, place, name] : framework.At<ReservePlugin>()) {
    const EnabledPlugin& enabled = framework.plugins()[place];
    states.push_back(enabled.IsEnabledAt(kPreFilter) ? enabled.pre_filter->PreFilter(pod).state
                                                     : nullptr);
  }
  cluster_.Assume(id, slot);
  Flow& flow = FlowOf(id);
  SetStage(flow, Stage::PreBind);
  flow.slot = slot;
  flow.node.assign(cluster_.node_name(slot));
  flow.began = began;
  flow.plugin = 0;
  flow.unknowns = 0;
  flow.action = 0;
  flow.is_confirmed = false;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const PluginAt<ReservePlugin>& one = framework.At<ReservePlugin>()[i];
    Verdict verdict = one.plugin->Reserve(pod, states[i].get(), slot);
    if (verdict.ok()) continue;
    verdict.plugin = one.name;
    RefuseReserved(id, kReserve, std::move(verdict), turn);
    return;
  }
  ++placed_[profile];
  AskPermit(id, turn);
}

/// Handles only the pod itself. The caller notifies the queue if that is needed.
void Scheduler::Core::RefuseReserved(PodId id, ExtensionPoint point, Verdict verdict,
                                     const Turn& turn) {
  const Duration began = flows_[id].began;
  GiveBack(id, turn);
  if (!verdict.rejected()) {
    Fail(id, began, PluginFailure(point, verdict.plugin, verdict.Message()), turn);
    return;
  }
  Diagnosis diagnosis;
  diagnosis.node_count = 1;
  (verdict.code == Code::Pending ? diagnosis.pending_plugins : diagnosis.unschedulable_plugins)
      .push_back(verdict.plugin);
  diagnosis.refusals.push_back({.verdict = std::move(verdict), .nodes = 1, .which = {}});
  RefuseBy(id, std::make_shared<const Diagnosis>(std::move(diagnosis)), std::nullopt, began, turn);
}

void Scheduler::Core::AskPermit(PodId id, const Turn& turn) {
  const Framework& framework = *profiles_[queue_.profile(id)];
  Flow& flow = flows_[id];
  std::vector<WaitingPods::Hold> holds;
  for (const auto& [plugin, place, name] : framework.At<PermitPlugin>()) {
    PermitOutcome outcome = plugin->Permit(UnderTest(id), flow.slot, waiting_);
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
    AskPreBind(id, turn);
    return;
  }
  SetStage(flow, Stage::Permit);
  queue_.Watch(id);
  PatchNominatedNode(id, turn);
  waiting_.Add(id, holds, turn.now);
  SetTimer(id, waiting_.Deadline(id));
}

void Scheduler::Core::SettlePermits(const Turn& turn) {
  while (std::optional<WaitingPods::Decision> decision = waiting_.TakeDecision(turn.now)) {
    const PodId id = decision->pod;
    metrics_.PermitEnded(decision->verdict.code, decision->waited);
    StopTimer(id);
    if (decision->verdict.ok()) {
      queue_.Unwatch(id);
      SetStage(flows_[id], Stage::PreBind);
      AskPreBind(id, turn);
      continue;
    }
    RefuseReserved(id, kPermit, std::move(decision->verdict), turn);
    // The pod freed room on its node. Skip the pod itself: the event cannot help it.
    Tell(MakeEvent(EventResource::AssignedPod, kDelete, cluster_.pod(id).object, nullptr), turn,
         id);
  }
}

void Scheduler::Core::PatchNominatedNode(PodId id, const Turn& turn) {
  const PodRecord& record = cluster_.pod(id);
  if (record.pod->status.nominated_node_name == flows_[id].node) return;
  turn.Do(UpdatePodStatus{.id = Begin(PendingAction::Kind::Patch, id),
                          .pod = record.object,
                          .condition = std::nullopt,
                          .nominated_node = flows_[id].node});
}

void Scheduler::Core::AskPreBind(PodId id, const Turn& turn) {
  const Framework& framework = *profiles_[queue_.profile(id)];
  const auto& plugins = framework.At<PreBindPlugin>();
  Flow& flow = flows_[id];
  for (; flow.plugin < plugins.size(); ++flow.plugin) {
    const auto& [plugin, place, name] = plugins[flow.plugin];
    PreBindOutcome outcome = plugin->PreBind(UnderTest(id), flow.slot, turn.now);
    if (outcome.verdict.ok()) continue;
    if (outcome.verdict.code == Code::Wait) {
      AwaitPreBind(id, std::move(outcome), turn);
    } else {
      FailBinding(id, PluginFailure(kPreBind, name, outcome.verdict.Message()), turn);
    }
    return;
  }
  if (waits_.erase(id) != 0) queue_.Unwatch(id);
  StopTimer(id);
  SendBind(id, turn);
}

void Scheduler::Core::AwaitPreBind(PodId id, PreBindOutcome outcome, const Turn& turn) {
  Flow& flow = flows_[id];
  if (!waits_.contains(id)) {
    queue_.Watch(id);
    PatchNominatedNode(id, turn);
  }
  waits_[id] = std::move(outcome.waits_for);
  SetTimer(id, outcome.deadline);
  if (!outcome.event_reason.empty()) {
    turn.Do(RecordEvent{.regarding = cluster_.pod(id).object,
                        .type = EventType::Normal,
                        .reason = std::string(outcome.event_reason),
                        .message = std::move(outcome.event_note),
                        .component = profile_name(queue_.profile(id)),
                        .action = "Scheduling"});
  }
  if (!outcome.writes.empty()) flow.action = Write(id, std::move(outcome.writes), turn);
}

ActionId Scheduler::Core::Write(PodId id, std::vector<api::Write> writes, const Turn& turn) {
  const ActionId action = Begin(PendingAction::Kind::Write, id);
  turn.Do(WriteInOrder{.id = action, .pod = cluster_.pod(id).object, .writes = std::move(writes)});
  return action;
}

void Scheduler::Core::OnWritten(PodId id, const Status& status, const Turn& turn) {
  Flow& flow = flows_[id];
  flow.action = 0;
  if (status) {
    flow.unknowns = 0;
    AskPreBind(id, turn);
    return;
  }
  const Framework& framework = *profiles_[queue_.profile(id)];
  const auto& [plugin, place, name] = framework.At<PreBindPlugin>()[flow.plugin];
  const Verdict verdict = plugin->WritesFailed(UnderTest(id), status.error());
  if (verdict.code == Code::Wait) {
    SetTimer(id, turn.now + Backoff().After(++flow.unknowns));
    return;
  }
  FailBinding(id, PluginFailure(kPreBind, name, verdict.Message()), turn);
}

void Scheduler::Core::FailWaitsOn(std::string_view node, const Turn& turn) {
  std::vector<PodId> lost = waiting_.pods();
  for (const auto& [id, interests] : waits_) lost.push_back(id);
  std::erase_if(lost, [&](PodId id) { return flows_[id].node != node; });
  for (const PodId id : lost) {
    FailBinding(id, "node \"" + std::string(node) + "\" not found", turn);
  }
}

void Scheduler::Core::SendBind(PodId id, const Turn& turn) {
  Flow& flow = flows_[id];
  SetStage(flow, Stage::Binding);
  flow.action = Begin(PendingAction::Kind::Bind, id);
  flow.sent = actions_[static_cast<std::uint32_t>(flow.action)].began;
  turn.Do(BindPod{.id = flow.action, .pod = cluster_.pod(id).object, .node = flow.node});
}

void Scheduler::Core::OnBindAnswer(PodId id, const Status& status, const Turn& turn) {
  Flow& flow = flows_[id];
  flow.action = 0;
  if (status || flow.is_confirmed) {
    FinishBinding(id, turn);
    return;
  }
  const Reason reason = status.error().reason;
  if (IsUnknown(reason)) {
    // Retrying the same node is safe, as the server binds a pod only once. Another node is not.
    SetStage(flow, Stage::Retrying);
    SetTimer(id, turn.now + Backoff().After(++flow.unknowns));
  } else if (reason == Reason::Conflict && flow.unknowns > 0) {
    SetStage(flow, Stage::Unsettled);
  } else {
    const auto& binders = profiles_[queue_.profile(id)]->At<BindPlugin>();
    const std::string_view binder = binders.empty() ? std::string_view() : binders.front().name;
    FailBinding(id, PluginFailure(kBind, binder, status.error().message), turn);
  }
}

void Scheduler::Core::Confirm(PodId id, std::string_view node, const Turn& turn) {
  const Stage stage = StageOf(id);
  const bool is_asked = stage != Stage::None && stage != Stage::Permit && stage != Stage::PreBind;
  if (!is_asked || flows_[id].node != node) {
    DropFlow(id, turn);
    queue_.Remove(id);
    if (id < diagnoses_.size()) diagnoses_[id].reset();
    return;
  }
  flows_[id].is_confirmed = true;
  if (stage == Stage::Bound) {
    SetStage(flows_[id], Stage::None);
  } else if (stage != Stage::Binding) {
    FinishBinding(id, turn);
  }
}

void Scheduler::Core::FinishBinding(PodId id, const Turn& turn) {
  Flow& flow = flows_[id];
  const PodRecord& record = cluster_.pod(id);
  const std::size_t profile = queue_.profile(id);
  const Duration elapsed = Elapsed();
  metrics_.PointRan(profile, kBind, Code::Success, elapsed - flow.sent);
  metrics_.Attempted(profile, AttemptResult::Scheduled, elapsed - flow.began);
  metrics_.PodScheduled(queue_.attempts(id), turn.now - queue_.first_active(id),
                        queue_.was_flushed(id));
  if (HasNumericToleration(record.pod->spec)) metrics_.PlacedWithNumericToleration();
  turn.Do(RecordEvent{.regarding = record.object,
                      .type = EventType::Normal,
                      .reason = "Scheduled",
                      .message = AssignedNote(record.pod->metadata, flow.node),
                      .component = profile_name(profile),
                      .action = "Binding"});
  for (const auto& one : profiles_[profile]->At<PostBindPlugin>()) {
    one.plugin->PostBind(UnderTest(id), flow.node);
  }
  StopTimer(id);
  queue_.Remove(id);
  if (id < diagnoses_.size()) diagnoses_[id].reset();
  SetStage(flow, flow.is_confirmed ? Stage::None : Stage::Bound);
}

void Scheduler::Core::GiveBack(PodId id, const Turn& turn) {
  Flow& flow = flows_[id];
  const Framework& framework = *profiles_[queue_.profile(id)];
  for (const auto& one : std::views::reverse(framework.At<ReservePlugin>())) {
    std::vector<api::Write> writes = one.plugin->Unreserve(UnderTest(id), flow.slot);
    if (!writes.empty()) Write(id, std::move(writes), turn);
  }
  cluster_.Forget(id);
  waits_.erase(id);
  waiting_.Remove(id);
  StopTimer(id);
  flow.action = 0;
  SetStage(flow, Stage::None);
}

void Scheduler::Core::FailBinding(PodId id, std::string message, const Turn& turn) {
  const Duration began = flows_[id].began;
  GiveBack(id, turn);
  Fail(id, began, std::move(message), turn);
  // The pod freed room on its node.
  Tell(MakeEvent(EventResource::AssignedPod, kDelete, cluster_.pod(id).object, nullptr), turn);
}

void Scheduler::Core::DropFlow(PodId id, const Turn& turn) {
  const Stage stage = StageOf(id);
  if (stage == Stage::None) return;
  if (stage == Stage::Bound) {
    SetStage(flows_[id], Stage::None);
    return;
  }
  GiveBack(id, turn);
}

void Scheduler::Core::SetTimer(PodId id, std::optional<Instant> at) {
  StopTimer(id);
  if (!at) return;
  flows_[id].timer = at;
  timers_.emplace(*at, id);
}

void Scheduler::Core::StopTimer(PodId id) {
  if (const std::optional<Instant> at = std::exchange(flows_[id].timer, std::nullopt)) {
    timers_.erase({*at, id});
  }
}

void Scheduler::Core::RunTimers(const Turn& turn) {
  while (!timers_.empty() && timers_.begin()->first <= turn.now) {
    const PodId id = timers_.begin()->second;
    StopTimer(id);
    const Stage stage = flows_[id].stage;
    PL_ASSERT(stage == Stage::Permit || stage == Stage::PreBind || stage == Stage::Retrying);
    if (stage == Stage::Retrying) {
      SendBind(id, turn);
    } else if (stage == Stage::Permit) {
      waiting_.Expire(id, turn.now);
      // If the pod still waits, the expired plugin has already allowed it: use the next deadline.
      const std::optional<Instant> deadline = waiting_.Deadline(id);
      SetTimer(id, deadline && *deadline > turn.now ? deadline : std::nullopt);
    } else if (flows_[id].action == 0) {
      AskPreBind(id, turn);
    }
  }
}

}  // namespace plimsoll::scheduler
