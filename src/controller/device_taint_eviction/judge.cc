// Decides which pods are evicted, and when: from taints and tolerations to causes.

#include <algorithm>

#include "api/extension/extension.h"
#include "base/assert.h"
#include "base/time_arithmetic.h"
#include "controller/device_taint_eviction/device_taint_eviction.h"
#include "controller/device_taint_eviction/visit_claims.h"
#include "controller/workload/tree.h"
#include "dra/eviction_time.h"
#include "match/toleration.h"

namespace plimsoll::controller {
std::vector<dra::DeviceTaintSource> DeviceTaintEviction::TaintsOf(const Device& device) const {
  const dra::TrackedDevice* const published =
      tracker_.FindDevice(device.driver, device.pool, device.name);
  if (published != nullptr) return {published->taints.begin(), published->taints.end()};
  return tracker_.RuleTaintsOf(device.driver, device.pool, device.name);
}

void DeviceTaintEviction::JudgeDevices(const std::vector<Device*>& devices, const Turn& turn) {
  ++round_;
  for (const Device* const device : devices) {
    for (Claim* const claim : device->claims) {
      if (std::exchange(claim->judged, round_) != round_) JudgeClaim(*claim, View::Fresh, turn);
    }
  }
}

void DeviceTaintEviction::JudgeClaim(Claim& claim, View view, const Turn& turn) {
  const std::uint64_t refused = memo_.refused();
  std::vector<Cause> causes = CausesOf(claim);
  std::vector<Cause> dropped;
  if (memo_.refused() != refused) {
    // Causes that are not fully known decide nothing, and older ones may be over.
    dropped.swap(causes);
    if (!std::exchange(claim.is_put_off, true)) put_off_.emplace_back(claim.namespace_, claim.name);
  }
  causes.swap(claim.causes);
  JudgePodsOf(claim.view(), view, turn);
  for (const Cause& cause : causes) ReleaseEviction(cause.eviction);
  for (const Cause& cause : dropped) ReleaseEviction(cause.eviction);
}

void DeviceTaintEviction::JudgePutOff(const Turn& turn) {
  while (!put_off_.empty() && !memo_.is_exhausted()) {
    const std::pair<std::string, std::string> key = std::move(put_off_.front());
    put_off_.pop_front();
    const auto found = claims_.find(ObjectName(key));
    if (found == claims_.end() || !std::exchange(found->second->is_put_off, false)) continue;
    // The devices may have changed since the claim was put off, so the server must confirm.
    JudgeClaim(*found->second, View::MaybeOld, turn);
  }
}

void DeviceTaintEviction::JudgePodsOf(const api::ResourceClaim& claim, View view,
                                      const Turn& turn) {
  for (const api::ConsumerReference& consumer : claim.reserved_for) {
    const auto pod = pods_.find(consumer.uid);
    if (pod != pods_.end()) JudgePod(*pod->second, view, turn);
  }
}

void DeviceTaintEviction::JudgePod(Pod& pod, View view, const Turn& turn) {
  if (pod.phase == Phase::Evicted) return;
  std::vector<Cause> causes = CausesOf(pod);
  const bool is_settled = view == View::Fresh && pod.phase == Phase::Unconfirmed;
  if (causes == pod.causes && !is_settled) return;
  const bool is_pardoned = causes.empty();
  const bool is_known = pod.phase >= Phase::Waiting && std::ranges::includes(pod.causes, causes);
  Phase phase = pod.phase;
  if (pod.phase <= Phase::Waiting) {
    phase = view == View::Fresh || is_known || is_pardoned ? Phase::Waiting : Phase::Confirming;
    retries_.Erase(pod.uid);
  }
  const Phase before = pod.phase;
  const bool is_silent = LeaveGate(pod, causes, phase);
  const bool is_begun = pod.causes.empty() && !is_pardoned && phase == Phase::Waiting;
  SetCauses(pod, std::move(causes), phase);
  if (is_begun) Note(EvictionFact::Type::CountdownStarted, pod);
  if (phase == Phase::Confirming) return Confirm(pod, turn);
  // An eviction in flight cannot be cancelled, and an unconfirmed one was never announced.
  if (!is_pardoned || phase == Phase::Evicting || before < Phase::Waiting) return;
  retries_.Erase(pod.uid);
  pod.phase = Phase::Waiting;
  if (!is_silent) Cancel(pod, turn);
}

template <class Visit>
void DeviceTaintEviction::VisitTaints(const Claim& claim, Visit visit) const {
  // The claim's tolerations could not be decoded, so nothing is decided about it.
  if (!api::FaultOf(*claim.object).empty()) return;
  const std::vector<api::DeviceResult>& results = claim.view().allocation->results;
  PL_ASSERT(results.size() == claim.devices.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (const dra::DeviceTaintSource& source : TaintsOf(*claim.devices[i])) {
      if (!match::Evicts(*source.taint)) continue;
      const Instant added = dra::TimeAdded(source);
      const std::optional<Instant> when =
          dra::EvictionTime(*source.taint, added, results[i].tolerations, stay_);
      // `timeAdded` is rounded up to seconds; a pod without tolerationSeconds does not wait for it.
      const bool is_at_once = when == added && TimeBetween(now_, added) < std::chrono::seconds(1);
      if (when) visit(*claim.devices[i], source, is_at_once ? std::min(added, now_) : *when);
    }
  }
}

std::vector<DeviceTaintEviction::Cause> DeviceTaintEviction::CausesOf(const Claim& claim) {
  std::vector<Cause> causes;
  VisitTaints(claim, [&](const Device& device, const dra::DeviceTaintSource& source, Instant when) {
    causes.push_back({AcquireEviction(device, source), when});
  });
  return causes;
}

std::vector<DeviceTaintEviction::Cause> DeviceTaintEviction::CausesOf(const Pod& pod) const {
  std::vector<Cause> causes;
  VisitClaims(pod, [&](const Claim& claim) {
    causes.insert(causes.end(), claim.causes.begin(), claim.causes.end());
  });
  // If a taint occurs several times, the earliest time counts.
  std::ranges::sort(causes);
  const auto repeated = std::ranges::unique(causes, {}, &Cause::eviction);
  causes.erase(repeated.begin(), repeated.end());
  return causes;
}

void DeviceTaintEviction::SetCauses(Pod& pod, std::vector<Cause> causes, Phase phase) {
  pending_ += causes.empty() ? 0 : 1;
  pending_ -= pod.causes.empty() ? 0 : 1;
  for (const Cause& cause : causes) {
    Eviction& eviction = evictions_[cause.eviction];
    ++eviction.references;
    CountPending(cause.eviction, pod, true);
  }
  for (const Cause& cause : pod.causes) {
    if (pod.phase == Phase::Waiting) evictions_[cause.eviction].queue.erase({cause.when, &pod});
    CountPending(cause.eviction, pod, false);
    ReleaseEviction(cause.eviction);
  }
  pod.causes = std::move(causes);
  pod.phase = phase;
  if (phase == Phase::Waiting) Enqueue(pod);
}

void DeviceTaintEviction::Enqueue(Pod& pod) {
  for (const Cause& cause : pod.causes) {
    evictions_[cause.eviction].queue.insert({cause.when, &pod});
    due_.Set(cause.eviction, now_);
  }
}

std::set<const api::Object*> DeviceTaintEviction::SourcesOf(const Pod& pod) const {
  std::set<const api::Object*> sources;
  const auto add = [&](const Device& device, const dra::DeviceTaintSource& source, Instant) {
    if (source.rule != nullptr) sources.insert(source.rule);
    const dra::TrackedDevice* const published =
        tracker_.FindDevice(device.driver, device.pool, device.name);
    if (published == nullptr) return;
    if (source.rule == nullptr) {
      // Any slice of the pool may contain the device's taint.
      for (const dra::TrackedSlice* const slice :
           tracker_.FindPool(device.driver, device.pool)->slices) {
        sources.insert(slice->object.get());
      }
      return;
    }
    const api::DeviceTaintSelector& selector = *source.rule->As<api::DeviceTaintRule>()->selector;
    const bool asks_for_facts = selector.device_class_name || !selector.selectors.empty();
    if (asks_for_facts) sources.insert(published->slice->object.get());
  };
  VisitClaims(pod, [&](const Claim& claim) { VisitTaints(claim, add); });
  return sources;
}

void DeviceTaintEviction::Confirm(Pod& pod, const Turn& turn) {
  pod.phase = Phase::Confirming;
  pod.doubt = ++last_doubt_;
  const std::set<const api::Object*> sources = SourcesOf(pod);
  PL_ASSERT(!sources.empty());  // else no answer would ever arrive
  pod.unanswered = sources.size();
  for (const api::Object* const source : sources) {
    const ActionId id = Ask(*source, turn);
    std::get<Question>(under_way_.at(id)).pods.emplace_back(pod.uid, pod.doubt);
  }
}

ActionId DeviceTaintEviction::Ask(const api::Object& source, const Turn& turn) {
  const auto [place, is_new] = asked_.try_emplace(&source, last_action_ + 1);
  if (!is_new) return place->second;
  under_way_.emplace(++last_action_, Question{});
  const api::ObjectMeta& metadata = source.metadata();
  turn.Do(GetObject{.id = last_action_,
                    .object = api::ObjectRef(source.kind(), {}, metadata.name, metadata.uid),
                    .resource_version = std::string(metadata.resource_version)});
  return last_action_;
}

void DeviceTaintEviction::OnAnswer(const std::string& uid, std::uint64_t doubt,
                                   const Status& answer) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return;
  Pod& pod = *found->second;
  if (pod.phase != Phase::Confirming || pod.doubt != doubt) return;
  if (!answer) {
    pod.phase = Phase::Unconfirmed;
    return retries_.Retry(uid, now_);  // or an event of a slice or rule decides earlier
  }
  if (--pod.unanswered > 0) return;
  retries_.Forget(uid);
  pod.phase = Phase::Waiting;
  Enqueue(pod);
}

