#include "controller/device_taint_eviction/device_taint_eviction.h"

#include <algorithm>
#include <array>

#include "controller/resource_claim/pod_claims.h"
#include "controller/unread_fields.h"
#include "dra/rule_index.h"

namespace plimsoll::controller {
namespace {

/// Returns the new object, or the old one if it was deleted.
const api::Object& Some(const ObjectPtr& before, const ObjectPtr& after) {
  return after != nullptr ? *after : *before;
}

std::pair<std::string_view, std::string_view> NameOf(const api::ObjectMeta& metadata) {
  return {metadata.namespace_, metadata.name};
}

/// REQUIRES: both are allocated claims.
bool HaveSameDevices(const api::Object& a, const api::Object& b) {
  const auto name = [](const api::DeviceResult& result) {
    return std::tie(result.driver, result.pool, result.device);
  };
  return std::ranges::equal(a.As<api::ResourceClaim>()->allocation->results,
                            b.As<api::ResourceClaim>()->allocation->results, {}, name, name);
}

bool HaveSameConsumers(const api::Object& a, const api::Object& b) {
  return std::ranges::equal(a.As<api::ResourceClaim>()->reserved_for,
                            b.As<api::ResourceClaim>()->reserved_for, {},
                            &api::ConsumerReference::uid, &api::ConsumerReference::uid);
}

}  // namespace

DeviceTaintEviction::DeviceTaintEviction(const api::FeatureGates& gates, const match::Rules& rules,
                                         MetricsRegistry& metrics,
                                         std::shared_ptr<EvictionGate> gate,
                                         EvictionJournal* journal)
    : gate_(std::move(gate)),
      journal_(journal),
      client_(gate_ == nullptr ? EvictionGate::Client{} : gate_->AddClient()),
      memo_(rules.evaluator),
      stay_{.match = rules, .threshold_grace = gates.Enabled(api::Feature::ThresholdEvictionGrace)},
      tracker_(selectors_, {.taints_enabled = gates.Enabled(api::Feature::DRADeviceTaints),
                            .rules_enabled = gates.Enabled(api::Feature::DRADeviceTaintRules)}),
      has_rules_(gates.Enabled(api::Feature::DRADeviceTaintRules)),
      deletions_(metrics.AddCounter(
          {.name = "device_taint_eviction_controller_pod_deletions_total",
           .help = "Total number of Pods deleted by DeviceTaintEvictionController since its start.",
           .labels = {}})),
      deletion_seconds_(metrics.AddHistogram(
          {.name = "device_taint_eviction_controller_pod_deletion_duration_seconds",
           .help = "Latency, in seconds, between the time when a device taint effect has been "
                   "activated and a Pod's deletion via DeviceTaintEvictionController.",
           .labels = {}},
          {0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60, 120, 180, 240})) {
  if (rules.evaluator != nullptr) stay_.match.evaluator = &memo_;
}

std::span<const WatchedKind> DeviceTaintEviction::watched() const {
  static constexpr std::array kWatched = {
      WatchedKind{"", "v1", "Pod", kUnusedPodFields},
      WatchedKind{"resource.k8s.io", "v1", "DeviceClass"},
      WatchedKind{"resource.k8s.io", "v1", "DeviceTaintRule"},
      WatchedKind{"resource.k8s.io", "v1", "ResourceClaim", kUnusedClaimFields},
      WatchedKind{"resource.k8s.io", "v1", "ResourceSlice"},
  };
  return kWatched;
}

void DeviceTaintEviction::Observe(const CoreInput& event, const Turn& turn) {
  now_ = turn.now;
  asked_.clear();
  memo_.SetBudget(kExpressionBudget);
  if (const auto* const finished = std::get_if<ActionFinished>(&event)) {
    Finish(*finished, turn);
  } else if (std::holds_alternative<Synced>(event)) {
    Start(turn);
  } else {
    OnObjectChange(std::get<ObjectChanged>(event), turn);
  }
  if (is_synced_) Serve(turn);
}

void DeviceTaintEviction::Wake(const Turn& turn) {
  now_ = turn.now;
  asked_.clear();
  memo_.SetBudget(kExpressionBudget);
  JudgePutOff(turn);
  if (is_synced_) Serve(turn);
}

std::optional<Instant> DeviceTaintEviction::NextWake() const {
  std::optional<Instant> first = due_.NextWake();
  for (const std::optional<Instant> other : {retries_.NextWake(), conditions_.NextWake()}) {
    if (other) first = first ? std::min(*first, *other) : *other;
  }
  const bool is_released = gate_ != nullptr && gate_->HasReleased(client_);
  if (!put_off_.empty() || is_released) first = now_;
  return is_synced_ ? first : std::nullopt;
}

/// Called when the initial lists are complete. They may show different points in time.
void DeviceTaintEviction::Start(const Turn& turn) {
  is_synced_ = true;
  std::erase_if(unpublished_, [this](const Device* device) {
    return tracker_.FindDevice(device->driver, device->pool, device->name) != nullptr;
  });
  // Sorted, to be deterministic.
  std::vector<Claim*> claims;
  claims.reserve(claims_.size());
  for (const auto& [name, claim] : claims_) claims.push_back(claim.get());
  std::ranges::sort(claims, {}, &Claim::key);
  for (Claim* const claim : claims) JudgeClaim(*claim, View::MaybeOld, turn);
  for (const auto& [name, rule] : rules_) conditions_.AddAt(name, now_);
}

void DeviceTaintEviction::OnObjectChange(const ObjectChanged& news, const Turn& turn) {
  const auto& [before, after] = news;
  const api::Object& some = Some(before, after);
  if (some.As<api::Pod>() != nullptr) return OnPodChange(before, after, turn);
  if (some.As<api::ResourceClaim>() != nullptr) return OnClaimChange(before, after, turn);
  if (some.As<api::DeviceTaintRule>() != nullptr) {
    if (!has_rules_) return;
    OnRuleChange(before, after);
  }
  const dra::SliceTracker::Changes& changes = tracker_.Observe(news);
  if (is_synced_) OnDeviceChanges(changes, news, turn);
}

void DeviceTaintEviction::OnPodChange(const ObjectPtr& before, const ObjectPtr& after,
                                      const Turn& turn) {
  if (before != nullptr && (after == nullptr || before->metadata().uid != after->metadata().uid)) {
    ForgetPod(before->metadata().uid);
  }
  if (after == nullptr) return;
  const auto& view = *after->As<api::Pod>();
  // A terminating pod needs no eviction.
  const bool is_going = !view.metadata.deletion_timestamp.empty();
  const bool has_claims = !view.spec.resource_claims.empty() || !ExtendedClaimOf(*after).empty();
  if (is_going || view.spec.node_name.empty() || !has_claims) {
    return ForgetPod(view.metadata.uid);
  }
  auto place = pods_.find(view.metadata.uid);
  if (place == pods_.end()) {
    auto made = std::make_unique<Pod>();
    made->uid = view.metadata.uid;
    made->key.append(view.metadata.namespace_).append("/").append(view.metadata.name);
    const std::string_view uid = made->uid;
    place = pods_.emplace(uid, std::move(made)).first;
  }
  Pod& pod = *place->second;
  pod.object = after;
  if (is_synced_) JudgePod(pod, View::MaybeOld, turn);
}

void DeviceTaintEviction::ForgetPod(std::string_view uid) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return;
  Pod& pod = *found->second;
  if (pod.phase == Phase::Evicting) CountDeletion(pod);  // the watch event came before the outcome
  if (pod.phase == Phase::Held) gate_->Withdraw(client_, pod.uid, true);
  SetCauses(pod, {}, pod.phase);
  retries_.Erase(pod.uid);
  const std::unique_ptr<Pod> kept = std::move(found->second);  // keeps the key's text alive
  pods_.erase(found);
}

