#include "scheduler/queue/scheduling_queue.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/assert.h"
#include "base/time_arithmetic.h"
#include "scheduler/limits.h"
#include "scheduler/queue/event_label.h"

namespace plimsoll::scheduler {
namespace {

template <class Visitor>
void ForEachBit(PluginSet plugins, const Visitor& visit) {
  for (; plugins != 0; plugins &= plugins - 1) {
    visit(static_cast<std::size_t>(std::countr_zero(plugins)));
  }
}

}  // namespace

SchedulingQueue::SchedulingQueue(const ClusterState& cluster,
                                 std::vector<const Framework*> profiles, SchedulerMetrics& metrics,
                                 const Options& options)
    : cluster_(cluster), metrics_(metrics), options_(options), log_(&metrics) {
  hints_.reserve(profiles.size());
  for (const Framework* profile : profiles) hints_.emplace_back(*profile, metrics_);
  refusing_groups_.resize(profiles.size());
  refusing_.resize(profiles.size());
}

void SchedulingQueue::Add(PodId id, std::size_t profile, std::string_view label, Instant now) {
  PL_ASSERT(!Contains(id));
  if (id >= pods_.size()) pods_.resize(std::max<std::size_t>(id + 1, pods_.size() * 2));
  QueuedPod& pod = pods_[id];
  pod = {};
  pod.profile = static_cast<std::uint16_t>(profile);
  pod.entered = now;
  Enqueue(id, Strategy::AtOnce, label, now);
}

void SchedulingQueue::Update(PodId id, std::span<const ClusterEvent> events, Instant now) {
  if (StateOf(id) != State::Refused) return;
  // The pod's class may have changed.
  LeaveGroup(id);
  JoinGroup(id);
  for (const ClusterEvent& event : events) {
    MoveRefused(id, Decide(pods_[id], cluster_.pod(id), event), event.label, now);
    if (StateOf(id) != State::Refused) return;
  }
}

void SchedulingQueue::Remove(PodId id) {
  switch (StateOf(id)) {
    case State::Nowhere:
      return;
    case State::Active:
      active_.Erase(id);
      break;
    case State::Backoff:
      backoff_.Erase(id);
      break;
    case State::ErrorBackoff:
      error_backoff_.Erase(id);
      break;
    case State::PutOff:
      put_off_.Erase(id);
      log_.Unwatch(id);
      break;
    case State::Refused:
      LeaveGroup(id);
      break;
    case State::Out:
      log_.Unwatch(id);
      break;
  }
  ClearRefusals(pods_[id]);
  pods_[id].state = State::Nowhere;
}

std::optional<PodId> SchedulingQueue::Pop() {
  PodId id = kNoPod;
  const bool is_turn_of_put_off =
      !put_off_.empty() && (active_.empty() || ++pops_past_put_off_ > kPopsPastPutOffMax);
  if (is_turn_of_put_off) {
    // Continue the same attempt: do not count it again.
    pops_past_put_off_ = 0;
    id = put_off_.Pop();
    pods_[id].state = State::Out;
    return id;
  }
  if (!active_.empty()) {
    id = active_.Pop();
  } else if (!backoff_.empty()) {
    // No other pod is ready, so a refused pod need not wait for its back-off. A pod whose attempt
    // failed does wait, because the failure was probably the server's.
    id = backoff_.Pop();
    metrics_.Incoming(QueueName::Active, kPopFromBackoff);
  } else {
    return std::nullopt;
  }
  QueuedPod& pod = pods_[id];
  pod.state = State::Out;
  ++pod.attempts;
  ClearRefusals(pod);
  return id;
}

void SchedulingQueue::AddUnschedulable(PodId id, PluginSet refused, PluginSet pending,
                                       Instant now) {
  PL_ASSERT(StateOf(id) == State::Out && (refused | pending) != 0);
  QueuedPod& pod = pods_[id];
  ++pod.refusals;
  pod.failures = 0;
  pod.entered = now;
  pod.was_flushed = false;
  pod.pending = pending;
  AddRefusals(pod, refused | pending);
  Strategy strategy = Strategy::Stay;
  log_.Replay(id, [&](const ClusterEvent& event) {
    strategy = std::max(strategy, Decide(pod, cluster_.pod(id), event));
    return strategy != Strategy::AtOnce;
  });
  log_.Unwatch(id);
  Enqueue(id, strategy, kAttemptFailed, now);
}

void SchedulingQueue::PutOff(PodId id) {
  PL_ASSERT(StateOf(id) == State::Out);
  pods_[id].state = State::PutOff;
  put_off_.Push(id, sequence_++);
}

void SchedulingQueue::AddFailed(PodId id, Instant now) {
  PL_ASSERT(StateOf(id) == State::Out);
  QueuedPod& pod = pods_[id];
  ++pod.failures;
  pod.entered = now;
  pod.was_flushed = false;
  log_.Unwatch(id);
  Enqueue(id, Strategy::AfterBackoff, kAttemptFailed, now);
}

void SchedulingQueue::Hold(PodId id) { pods_[id].is_held = true; }

void SchedulingQueue::Release(PodId id, Instant now) {
  QueuedPod& pod = pods_[id];
  pod.is_held = false;
  const std::string_view pending_event_label = std::exchange(pod.pending_event_label, {});
  if (StateOf(id) == State::Refused && !pending_event_label.empty()) {
    MoveRefused(id, Strategy::AfterBackoff, pending_event_label, now);
  }
}

void SchedulingQueue::Activate(PodId id, Instant now) {
  switch (StateOf(id)) {
    case State::Backoff:
      backoff_.Erase(id);
      break;
    case State::ErrorBackoff:
      error_backoff_.Erase(id);
      break;
    case State::Refused:
      MoveRefused(id, Strategy::AtOnce, kForceActivate, now);
      return;
    default:
      return;
  }
  Enqueue(id, Strategy::AtOnce, kForceActivate, now);
}

SchedulingQueue::ActiveKey SchedulingQueue::KeyOf(PodId id) {
  return {cluster_.pod(id).pod_class->priority, pods_[id].entered, sequence_++};
}

Instant SchedulingQueue::BackoffEnd(const QueuedPod& pod) const {
  const std::uint32_t attempts = pod.failures > 0 ? pod.failures : pod.refusals;
  return Backoff::Window(SaturatingAdd(pod.entered, options_.backoff.After(attempts)));
}

void SchedulingQueue::AddRefusals(QueuedPod& pod, PluginSet plugins) {
  ForEachBit(plugins & ~pod.refused,
             [&](std::size_t plugin) { metrics_.Refusals(pod.profile, plugin, 1); });
  pod.refused |= plugins;
}

void SchedulingQueue::ClearRefusals(QueuedPod& pod) {
  ForEachBit(pod.refused, [&](std::size_t plugin) { metrics_.Refusals(pod.profile, plugin, -1); });
  pod.refused = 0;
  pod.pending = 0;
  pod.gate = -1;
}

void SchedulingQueue::Enqueue(PodId id, Strategy strategy, std::string_view label, Instant now) {
  if (strategy == Strategy::Stay) {
    ToRefused(id, label, now);
    return;
  }
  QueuedPod& pod = pods_[id];
  const int gate = hints_[pod.profile].Gate(*cluster_.pod(id).object);
  if (gate < 0) {
    Admit(id, strategy, label, now);
    return;
  }
  pod.gate = static_cast<std::int16_t>(gate);
  AddRefusals(pod, PluginSet{1} << gate);
  ToRefused(id, label, now);
}

void SchedulingQueue::Admit(PodId id, Strategy strategy, std::string_view label, Instant now) {
  QueuedPod& pod = pods_[id];
  const Instant until = BackoffEnd(pod);
  pod.gate = -1;
  if (strategy == Strategy::AfterBackoff && until > Backoff::Window(now)) {
    const bool is_failure = pod.refused == 0;
    pod.state = is_failure ? State::ErrorBackoff : State::Backoff;
    (is_failure ? error_backoff_ : backoff_).Push(id, {until, KeyOf(id)});
    metrics_.Incoming(QueueName::Backoff, label);
    return;
  }
  pod.state = State::Active;
  if (!pod.first_active) pod.first_active = now;
  active_.Push(id, KeyOf(id));
  metrics_.Incoming(QueueName::Active, label);
}

void SchedulingQueue::ToRefused(PodId id, std::string_view label, Instant now) {
  pods_[id].state = State::Refused;
  JoinGroup(id);
  metrics_.Incoming(QueueName::Unschedulable, label);
  if (!next_flush_) next_flush_ = now + kFlushPeriod;
}

void SchedulingQueue::MoveRefused(PodId id, Strategy strategy, std::string_view label,
                                  Instant now) {
  QueuedPod& pod = pods_[id];
  if (strategy == Strategy::Stay) return;
  if (pod.is_held) {
    pod.pending_event_label = label;
    return;
  }
  const auto gate = static_cast<std::int16_t>(hints_[pod.profile].Gate(*cluster_.pod(id).object));
  if (gate >= 0 && gate == pod.gate) return;
  LeaveGroup(id);
  if (gate < 0) {
    Admit(id, strategy, label, now);
    return;
  }
  pod.gate = gate;
  AddRefusals(pod, PluginSet{1} << gate);
  JoinGroup(id);
}

}  // namespace plimsoll::scheduler