DeviceTaintEviction::EvictionId DeviceTaintEviction::AcquireEviction(
    const Device& device, const dra::DeviceTaintSource& source) {
  std::string identity;
  if (source.rule != nullptr) {
    identity = IdentityOf(*source.rule);
  } else {
    identity.append("taint ").append(source.taint->key).append("=").append(source.taint->value);
    identity.append(" of device ").append(device.driver).append("/").append(device.pool);
    identity.append("/").append(device.name);
  }
  const auto [place, is_new] = eviction_ids_.try_emplace(identity, 0);
  if (is_new) {
    if (free_evictions_.empty()) {
      place->second = static_cast<EvictionId>(evictions_.size());
      evictions_.emplace_back();
    } else {
      place->second = free_evictions_.back();
      free_evictions_.pop_back();
    }
    Eviction& made = evictions_[place->second];
    made.identity = std::move(identity);
    if (source.rule != nullptr) made.rule = source.rule->metadata().name;
  }
  Eviction& eviction = evictions_[place->second];
  ++eviction.references;
  eviction.taint_key = source.taint->key;
  const Instant added = dra::TimeAdded(source);
  eviction.added = added == Instant::min() ? std::nullopt : std::optional(added);
  const bool is_other = eviction.pace.SetRate(dra::EvictionRate(*source.taint), now_);
  if (is_other && !eviction.queue.empty()) due_.Set(place->second, now_);
  return place->second;
}

void DeviceTaintEviction::ReleaseEviction(EvictionId id) {
  Eviction& eviction = evictions_[id];
  PL_ASSERT(eviction.references > 0);
  if (--eviction.references == 0) due_.Set(id, std::max(now_, eviction.pace.IdleFrom()));
}

void DeviceTaintEviction::CountPending(EvictionId id, const Pod& pod, bool is_added) {
  Eviction& eviction = evictions_[id];
  if (eviction.rule.empty()) return;
  const std::string_view name = pod.namespace_();
  if (is_added) {
    ++eviction.pending_pods;
    ++eviction.pending[std::string(name)];
  } else {
    --eviction.pending_pods;
    const auto place = eviction.pending.find(name);
    PL_ASSERT(place != eviction.pending.end());
    if (--place->second == 0) eviction.pending.erase(place);
  }
  // Like upstream, the condition shows a new pod at once, and pods that are gone together.
  conditions_.AddAt(eviction.rule, is_added ? now_ : SaturatingAdd(now_, kStatusPeriod));
}

}  // namespace plimsoll::controller