void DeviceTaintEviction::OnClaimChange(const ObjectPtr& before, const ObjectPtr& after,
                                        const Turn& turn) {
  auto place = claims_.find(NameOf(Some(before, after).metadata()));
  const bool is_allocated =
      after != nullptr && after->As<api::ResourceClaim>()->allocation.has_value();
  ObjectPtr known;
  if (place != claims_.end()) {
    Claim& claim = *place->second;
    known = claim.object;
    if (!is_allocated || !HaveSameDevices(*known, *after)) UnlistDevices(claim);
    if (!is_allocated) {
      for (const Cause& cause : claim.causes) ReleaseEviction(cause.eviction);
      const std::unique_ptr<Claim> kept = std::move(place->second);  // keeps the key's text alive
      claims_.erase(place);
    }
  }
  if (is_allocated) {
    if (place == claims_.end()) {
      auto made = std::make_unique<Claim>();
      std::tie(made->namespace_, made->name) = NameOf(after->metadata());
      const ObjectName name = made->key();
      place = claims_.emplace(name, std::move(made)).first;
    }
    Claim& claim = *place->second;
    claim.object = after;
    if (claim.devices.empty()) ListDevices(claim);
    if (is_synced_) JudgeClaim(claim, View::MaybeOld, turn);
  }
  // Pods for which the claim is no longer reserved; JudgeClaim handles the others.
  if (known != nullptr && is_synced_ && !(is_allocated && HaveSameConsumers(*known, *after))) {
    JudgePodsOf(*known->As<api::ResourceClaim>(), View::MaybeOld, turn);
  }
}

void DeviceTaintEviction::ListDevices(Claim& claim) {
  for (const api::DeviceResult& result : claim.view().allocation->results) {
    Device* device = FindDevice(result.driver, result.pool, result.device);
    if (device == nullptr) {
      auto made = std::make_unique<Device>();
      made->driver = result.driver;
      made->pool = result.pool;
      made->name = result.device;
      device = made.get();
      devices_.emplace(device->key(), std::move(made));
      if (tracker_.FindDevice(result.driver, result.pool, result.device) == nullptr) {
        unpublished_.insert(device);
      }
    }
    device->claims.push_back(&claim);
    claim.devices.push_back(device);
  }
}

