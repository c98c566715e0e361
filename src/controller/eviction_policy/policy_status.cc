// Writes the status of EvictionPolicies, and records events about pods that are held back.

#include <algorithm>
#include <array>
#include <chrono>

#include "base/time_arithmetic.h"
#include "controller/eviction_policy/eviction_gate.h"
#include "controller/workload/condition.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr Duration kWriteRetryMin = std::chrono::milliseconds(100);
constexpr Duration kWriteRetryMax = std::chrono::seconds(10);
/// Time to wait for the watch event of a write before the next one.
constexpr Duration kEventWait = std::chrono::milliseconds(500);

std::string_view ExplanationOf(HoldReason reason) {
  switch (reason) {
    case HoldReason::Settle:
      return "the taint must stay for longer";
    case HoldReason::Paused:
      return "the policy is paused";
    case HoldReason::Breaker:
      return "the policy's breaker has tripped; set spec.resumedAt to resume";
    case HoldReason::Budget:
      return "a disruption budget allows no disruption now";
    case HoldReason::MaxUnavailable:
      return "too many pods of its workload are unavailable";
    case HoldReason::Rate:
      break;
  }
  return "the rate of evictions is reached";
}

std::string MicroTimeUp(Instant time) {
  return FormatMicroTime(std::chrono::ceil<std::chrono::microseconds>(time));
}

std::string Listed(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) text.append(text.size() > 1 ? "," : "").append(item);
  return text + "]";
}

/// Sets the condition, and its time if the status changes.
void Set(WorkloadConditions& conditions, std::string_view type, bool is_true,
         std::string_view reason, std::string message, const api::Object& policy, Instant now) {
  const WorkloadCondition* const before = conditions.Find(type);
  const std::string_view status = is_true ? "True" : "False";
  const bool is_kept = before != nullptr && before->status == status;
  conditions.Set({.type = std::string(type),
                  .status = std::string(status),
                  .reason = std::string(reason),
                  .message = std::move(message),
                  .last_transition_time = is_kept ? before->last_transition_time : FormatTime(now),
                  .last_update_time = {},
                  .last_probe_time = {},
                  .observed_generation = policy.metadata().generation});
}

std::string ScopesJson(const PolicyLedger& ledger) {
  std::vector<std::string> scopes;
  for (const auto& [name, scope] : ledger.scopes()) {
    std::vector<std::string> counts;
    for (const BreakerWindow::Bucket& one : scope.window.buckets()) {
      counts.push_back(
          JsonText().Int("pods", one.pods).Text("start", FormatTime(one.start)).Done());
    }
    JsonText text;
    text.Text("scope", name).Int("selected", scope.selected).Raw("counts", Listed(counts));
    if (scope.tripped_at) text.Text("trippedAt", FormatTime(*scope.tripped_at));
    scopes.push_back(text.Done());
  }
  return Listed(scopes);
}

/// Returns the uids in the order of their reservations.
std::string ReservedJson(const PolicyLedger& ledger) {
  std::vector<std::pair<std::uint64_t, std::string_view>> uids;
  for (const auto& [uid, one] : ledger.reserved()) uids.emplace_back(one.serial, uid);
  std::ranges::sort(uids);
  std::string text = "[";
  for (const auto& [serial, uid] : uids) {
    text.append(text.size() > 1 ? ",\"" : "\"").append(uid).append("\"");
  }
  return text + "]";
}

std::string TrippedText(const PolicyLedger& ledger) {
  for (const auto& [name, scope] : ledger.scopes()) {
    if (!scope.tripped_at) continue;
    return (name.empty() ? "Evictions wait" : "Evictions in " + name + " wait") + " after " +
           std::to_string(scope.window.total()) +
           " in the window. Set spec.resumedAt to the present time to resume.";
  }
  return {};
}

}  // namespace

