// Evicts pods that are due, within the rates of the taints, and updates the rules' conditions.

#include <algorithm>
#include <iterator>

#include "base/time_arithmetic.h"
#include "controller/device_taint_eviction/device_taint_eviction.h"
#include "controller/device_taint_eviction/visit_claims.h"
#include "dra/eviction_time.h"
#include "dra/rule_index.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kEventReason = "DeviceTaintManagerEviction";
constexpr std::string_view kConditionReason = "DeletionByDeviceTaintManager";
constexpr std::string_view kConditionMessage =
    "Device Taint manager: deleting due to NoExecute taint";

}  // namespace

void DeviceTaintEviction::Serve(const Turn& turn) {
  if (gate_ != nullptr && gate_->HasReleased(client_)) EvictReleased(turn);
  // Conditions first, so that they count all pods that are still to be evicted.
  while (const auto name = conditions_.Take(now_)) WriteCondition(*name, turn);
  while (const auto due = due_.Take(now_)) ServeEviction(due->id, turn);
  while (const auto uid = retries_.Take(now_)) {
    Pod& pod = *pods_.find(*uid)->second;
    if (pod.phase == Phase::Unconfirmed) {
      Confirm(pod, turn);
    } else {
      Evict(pod, turn);
    }
  }
}

void DeviceTaintEviction::ServeEviction(EvictionId id, const Turn& turn) {
  Eviction& eviction = evictions_[id];
  while (!eviction.queue.empty()) {
    const Waiting first = *eviction.queue.begin();
    if (std::max(first.when, eviction.pace.NextFree()) > now_) {
      eviction.has_waited = first.when <= now_;
      return due_.Set(id, eviction.has_waited ? eviction.pace.NextTurn() : first.when);
    }
    eviction.pace.Take(now_, eviction.has_waited);
    LeaveQueues(*first.pod, id);
    if (!Hold(*first.pod, id)) Announce(*first.pod, turn);
  }
  eviction.has_waited = false;
  if (eviction.references > 0) return;
  if (eviction.pace.IdleFrom() > now_) return due_.Set(id, eviction.pace.IdleFrom());
  eviction_ids_.erase(eviction.identity);
  eviction = {};
  free_evictions_.push_back(id);
}

void DeviceTaintEviction::LeaveQueues(Pod& pod, EvictionId by) {
  pod.due = std::ranges::min_element(pod.causes, {}, &Cause::when)->when;
  for (const Cause& cause : pod.causes) {
    Eviction& eviction = evictions_[cause.eviction];
    eviction.queue.erase({cause.when, &pod});
    // Two taints on the same pods evict at the rate of the faster one, not at the sum.
    if (cause.eviction != by && cause.when <= now_) eviction.pace.Charge(now_);
  }
}

void DeviceTaintEviction::Announce(Pod& pod, const Turn& turn, std::string_view policy) {
  const auto first = std::ranges::min_element(pod.causes, {}, &Cause::when);
  Note(EvictionFact::Type::Evicted, pod, policy);
  // Upstream's message, followed by the taint.
  turn.Do(RecordEvent{.regarding = pod.object,
                      .reason = std::string(kEventReason),
                      .message = "Marking for deletion: " + evictions_[first->eviction].identity});
  Evict(pod, turn);
}

void DeviceTaintEviction::Evict(Pod& pod, const Turn& turn) {
  pod.phase = Phase::Evicting;
  under_way_.emplace(++last_action_, PodAction{pod.uid});
  if (pod.via == EvictionVia::Eviction) {
    return turn.Do(PostEviction{.id = last_action_, .pod = pod.object});
  }
  turn.Do(EvictPod{.id = last_action_,
                   .pod = pod.object,
                   .reason = kConditionReason,
                   .message = std::string(kConditionMessage)});
}

void DeviceTaintEviction::Cancel(const Pod& pod, const Turn& turn) const {
  Note(EvictionFact::Type::CountdownCancelled, pod);
  turn.Do(RecordEvent{.regarding = pod.object,
                      .reason = std::string(kEventReason),
                      .message = "Cancelling deletion"});
}

void DeviceTaintEviction::CountDeletion(Pod& pod) {
  deletions_.Add();
  deletion_seconds_.Observe(std::chrono::duration<double>(TimeBetween(pod.due, now_)).count());
  for (const Cause& cause : pod.causes) {
    const Eviction& eviction = evictions_[cause.eviction];
    const auto rule = rules_.find(eviction.rule);
    // Skipped if another rule has the same name by now.
    if (rule != rules_.end() && eviction.identity == IdentityOf(*rule->second.object)) {
      ++rule->second.evicted;
    }
  }
}