void DeviceTaintEviction::UnlistDevices(Claim& claim) {
  for (Device* const device : std::exchange(claim.devices, {})) {
    device->claims.erase(std::ranges::find(device->claims, &claim));
    if (!device->claims.empty()) continue;
    unpublished_.erase(device);
    const auto place = devices_.find(device->key());
    const std::unique_ptr<Device> kept = std::move(place->second);  // keeps the key's text alive
    devices_.erase(place);
  }
}

DeviceTaintEviction::Device* DeviceTaintEviction::FindDevice(std::string_view driver,
                                                             std::string_view pool,
                                                             std::string_view name) const {
  const auto found = devices_.find(DeviceKey(driver, pool, name));
  return found == devices_.end() ? nullptr : found->second.get();
}

void DeviceTaintEviction::OnRuleChange(const ObjectPtr& before, const ObjectPtr& after) {
  const std::string name(Some(before, after).metadata().name);
  if (after == nullptr) {
    rules_.erase(name);
    conditions_.Erase(name);
    return;
  }
  Rule& rule = rules_[name];
  const bool is_other =
      rule.object == nullptr || rule.object->metadata().uid != after->metadata().uid;
  if (is_other) rule = {};
  const bool is_edited = is_other || rule.generation() != after->metadata().generation.value_or(0);
  rule.object = after;
  // The watch event may be older than our own last write.
  const std::optional<RuleCondition> seen = ConditionOf(*after);
  if (seen && (!rule.condition || seen->changed_at >= rule.condition->changed_at)) {
    rule.condition = seen;
  }
  if (is_edited && is_synced_) conditions_.AddAt(name, now_);
}

void DeviceTaintEviction::OnDeviceChanges(const dra::SliceTracker::Changes& changes,
                                          const ObjectChanged& news, const Turn& turn) {
  std::vector<Device*> concerned;
  for (const dra::TrackedDevice* const changed : changes.devices) {
    const api::ResourceSlice& slice = *changed->slice->view;
    Device* const device = FindDevice(slice.driver, slice.pool.name, changed->device->name);
    if (device == nullptr) continue;
    unpublished_.erase(device);
    concerned.push_back(device);
  }
  for (const auto& gone : changes.dropped_devices) {
    Device* const device = FindDevice(gone.driver, gone.pool, gone.name);
    if (device == nullptr) continue;
    unpublished_.insert(device);
    concerned.push_back(device);
  }
  for (const ObjectPtr& object : {news.old_object, news.new_object}) {
    const auto* const rule = object == nullptr ? nullptr : object->As<api::DeviceTaintRule>();
    if (rule == nullptr || !rule->selector) continue;
    for (Device* const device : unpublished_) {
      if (dra::Names(*rule->selector, device->driver, device->pool, device->name)) {
        concerned.push_back(device);
      }
    }
  }
  JudgeDevices(concerned, turn);
}

void DeviceTaintEviction::Finish(const ActionFinished& event, const Turn& turn) {
  const auto found = under_way_.find(event.id);
  if (found == under_way_.end()) return;
  const auto target = std::move(found->second);
  under_way_.erase(found);
  if (const auto* const rule = std::get_if<RuleAction>(&target)) {
    return FinishWrite(rule->name, event.status);
  }
  if (const auto* const question = std::get_if<Question>(&target)) {
    for (const auto& [uid, doubt] : question->pods) OnAnswer(uid, doubt, event.status);
    return;
  }
  const auto pod = pods_.find(std::get<PodAction>(target).uid);
  if (pod != pods_.end()) FinishEviction(*pod->second, event.status, turn);
}

void DeviceTaintEviction::FinishEviction(Pod& pod, const Status& status, const Turn& turn) {
  if (pod.is_gated && ReportToGate(pod, status)) return;
  if (status) {
    CountDeletion(pod);
    retries_.Forget(pod.uid);
    return SetCauses(pod, {}, Phase::Evicted);
  }
  if (pod.causes.empty()) {  // tolerated in the meantime
    pod.phase = Phase::Waiting;
    return Cancel(pod, turn);
  }
  pod.phase = Phase::Retrying;
  retries_.Retry(pod.uid, now_);
}

void DeviceTaintEviction::FinishWrite(const std::string& name, const Status& status) {
  const auto found = rules_.find(name);
  if (found == rules_.end() || !found->second.is_written) return;
  Rule& rule = found->second;
  rule.is_written = false;
  const bool is_asked_again = std::exchange(rule.is_asked_again, false);
  if (status) {
    conditions_.Forget(name);
    // Without a reason upstream does not look at the rule again: evictions ask for it themselves.
    if (is_asked_again) conditions_.AddAt(name, now_);
    return;
  }
  rule.condition = rule.condition_before;
  conditions_.Retry(name, now_);
}

}  // namespace plimsoll::controller