std::optional<Instant> EvictionGate::NextWrite(const Policy& policy) const {
  if (policy.write != 0) return std::nullopt;
  const bool must = MustWrite(policy);
  if (!must && !policy.is_changed) return std::nullopt;
  const Instant due = must ? SaturatingAdd(policy.written_at, kWriteGap)
                           : SaturatingAdd(policy.reported_at, kReportPeriod);
  Instant when = std::max(policy.retry_at, due);
  const bool is_newer = policy.object->metadata().resource_version != policy.written_version;
  if (policy.merges || !is_newer) {
    // The event brings the next version. If the write has changed nothing, there is none.
    when = std::max(when, policy.written_at + kEventWait);
  }
  return when;
}

void EvictionGate::WriteStatuses(const Turn& turn) {
  for (const auto& [name, policy] : policies_) {
    const std::optional<Instant> when = NextWrite(*policy);
    if (when && *when <= turn.now) WriteStatus(*policy, turn);
  }
}

void EvictionGate::WriteStatus(Policy& policy, const Turn& turn) {
  policy.is_changed = false;
  const std::string content = StatusContent(policy, turn.now);
  if (content == policy.written_content) {
    policy.change_stored = policy.ledger.change();
    policy.tripped.Set(policy.ledger.is_any_tripped() ? 1 : 0);
    return ReleaseStored(turn.now);
  }
  policy.write = ++last_action_;
  policy.change_in_write = policy.ledger.change();
  policy.written_content = content;
  policy.written_version = policy.object->metadata().resource_version;
  policy.written_at = turn.now;
  policy.reported_at = turn.now;
  const api::ObjectMeta& metadata = policy.object->metadata();
  turn.Do(PatchObject{
      .id = policy.write,
      .object = policy.object,
      .subresource = "status",
      .body = JsonText()
                  .Raw("metadata", JsonText()
                                       .Text("uid", metadata.uid)
                                       .Text("resourceVersion", metadata.resource_version)
                                       .Done())
                  .Raw("status", content)
                  .Done()});
  policy.tripped.Set(policy.ledger.is_any_tripped() ? 1 : 0);
}

void EvictionGate::Finish(const ActionFinished& finished, const Turn& turn) {
  if (requests_.Finish(finished, turn)) return;
  for (const auto& [name, place] : policies_) {
    Policy& policy = *place;
    if (policy.write != finished.id) continue;
    policy.write = 0;
    if (finished.status) {
      policy.change_stored = std::max(policy.change_stored, policy.change_in_write);
      policy.wait = {};
      has_news_ = true;
      return;
    }
    policy.written_content.clear();
    policy.is_changed = true;
    if (finished.status.error().reason == Reason::Conflict) {
      // The watch event of the other write may have arrived already.
      const bool is_seen = policy.object->metadata().resource_version != policy.written_version;
      policy.written_version.clear();
      policy.merges = !is_seen;
      if (is_seen) Adopt(policy, turn.now);
      return;
    }
    if (policy.wait == Duration::zero()) {
      turn.Do(api::WriteLog{.message = "cannot write the status of EvictionPolicy " + name +
                                       "; its evictions wait until this succeeds",
                            .error = finished.status.error()});
    }
    policy.wait = std::clamp(policy.wait * 2, kWriteRetryMin, kWriteRetryMax);
    policy.retry_at = turn.now + policy.wait;
    policy.written_version.clear();
    return;
  }
}

std::string EvictionGate::StatusContent(const Policy& policy, Instant now) const {
  const PolicyLedger& ledger = policy.ledger;
  const Instant full_at = ledger.rate_full_at();
  WorkloadConditions conditions(*policy.object);
  const bool is_tripped = ledger.is_any_tripped();
  Set(conditions, "Tripped", is_tripped, is_tripped ? "BreakerTripped" : "NotTripped",
      is_tripped ? TrippedText(ledger) : "No breaker has tripped.", *policy.object, now);
  const PolicyTerms& terms = policy.terms;
  if (!terms.fault.empty()) {
    Set(conditions, "Paused", true, "Invalid", terms.fault, *policy.object, now);
  } else if (terms.is_paused) {
    Set(conditions, "Paused", true, "PausedBySpec", "spec.paused is true.", *policy.object, now);
  } else {
    Set(conditions, "Paused", false, "NotPaused", "spec.paused is false.", *policy.object, now);
  }
  JsonText status;
  status.Raw("conditions", conditions.Json())
      .Raw("breakers", ScopesJson(ledger))
      .Int("evicted", policy.evicted)
      .Int("observedGeneration", policy.object->metadata().generation.value_or(0))
      .Raw("rateFullAt", full_at == Instant::min() ? "null" : "\"" + MicroTimeUp(full_at) + "\"")
      .Raw("reserved", ReservedJson(ledger));
  AppendReport(policy, status);
  return status.Done();
}

