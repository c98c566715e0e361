// Who has to go, and when: from taints and tolerations to the causes that pods wait for.

#include <algorithm>

#include "base/assert.h"
#include "controller/device_taint_eviction/device_taint_eviction.h"
#include "controller/device_taint_eviction/eviction_time.h"
#include "controller/device_taint_eviction/visit_claims.h"
#include "controller/workload/tree.h"
#include "match/toleration.h"

namespace plimsoll::controller {
namespace {

Instant TimeAdded(const dra::DeviceTaintSource& source) {
  if (const Result<Instant> time = ParseTime(source.taint->time_added)) return *time;
  // The server sets it; what comes without has been there for long.
  return source.rule == nullptr ? Instant{} : CreationTime(source.rule->metadata());
}

}  // namespace

std::vector<dra::DeviceTaintSource> DeviceTaintEviction::TaintsOf(const Device& device) const {
  const dra::TrackedDevice* const published =
      tracker_.FindDevice(device.driver, device.pool, device.name);
  if (published != nullptr) return {published->taints.begin(), published->taints.end()};
  return tracker_.RuleTaintsOf(device.driver, device.pool, device.name);
}

void DeviceTaintEviction::JudgeDevices(const std::vector<Device*>& devices, Actions& out) {
  ++round_;
  for (const Device* const device : devices) {
    for (Claim* const claim : device->claims) {
      if (std::exchange(claim->judged, round_) != round_) JudgeClaim(*claim, out);
    }
  }
}

void DeviceTaintEviction::JudgeClaim(Claim& claim, Actions& out) {
  const std::vector<Cause> before = std::exchange(claim.causes, CausesOf(claim));
  JudgePodsOf(claim.view(), out);
  for (const Cause& cause : before) ReleaseEviction(cause.eviction);
}

void DeviceTaintEviction::JudgePodsOf(const api::ResourceClaim& claim, Actions& out) {
  for (const api::ConsumerReference& consumer : claim.reserved_for) {
    const auto pod = pods_.find(consumer.uid);
    if (pod != pods_.end()) JudgePod(*pod->second, out);
  }
}

void DeviceTaintEviction::JudgePod(Pod& pod, Actions& out) {
  if (pod.phase == Phase::Evicted) return;
  std::vector<Cause> causes = CausesOf(pod);
  if (causes == pod.causes) return;
  const bool is_pardoned = causes.empty();
  SetCauses(pod, std::move(causes));
  // What is under way cannot be stopped.
  if (!is_pardoned || pod.phase == Phase::Evicting) return;
  retries_.Erase(pod.uid);
  pod.phase = Phase::Waiting;
  Cancel(pod, out);
}

std::vector<DeviceTaintEviction::Cause> DeviceTaintEviction::CausesOf(const Claim& claim) {
  std::vector<Cause> causes;
  const std::vector<api::DeviceResult>& results = claim.view().allocation->results;
  PL_ASSERT(results.size() == claim.devices.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (const dra::DeviceTaintSource& source : TaintsOf(*claim.devices[i])) {
      if (!match::Evicts(*source.taint)) continue;
      const std::optional<Instant> when =
          EvictionTime(*source.taint, TimeAdded(source), results[i].tolerations, stay_);
      if (when) causes.push_back({AcquireEviction(*claim.devices[i], source), *when});
    }
  }
  return causes;
}

std::vector<DeviceTaintEviction::Cause> DeviceTaintEviction::CausesOf(const Pod& pod) const {
  std::vector<Cause> causes;
  VisitClaims(pod, [&](const Claim& claim) {
    causes.insert(causes.end(), claim.causes.begin(), claim.causes.end());
  });
  // Of one taint the earliest time counts.
  std::ranges::sort(causes);
  const auto repeated = std::ranges::unique(causes, {}, &Cause::eviction);
  causes.erase(repeated.begin(), repeated.end());
  return causes;
}

void DeviceTaintEviction::SetCauses(Pod& pod, std::vector<Cause> causes) {
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
  if (pod.phase != Phase::Waiting) return;
  for (const Cause& cause : pod.causes) {
    evictions_[cause.eviction].queue.insert({cause.when, &pod});
    due_.Set(cause.eviction, now_);
  }
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
  eviction.pace.SetRate(source.taint->EvictionRate(), now_);
  ++eviction.references;
  if (!eviction.queue.empty()) due_.Set(place->second, now_);  // the rate may be another
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
  conditions_.AddAt(eviction.rule, now_ + kStatusPeriod);
}

}  // namespace plimsoll::controller
