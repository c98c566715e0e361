// From the choice of a node to the server's word that the pod is bound to it.

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

/// Whether the binding may have been done all the same.
bool IsUnknown(Reason reason) {
  return reason == Reason::Timeout || reason == Reason::ServiceUnavailable ||
         reason == Reason::InternalError;
}

std::string_view FirstAt(const Framework& framework, ExtensionPoint point) {
  for (const EnabledPlugin& enabled : framework.plugins()) {
    if ((enabled.points & point) != 0) return enabled.plugin->name();
  }
  return {};
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

void Scheduler::Core::Take(PodId id, NodeSlot slot, Duration began, Instant now, Actions& out) {
  const std::size_t profile = queue_.profile(id);
  const std::vector<EnabledPlugin>& plugins = profiles_[profile]->plugins();
  const PodUnderTest pod = UnderTest(id);
  // What PreFilter says must not count the pod itself.
  std::vector<std::pair<Plugin*, std::shared_ptr<PluginState>>> reserving;
  for (const EnabledPlugin& enabled : plugins) {
    if ((enabled.points & kReserve) == 0) continue;
    const bool prepares = (enabled.points & kPreFilter) != 0;
    reserving.emplace_back(enabled.plugin.get(),
                           prepares ? enabled.plugin->PreFilter(pod).state : nullptr);
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
  for (auto& [plugin, state] : reserving) {
    Verdict verdict = plugin->Reserve(pod, state.get(), slot);
    if (verdict.ok()) continue;
    verdict.plugin = plugin->name();
    FailReserve(id, std::move(verdict), now, out);
    return;
  }
  ++placed_[profile];
  AskPreBind(id, now, out);
}

/// Nobody has seen the pod on its node, so nobody is told that it left.
void Scheduler::Core::FailReserve(PodId id, Verdict verdict, Instant now, Actions& out) {
  const Duration began = flows_[id].began;
  GiveBack(id);
  if (!verdict.rejected()) {
    Fail(id, began, PluginFailure(kReserve, verdict.plugin, verdict.Message()), now, out);
    return;
  }
  Diagnosis diagnosis;
  diagnosis.node_count = 1;
  (verdict.code == Code::Pending ? diagnosis.pending_plugins : diagnosis.unschedulable_plugins)
      .push_back(verdict.plugin);
  diagnosis.refusals.push_back({.verdict = std::move(verdict), .nodes = 1, .which = {}});
  RefuseBy(id, std::make_shared<const Diagnosis>(std::move(diagnosis)), std::nullopt, began, now,
           out);
}

void Scheduler::Core::AskPreBind(PodId id, Instant now, Actions& out) {
  const std::vector<EnabledPlugin>& plugins = profiles_[queue_.profile(id)]->plugins();
  Flow& flow = flows_[id];
  for (; flow.plugin < plugins.size(); ++flow.plugin) {
    if ((plugins[flow.plugin].points & kPreBind) == 0) continue;
    Plugin& plugin = *plugins[flow.plugin].plugin;
    PreBindOutcome outcome = plugin.PreBind(UnderTest(id), flow.slot, now);
    switch (outcome.next) {
      case PreBindOutcome::Next::Bind:
        break;
      case PreBindOutcome::Next::Wait:
        AwaitPreBind(id, std::move(outcome), out);
        return;
      case PreBindOutcome::Next::Fail:
        FailBinding(id, PluginFailure(kPreBind, plugin.name(), outcome.error), now, out);
        return;
    }
  }
  if (waits_.erase(id) != 0) queue_.Unwatch(id);
  StopTimer(id);
  SendBind(id, out);
}

void Scheduler::Core::AwaitPreBind(PodId id, PreBindOutcome outcome, Actions& out) {
  Flow& flow = flows_[id];
  const PodRecord& record = cluster_.pod(id);
  if (!waits_.contains(id)) {
    queue_.Watch(id);
    // The wait may be long: others shall see where the pod is going.
    if (record.pod->status.nominated_node_name != flow.node) {
      out.push_back(PatchPodStatus{.id = Begin(PendingAction::Kind::Patch, id),
                                   .pod = record.object,
                                   .condition = std::nullopt,
                                   .nominated_node = flow.node});
    }
  }
  waits_[id] = std::move(outcome.waits_for);
  SetTimer(id, outcome.deadline);
  if (outcome.patches.empty()) return;
  flow.action = Begin(PendingAction::Kind::Write, id);
  out.push_back(
      WriteObjects{.id = flow.action, .pod = record.object, .patches = std::move(outcome.patches)});
}

void Scheduler::Core::OnWritten(PodId id, const Status& status, Instant now, Actions& out) {
  Flow& flow = flows_[id];
  flow.action = 0;
  if (status) {
    AskPreBind(id, now, out);
    return;
  }
  const std::vector<EnabledPlugin>& plugins = profiles_[queue_.profile(id)]->plugins();
  FailBinding(id,
              PluginFailure(kPreBind, plugins[flow.plugin].plugin->name(), status.error().message),
              now, out);
}

void Scheduler::Core::FailPreBindsOn(std::string_view node, Instant now, Actions& out) {
  std::vector<PodId> lost;
  for (const auto& [id, interests] : waits_) {
    if (flows_[id].node == node) lost.push_back(id);
  }
  for (const PodId id : lost) {
    FailBinding(id, "node \"" + std::string(node) + "\" not found", now, out);
  }
}

void Scheduler::Core::SendBind(PodId id, Actions& out) {
  Flow& flow = flows_[id];
  SetStage(flow, Stage::Binding);
  flow.action = Begin(PendingAction::Kind::Bind, id);
  flow.sent = actions_[static_cast<std::uint32_t>(flow.action)].began;
  out.push_back(Bind{.id = flow.action, .pod = cluster_.pod(id).object, .node = flow.node});
}

void Scheduler::Core::OnBindAnswer(PodId id, const Status& status, Instant now, Actions& out) {
  Flow& flow = flows_[id];
  flow.action = 0;
  if (status || flow.is_confirmed) {
    FinishBinding(id, now, out);
    return;
  }
  const Reason reason = status.error().reason;
  if (IsUnknown(reason)) {
    // Asking for the same again does no harm: the server binds a pod once. Another node would.
    SetStage(flow, Stage::Retrying);
    SetTimer(id, now + Backoff().After(++flow.unknowns));
  } else if (reason == Reason::Conflict && flow.unknowns > 0) {
    SetStage(flow, Stage::Unsettled);
  } else {
    const std::string_view binder = FirstAt(*profiles_[queue_.profile(id)], kBind);
    FailBinding(id, PluginFailure(kBind, binder, status.error().message), now, out);
  }
}

void Scheduler::Core::Confirm(PodId id, std::string_view node, Instant now, Actions& out) {
  const Stage stage = StageOf(id);
  if (stage == Stage::None || stage == Stage::PreBind || flows_[id].node != node) {
    DropFlow(id);
    queue_.Remove(id);
    if (id < diagnoses_.size()) diagnoses_[id].reset();
    return;
  }
  flows_[id].is_confirmed = true;
  if (stage == Stage::Bound) {
    SetStage(flows_[id], Stage::None);
  } else if (stage != Stage::Binding) {
    FinishBinding(id, now, out);
  }
}

void Scheduler::Core::FinishBinding(PodId id, Instant now, Actions& out) {
  Flow& flow = flows_[id];
  const PodRecord& record = cluster_.pod(id);
  const std::size_t profile = queue_.profile(id);
  const Duration elapsed = Elapsed();
  metrics_.PointRan(profile, kBind, Code::Success, elapsed - flow.sent);
  metrics_.Attempted(profile, AttemptResult::Scheduled, elapsed - flow.began);
  metrics_.PodScheduled(queue_.attempts(id), now - queue_.first_active(id), queue_.was_flushed(id));
  if (HasNumericToleration(record.pod->spec)) metrics_.PlacedWithNumericToleration();
  out.push_back(RecordEvent{.regarding = record.object,
                            .related = nullptr,
                            .type = EventType::Normal,
                            .reason = "Scheduled",
                            .action = "Binding",
                            .note = AssignedNote(record.pod->metadata, flow.node),
                            .reporting_controller = profile_name(profile)});
  StopTimer(id);
  queue_.Remove(id);
  if (id < diagnoses_.size()) diagnoses_[id].reset();
  SetStage(flow, flow.is_confirmed ? Stage::None : Stage::Bound);
}

void Scheduler::Core::GiveBack(PodId id) {
  Flow& flow = flows_[id];
  const std::vector<EnabledPlugin>& plugins = profiles_[queue_.profile(id)]->plugins();
  for (const EnabledPlugin& enabled : std::views::reverse(plugins)) {
    if ((enabled.points & kReserve) != 0) enabled.plugin->Unreserve(UnderTest(id), flow.slot);
  }
  cluster_.Forget(id);
  waits_.erase(id);
  StopTimer(id);
  flow.action = 0;
  SetStage(flow, Stage::None);
}

void Scheduler::Core::FailBinding(PodId id, std::string message, Instant now, Actions& out) {
  const Duration began = flows_[id].began;
  GiveBack(id);
  Fail(id, began, std::move(message), now, out);
  // It held room on a node, and holds it no more.
  Tell(MakeEvent(EventResource::AssignedPod, kDelete, cluster_.pod(id).object, nullptr), now, out);
}

void Scheduler::Core::DropFlow(PodId id) {
  const Stage stage = StageOf(id);
  if (stage == Stage::None) return;
  if (stage == Stage::Bound) {
    SetStage(flows_[id], Stage::None);
    return;
  }
  GiveBack(id);
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

void Scheduler::Core::RunTimers(Instant now, Actions& out) {
  while (!timers_.empty() && timers_.begin()->first <= now) {
    const PodId id = timers_.begin()->second;
    StopTimer(id);
    const Stage stage = flows_[id].stage;
    PL_ASSERT(stage == Stage::PreBind || stage == Stage::Retrying);
    if (stage == Stage::Retrying) {
      SendBind(id, out);
    } else if (flows_[id].action == 0) {
      AskPreBind(id, now, out);
    }
  }
}

}  // namespace plimsoll::scheduler