const EvictionGate::Policy* EvictionGate::HolderOf(const Candidate& one) {
  if (one.state == State::Parked) return one.by;
  return one.state == State::Ready ? one.group->by : nullptr;
}

/// Appends the numbers of pods that wait, and the time at which the next one may go.
void EvictionGate::AppendReport(const Policy& policy, JsonText& status) const {
  std::array<std::int64_t, kHoldReasons> held{};
  std::int64_t all = 0;
  Instant next = Instant::max();
  for (const auto& [key, one] : candidates_) {
    if (HolderOf(*one) != &policy) continue;
    ++all;
    ++held[static_cast<std::size_t>(one->reason)];
    // The other limits are checked every second, which is no news.
    const bool settles = one->state == State::Parked && one->reason == HoldReason::Settle;
    if (settles) next = std::min(next, one->until);
  }
  std::vector<std::string> holds;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i] == 0) continue;
    holds.push_back(
        JsonText().Int("pods", held[i]).Text("reason", ToText(static_cast<HoldReason>(i))).Done());
  }
  const std::int64_t waiting = held[static_cast<std::size_t>(HoldReason::Settle)];
  const bool is_rate = held[static_cast<std::size_t>(HoldReason::Rate)] > 0;
  if (is_rate && policy.terms.rate) {
    next = std::min(next, policy.ledger.NextFree(*policy.terms.rate));
  }
  status.Int("heldBack", all - waiting)
      .Int("waiting", waiting)
      .Raw("heldBackBy", Listed(holds))
      .Raw("nextDue", next == Instant::max() ? "null" : "\"" + MicroTimeUp(next) + "\"");
}

void EvictionGate::MeasureHeld() {
  std::array<std::size_t, kHoldReasons> held{};
  for (const auto& [key, one] : candidates_) {
    if (HolderOf(*one) != nullptr) ++held[static_cast<std::size_t>(one->reason)];
  }
  for (std::size_t i = 0; i < held.size(); ++i) {
    held_metric_.With({ToText(static_cast<HoldReason>(i))}).Set(static_cast<double>(held[i]));
  }
}

/// Adopts the status that another writer has stored, as far as it is stricter.
void EvictionGate::Adopt(Policy& policy, Instant now) {
  const auto& view = *policy.object->As<api::EvictionPolicy>();
  policy.ledger.Merge(view.status, policy.terms, now);
  policy.evicted = std::max(policy.evicted, view.status.evicted);
  if (is_synced_) OnSynced(now);
}

void EvictionGate::Announce(const Turn& turn) {
  if (announcements_.empty() || announce_at_ > turn.now) return;
  std::size_t left = kEventsPerSecond;
  while (left > 0 && !announcements_.empty()) {
    const auto [serial, reason] = announcements_.front();
    announcements_.pop_front();
    const auto found = by_serial_.find(serial);
    if (found == by_serial_.end()) continue;
    const Candidate& one = *found->second;
    const bool is_held = one.state == State::Ready || one.state == State::Parked;
    if (!is_held || one.reason != reason) continue;
    const Policy* const by = one.state == State::Ready ? one.group->by : one.by;
    if (by == nullptr) continue;
    --left;
    const api::ObjectMeta& pod = one.what.pod->metadata();
    turn.Do(RecordEvent{
        .regarding = one.what.pod,
        .reason = "EvictionDelayed",
        .message = "Eviction of Pod " + std::string(pod.namespace_) + "/" + std::string(pod.name) +
                   " for taint " + one.what.taint + " is delayed by EvictionPolicy " + by->name +
                   ": " + std::string(ToText(reason)) + ": " + std::string(ExplanationOf(reason))});
  }
  announce_at_ = turn.now + std::chrono::seconds(1);
}

}  // namespace plimsoll::controller
