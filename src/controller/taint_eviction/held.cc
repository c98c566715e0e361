// The part of TaintEviction that asks the gate, which applies EvictionPolicies.

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/go_text.h"
#include "controller/taint_eviction/arrival.h"
#include "controller/taint_eviction/eviction_text.h"
#include "controller/taint_eviction/taint_eviction.h"
#include "match/toleration.h"

namespace plimsoll::controller {
namespace {

/// Returns how far the value of the taint is beyond the nearest threshold of the tolerations; 0 if
/// none of them compares numbers.
std::int64_t DistanceOver(const api::Taint& taint, const api::PodSpec& pod) {
  const Result<std::int64_t> value = GoParseInt(taint.value);
  if (!value) return 0;
  std::int64_t nearest = std::numeric_limits<std::int64_t>::max();
  for (const api::Toleration& one : pod.tolerations) {
    const auto op = api::ParseTolerationOperator(one.op);
    if (one.key != taint.key || !op || !api::IsNumeric(*op)) continue;
    const Result<std::int64_t> line = GoParseInt(one.value);
    std::int64_t distance = 0;
    if (!line || __builtin_sub_overflow(*value, *line, &distance)) continue;
    if (distance == std::numeric_limits<std::int64_t>::min()) continue;
    nearest = std::min(nearest, distance < 0 ? -distance : distance);
  }
  return nearest == std::numeric_limits<std::int64_t>::max() ? 0 : nearest;
}

std::string TextOf(const api::Taint& taint) {
  std::string text(taint.key);
  if (!taint.value.empty()) text.append("=").append(taint.value);
  return text.append(":").append(taint.effect);
}

}  // namespace

const api::Taint* TaintEviction::TaintOf(PodId id, const Stay& stay, std::uint32_t limit) const {
  std::uint32_t left = stay.is_refused() ? stay.refused : stay.limits[limit].taint;
  const auto& taints = nodes_[pods_[id].node].object->As<api::Node>()->spec.taints;
  const auto found = std::ranges::find_if(
      taints, [&](const api::Taint& taint) { return match::Evicts(taint) && left-- == 0; });
  return found == taints.end() ? nullptr : &*found;
}

Instant TaintEviction::RefusedSince(PodId id, const Stay& stay, Instant now) {
  const Pod& pod = pods_[id];
  const std::optional<Instant> added = nodes_[pod.node].added[stay.refused];
  return added ? std::min(std::max(*added, ArrivalOf(*pod.object)), now) : now;
}

bool TaintEviction::Hold(PodId id, std::shared_ptr<const Stay> stay, std::uint32_t limit,
                         Instant due, const Turn& turn) {
  if (gate_ == nullptr || !gate_->is_active()) return false;
  const Pod& pod = pods_[id];
  // The node may have other taints by now, none of which ends the countdown.
  const Node& node = nodes_[pod.node];
  const ListId taints = node.taints;
  if (taints == StayTable::kNone || stays_.Find(taints, pod.tolerations) != stay) {
    stay = stays_.Find(taints, pod.tolerations);
    if (stay == nullptr || stay->is_for_ever()) return false;
    limit = 0;
  }
  const std::uint32_t index = stay->is_refused() ? stay->refused : stay->limits[limit].taint;
  const api::Taint& taint = *TaintOf(id, *stay, limit);
  if (!gate_->Hold(client_,
                   {.pod = pod.object,
                    .taint_key = std::string(taint.key),
                    .taint = TextOf(taint),
                    .distance = DistanceOver(taint, pod.object->As<api::Pod>()->spec),
                    .due = due,
                    .added = std::min(node.added[index].value_or(due), due)},
                   turn.now)) {
    return false;
  }
  due_.Erase(id);
  Countdown& countdown = CountdownOf(id);
  countdown.at = due;
  countdown.stay = std::move(stay);
  countdown.limit = limit;
  countdown.phase = Phase::Held;
  return true;
}

void TaintEviction::EvictReleased(const Turn& turn) {
  for (const EvictionRelease& release : gate_->TakeReleased(client_)) {
    const PodId id = pod_uids_.Find(release.uid);
    if (id == Interner::kNone) continue;
    Countdown* const countdown = pods_[id].countdown.get();
    if (countdown == nullptr || countdown->phase != Phase::Held) continue;
    countdown->via = release.via;
    if (std::exchange(countdown->is_gated, true)) {  // announced before it failed
      Evict(id, turn);
      continue;
    }
    const std::shared_ptr<const Stay> stay = countdown->stay;
    if (stay->is_refused()) {
      AnnounceAndEvict(id, stay->refusal, {}, countdown->at, turn, release.policy);
      continue;
    }
    const Stay::Limit& over = stay->limits[countdown->limit];
    AnnounceAndEvict(id, over.why, TimeIsOverText(over.time, countdown->at - over.time),
                     countdown->at, turn, release.policy);
  }
}

bool TaintEviction::ReturnToGate(PodId id, const Error& error, Instant now) {
  const Pod& pod = pods_[id];
  const auto outcome = error.HasCause("DisruptionBudget") ? EvictionGate::Outcome::BudgetForbids
                                                          : EvictionGate::Outcome::Failed;
  if (!gate_->Report(client_, pod.object->metadata().uid, outcome, now)) return false;
  pod.countdown->phase = Phase::Held;
  return true;
}

void TaintEviction::Note(EvictionFact::Type type, PodId id, std::string_view reason, Instant now,
                         std::string_view policy) const {
  if (journal_ == nullptr) return;
  const Pod& pod = pods_[id];
  const Countdown* const countdown = pod.countdown.get();
  std::string taint;
  const bool has_taint = countdown != nullptr && countdown->stay != nullptr;
  const ListId taints = nodes_[pod.node].taints;
  if (has_taint && taints != StayTable::kNone && type != EvictionFact::Type::CountdownCancelled) {
    const api::Taint* const found = TaintOf(id, *countdown->stay, countdown->limit);
    if (found != nullptr) taint = TextOf(*found);
  }
  std::optional<Instant> due;
  if (countdown != nullptr) {
    due = countdown->phase == Phase::Waiting && due_.Contains(id) ? due_.DeadlineOf(id)
                                                                  : countdown->at;
  }
  journal_->Note({.type = type,
                  .pod = *pod.object,
                  .time = now,
                  .node = pod.object->As<api::Pod>()->spec.node_name,
                  .taint = taint,
                  .policy = policy,
                  .reason = reason,
                  .due = due});
}

}  // namespace plimsoll::controller
