// The part of DeviceTaintEviction that asks the gate, which applies EvictionPolicies.

#include <algorithm>
#include <utility>

#include "api/core/pod.h"
#include "controller/device_taint_eviction/device_taint_eviction.h"

namespace plimsoll::controller {

bool DeviceTaintEviction::Hold(Pod& pod, EvictionId by) {
  if (gate_ == nullptr || !gate_->is_active()) return false;
  const Eviction& eviction = evictions_[by];
  if (!gate_->Hold(client_,
                   {.pod = pod.object,
                    .taint_key = eviction.taint_key,
                    .taint = eviction.identity,
                    .due = pod.due,
                    .added = std::min(eviction.added.value_or(pod.due), pod.due)},
                   now_)) {
    return false;
  }
  pod.phase = Phase::Held;
  return true;
}

bool DeviceTaintEviction::LeaveGate(Pod& pod, const std::vector<Cause>& causes, Phase& phase) {
  if (pod.phase != Phase::Held) return false;
  const auto is_due = [this](const Cause& cause) { return cause.when <= now_; };
  if (std::ranges::any_of(causes, is_due)) return false;
  phase = Phase::Waiting;
  pod.is_gated = false;
  pod.via = EvictionVia::Delete;
  return !gate_->Withdraw(client_, pod.uid, false);
}

void DeviceTaintEviction::EvictReleased(const Turn& turn) {
  for (const EvictionRelease& release : gate_->TakeReleased(client_)) {
    const auto found = pods_.find(release.uid);
    if (found == pods_.end() || found->second->phase != Phase::Held) continue;
    Pod& pod = *found->second;
    pod.via = release.via;
    if (std::exchange(pod.is_gated, true)) {  // announced before it failed
      Evict(pod, turn);
    } else {
      Announce(pod, turn, release.policy);
    }
  }
}

bool DeviceTaintEviction::ReportToGate(Pod& pod, const Status& status) {
  using Outcome = EvictionGate::Outcome;
  if (status) {
    gate_->Report(client_, pod.uid, Outcome::Done, now_);
    return false;
  }
  if (pod.causes.empty()) {  // tolerated in the meantime
    gate_->Withdraw(client_, pod.uid, false);
    return false;
  }
  const bool is_forbidden = status.error().HasCause("DisruptionBudget");
  const Outcome outcome = is_forbidden ? Outcome::BudgetForbids : Outcome::Failed;
  if (!gate_->Report(client_, pod.uid, outcome, now_)) return false;
  pod.phase = Phase::Held;
  return true;
}

void DeviceTaintEviction::Note(EvictionFact::Type type, const Pod& pod,
                               std::string_view policy) const {
  if (journal_ == nullptr) return;
  const auto first = std::ranges::min_element(pod.causes, {}, &Cause::when);
  const bool is_known = first != pod.causes.end();
  journal_->Note({.type = type,
                  .pod = *pod.object,
                  .time = now_,
                  .node = pod.object->As<api::Pod>()->spec.node_name,
                  .taint = is_known ? std::string_view(evictions_[first->eviction].identity)
                                    : std::string_view(),
                  .policy = policy,
                  .due = is_known ? std::optional(first->when) : std::nullopt});
}

}  // namespace plimsoll::controller