std::string DeviceTaintEviction::IdentityOf(const api::Object& rule) {
  return "DeviceTaintRule " + std::string(rule.metadata().name) + ", uid " +
         std::string(rule.metadata().uid);
}

void DeviceTaintEviction::WriteCondition(const std::string& name, const Turn& turn) {
  const auto found = rules_.find(name);
  if (found == rules_.end()) return;
  Rule& rule = found->second;
  if (rule.is_written) {
    rule.is_asked_again = true;
    return;
  }
  if (rule.condition && rule.condition->observed_generation == rule.generation()) {
    // A rule with effect None gets its preview once per generation.
    if (rule.view().taint.effect == api::device_effect::kNone) return;
    const Instant next = SaturatingAdd(rule.condition->changed_at, kStatusPeriod);
    if (next > now_) return conditions_.AddAt(name, next);
  }
  const std::uint64_t refused = memo_.refused();
  RuleCondition condition = ConditionFor(rule);
  if (memo_.refused() != refused) return conditions_.AddAt(name, now_ + kPreviewPause);
  condition.observed_generation = rule.generation();
  condition.changed_at = std::chrono::floor<std::chrono::seconds>(now_);
  if (rule.condition && rule.condition->SaysTheSameAs(condition)) return;
  under_way_.emplace(++last_action_, RuleAction{name});
  turn.Do(PatchObject{.id = last_action_,
                      .object = rule.object,
                      .subresource = "status",
                      .body = ConditionPatch(*rule.object, condition),
                      .form = PatchForm::Apply,
                      .field_manager = std::string(kName)});
  rule.is_written = true;
  rule.condition_before = std::exchange(rule.condition, std::move(condition));
}

RuleCondition DeviceTaintEviction::ConditionFor(const Rule& rule) const {
  const std::string_view effect = rule.view().taint.effect;
  if (effect == api::device_effect::kNone) return PreviewCondition(Preview(rule), rule.evicted);
  if (effect != api::device_effect::kNoExecute) return OtherEffectCondition(rule.evicted);
  PodCount pending;
  const auto id = eviction_ids_.find(IdentityOf(*rule.object));
  if (id != eviction_ids_.end()) {
    const Eviction& eviction = evictions_[id->second];
    pending = {.pods = eviction.pending_pods, .namespaces = eviction.pending.size()};
  }
  return EvictionCondition(pending, rule.evicted);
}

RulePreview DeviceTaintEviction::Preview(const Rule& rule) const {
  RulePreview preview;
  const api::DeviceTaintRule& view = rule.view();
  std::vector<const Device*> devices;
  for (const dra::TrackedDevice* const selected : tracker_.SelectedBy(view)) {
    ++preview.published_devices;
    const api::ResourceSlice& slice = *selected->slice->view;
    const Device* const device = FindDevice(slice.driver, slice.pool.name, selected->device->name);
    if (device != nullptr) devices.push_back(device);
  }
  if (view.selector && !view.selector->device_class_name && view.selector->selectors.empty()) {
    std::ranges::copy_if(unpublished_, std::back_inserter(devices), [&](const Device* device) {
      return dra::Names(*view.selector, device->driver, device->pool, device->name) &&
             tracker_.FindDevice(device->driver, device->pool, device->name) == nullptr;
    });
  }
  api::DeviceTaint taint = view.taint;
  taint.effect = api::device_effect::kNoExecute;
  std::set<std::string_view> pods;
  std::set<std::string_view> namespaces;
  for (const Device* const device : devices) {
    preview.allocated_devices += device->claims.size();
    for (const Claim* const claim : device->claims) {
      if (!WouldEvict(taint, *claim, *device)) continue;
      for (const api::ConsumerReference& consumer : claim->view().reserved_for) {
        const auto pod = pods_.find(consumer.uid);
        if (pod == pods_.end() || pod->second->phase == Phase::Evicted) continue;
        VisitClaims(*pod->second, [&](const Claim& has) {
          if (&has != claim) return;
          pods.insert(pod->second->uid);
          namespaces.insert(pod->second->namespace_());
        });
      }
    }
  }
  preview.evictions = {.pods = pods.size(), .namespaces = namespaces.size()};
  return preview;
}

bool DeviceTaintEviction::WouldEvict(const api::DeviceTaint& taint, const Claim& claim,
                                     const Device& device) const {
  const std::vector<api::DeviceResult>& results = claim.view().allocation->results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (claim.devices[i] == &device &&
        dra::EvictionTime(taint, Instant{}, results[i].tolerations, stay_)) {
      return true;
    }
  }
  return false;
}

}  // namespace plimsoll::controller
