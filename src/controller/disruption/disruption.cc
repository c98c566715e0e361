#include "controller/disruption/disruption.h"

#include <algorithm>
#include <array>

#include "base/text/ascii.h"
#include "base/time_arithmetic.h"
#include "controller/workload/condition.h"
#include "controller/workload/owned_pods.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

/// Minimum time between two syncs of a budget: kPause plus kPausePerPod for each pod.
constexpr Duration kPause = std::chrono::milliseconds(10);
constexpr Duration kPausePerPod = std::chrono::microseconds(10);

constexpr std::string_view kUnmanaged =
    ". As a result, the status of the PDB cannot be calculated correctly, which may result in "
    "undefined behavior. To account for these pods please set \".spec.minAvailable\" field of the "
    "PDB to an integer value.";

std::string KindOfScale(const api::OwnerReference& owner) {
  // Plural as upstream's REST mapping derives it from the kind.
  std::string plural;
  for (const char letter : owner.kind) {
    plural += ToLower(letter);
  }
  const std::string_view group = owner.api_version.substr(
      0, owner.api_version.contains('/') ? owner.api_version.find('/') : 0);
  return plural + "s" + (group.empty() ? "" : "." + std::string(group));
}

WorkloadCondition AllowedCondition(const WorkloadConditions& conditions, std::string_view status,
                                   std::string_view reason, std::string_view message,
                                   std::int64_t generation, Instant now) {
  const WorkloadCondition* const known = conditions.Find("DisruptionAllowed");
  const bool is_kept = known != nullptr && known->status == status;
  return {.type = "DisruptionAllowed",
          .status = std::string(status),
          .reason = std::string(reason),
          .message = std::string(message),
          .last_transition_time = is_kept ? known->last_transition_time : FormatTime(now),
          .observed_generation = generation};
}

bool Same(const WorkloadCondition* a, const WorkloadCondition& b) {
  return a != nullptr && a->status == b.status && a->reason == b.reason &&
         a->message == b.message && a->observed_generation == b.observed_generation;
}

}  // namespace

std::span<const WatchedKind> DisruptionController::watched() const {
  static constexpr std::array kWatched = {WatchedKind{"policy", "v1", "PodDisruptionBudget"},
                                          WatchedKind{"", "v1", "Pod"},
                                          WatchedKind{"", "v1", "ReplicationController"},
                                          WatchedKind{"apps", "v1", "ReplicaSet"},
                                          WatchedKind{"apps", "v1", "Deployment"},
                                          WatchedKind{"apps", "v1", "StatefulSet"}};
  return kWatched;
}

void DisruptionController::Run(const Turn& turn) {
  while (const std::optional<Key> key = queue_.Take(turn.now)) {
    const auto at = budgets_.find(*key);
    if (at == budgets_.end()) continue;
    at->second.last_sync = turn.now;
    Sync(*key, at->second, turn);
  }
}

void DisruptionController::Enqueue(const Key& key, Budget& budget, Instant now) {
  const Duration pause = kPause + kPausePerPod * static_cast<std::int64_t>(budget.pods.size());
  const Instant next = budget.last_sync == Instant::min() ? now : budget.last_sync + pause;
  queue_.AddAt(key, std::max(now, next));
}

void DisruptionController::OnChange(const ObjectChanged& change, Instant now) {
  const ObjectPtr& any = change.new_object ? change.new_object : change.old_object;
  if (any->As<api::Pod>() != nullptr) {
    OnPodChange(change.old_object, change.new_object, now);
  } else if (any->As<api::PodDisruptionBudget>() != nullptr) {
    OnBudgetChange(change.old_object, change.new_object, now);
  } else {
    OnScaledChange(change.old_object, change.new_object, now);
  }
}

void DisruptionController::OnPodChange(const ObjectPtr& before, const ObjectPtr& after,
                                       Instant now) {
  const api::ObjectMeta& metadata = (after != nullptr ? after : before)->metadata();
  const std::string space(metadata.namespace_);
  const std::string name(metadata.name);
  Pods& pods = pods_[space];
  if (after == nullptr) {
    pods.erase(name);
  } else {
    pods[name] = after;
  }
  for (auto at = budgets_.lower_bound({space, {}}); at != budgets_.end(); ++at) {
    if (at->first.first != space) break;
    Budget& budget = at->second;
    const bool is_selected = after != nullptr && budget.selector.Matches(metadata.labels);
    if (is_selected) {
      budget.pods[name] = after;
    } else if (budget.pods.erase(name) == 0) {
      continue;
    }
    Enqueue(at->first, budget, now);
  }
}

void DisruptionController::OnBudgetChange(const ObjectPtr& before, const ObjectPtr& after,
                                          Instant now) {
  const api::ObjectMeta& metadata = (after != nullptr ? after : before)->metadata();
  const Key key(metadata.namespace_, metadata.name);
  if (after == nullptr) {
    budgets_.erase(key);
    queue_.Erase(key);
    return;
  }
  Budget& budget = budgets_[key];
  const bool is_known = budget.object != nullptr && budget.object->metadata().uid == metadata.uid &&
                        metadata.generation &&
                        budget.object->metadata().generation == metadata.generation;
  budget.object = after;
  if (!is_known) {
    const auto& view = *after->As<api::PodDisruptionBudget>();
    Result<api::Selector> selector =
        api::Selector::FromObject(view.selector ? &*view.selector : nullptr);
    budget.selector = selector ? std::move(*selector) : api::Selector::Nothing();
    budget.pods.clear();
    const auto pods = pods_.find(key.first);
    if (pods != pods_.end()) {
      for (const auto& [name, pod] : pods->second) {
        if (budget.selector.Matches(pod->metadata().labels)) budget.pods.emplace(name, pod);
      }
    }
  }
  Enqueue(key, budget, now);
}

void DisruptionController::OnScaledChange(const ObjectPtr& before, const ObjectPtr& after,
                                          Instant now) {
  const api::ObjectMeta& metadata = (after != nullptr ? after : before)->metadata();
  if (before != nullptr && (after == nullptr || before->metadata().uid != metadata.uid)) {
    const auto at = scaled_.find(before->metadata().uid);
    if (at != scaled_.end()) scaled_.erase(at);
  }
  bool is_changed = after == nullptr;
  if (after != nullptr) {
    const api::OwnerReference* const controller = ControllerOf(metadata);
    const bool is_deployed = controller != nullptr && controller->kind == "Deployment";
    Scaled scaled{IntAt(after->tree(), {"spec", "replicas"}, 1),
                  is_deployed ? std::string(controller->uid) : std::string()};
    Scaled& known = scaled_[std::string(metadata.uid)];
    is_changed = before == nullptr || known.replicas != scaled.replicas ||
                 known.controller_uid != scaled.controller_uid;
    known = std::move(scaled);
  }
  if (!is_changed) return;
  const std::string space(metadata.namespace_);
  for (auto at = budgets_.lower_bound({space, {}}); at != budgets_.end(); ++at) {
    if (at->first.first != space) break;
    Enqueue(at->first, at->second, now);
  }
}

void DisruptionController::Finish(const ActionFinished& finished, const Turn& turn) {
  const auto write = writes_.find(finished.id);
  if (write == writes_.end()) return;
  const Key key = write->second;
  writes_.erase(write);
  const auto at = budgets_.find(key);
  if (at == budgets_.end() || at->second.write != finished.id) return;
  at->second.write = 0;
  if (!finished.status) {
    queue_.Retry(key, turn.now);
  } else {
    queue_.Forget(key);
    if (at->second.is_stale) Enqueue(key, at->second, turn.now);
  }
}

void DisruptionController::Record(Budget& budget, EventType type, std::string_view reason,
                                  std::string message, const Turn& turn) {
  std::string text = std::string(reason) + " " + message;
  if (budget.told == text) return;
  budget.told = std::move(text);
  turn.Do(RecordEvent{budget.object, type, std::string(reason), std::move(message)});
}

const DisruptionController::Scaled* DisruptionController::FindScale(std::string_view uid) const {
  const auto at = scaled_.find(uid);
  return at == scaled_.end() ? nullptr : &at->second;
}

/// Returns the sum of the replicas of all controllers of the pods, each counted once.
Result<std::int64_t> DisruptionController::CountScales(const Budget& budget,
                                                       bool& has_unmanaged) const {
  std::map<std::string_view, std::int64_t> scales;
  for (const auto& [name, pod] : budget.pods) {
    const api::OwnerReference* const owner = ControllerOf(pod->metadata());
    if (owner == nullptr) {
      has_unmanaged = true;
      continue;
    }
    if (scales.contains(owner->uid)) continue;
    const Scaled* scale = FindScale(owner->uid);
    if (scale == nullptr) {
      const bool is_known_kind = owner->kind == "ReplicaSet" || owner->kind == "StatefulSet" ||
                                 owner->kind == "ReplicationController";
      if (is_known_kind) {
        return Fail(Reason::NotFound, "found no controllers for pod \"" + name + "\"");
      }
      return Fail(Reason::NotFound,
                  KindOfScale(*owner) + " does not implement the scale subresource");
    }
    std::string_view uid = owner->uid;
    if (!scale->controller_uid.empty()) {
      // A Deployment's replicas count once for all its ReplicaSets.
      const Scaled* const deployment = FindScale(scale->controller_uid);
      if (deployment != nullptr) {
        scales.emplace(uid, 0);
        uid = scale->controller_uid;
        scale = deployment;
      }
    }
    scales.emplace(uid, scale->replicas);
  }
  std::int64_t total = 0;
  for (const auto& [uid, replicas] : scales) total += replicas;
  return total;
}

Result<DisruptionController::Expected> DisruptionController::Expect(const Budget& budget) const {
  const codec::Value& tree = budget.object->tree();
  const codec::Value* const unavailable = FindAt(tree, {"spec", "maxUnavailable"});
  const codec::Value* const available = FindAt(tree, {"spec", "minAvailable"});
  Expected expected;
  if (unavailable != nullptr && !unavailable->is_null()) {
    expected.pods = PL_TRY(CountScales(budget, expected.has_unmanaged));
    const std::int64_t most =
        ScaledAt(tree, {"spec", "maxUnavailable"}, expected.pods, Rounding::Up, 0);
    expected.healthy = std::max<std::int64_t>(0, expected.pods - most);
  } else if (available != nullptr && available->is_int()) {
    expected.pods = static_cast<std::int64_t>(budget.pods.size());
    expected.healthy = available->AsInt();
  } else if (available != nullptr && available->is_string()) {
    expected.pods = PL_TRY(CountScales(budget, expected.has_unmanaged));
    expected.healthy = ScaledAt(tree, {"spec", "minAvailable"}, expected.pods, Rounding::Up, 0);
  }
  return expected;
}

/// Returns the pods whose eviction was granted and that are not yet terminating.
DisruptionController::Disrupted DisruptionController::FindDisrupted(const Budget& budget,
                                                                    const Turn& turn) {
  Disrupted disrupted;
  const codec::Value* const stored = FindAt(budget.object->tree(), {"status", "disruptedPods"});
  if (stored == nullptr) return disrupted;
  for (const codec::Member& member : stored->members()) {
    const auto pod = budget.pods.find(member.key);
    if (pod == budget.pods.end()) continue;
    if (!pod->second->metadata().deletion_timestamp.empty() || !member.value.is_string()) continue;
    const Result<Instant> since = ParseTime(member.value.text());
    if (!since) continue;
    const Instant due = SaturatingAdd(*since, kDeletionTimeout);
    if (due <= turn.now) {
      const std::string space(budget.object->metadata().namespace_);
      turn.Do(RecordEvent{pod->second, EventType::Warning, "NotDeleted",
                          "Pod was expected by PDB " + space + "/" +
                              std::string(budget.object->metadata().name) +
                              " to be deleted but it wasn't"});
      continue;
    }
    disrupted.pods.emplace(member.key, member.value.text());
    if (!disrupted.recheck || due < *disrupted.recheck) disrupted.recheck = due;
  }
  return disrupted;
}

void DisruptionController::Sync(const Key& key, Budget& budget, const Turn& turn) {
  if (budget.write != 0) {
    budget.is_stale = true;
    return;
  }
  budget.is_stale = false;
  if (budget.pods.empty()) {
    Record(budget, EventType::Normal, "NoPods", "No matching pods found", turn);
  }
  const Result<Expected> expected = Expect(budget);
  if (!expected) {
    const std::string& message = expected.error().message;
    Record(budget, EventType::Warning, "CalculateExpectedPodCountFailed",
           "Failed to calculate the number of expected pods: " + message, turn);
    WriteFailure(key, budget, message, turn);
    queue_.Retry(key, turn.now);
    return;
  }
  if (expected->has_unmanaged) {
    Record(budget, EventType::Warning, "UnmanagedPods",
           "Pods selected by this PodDisruptionBudget (selector: " +
               api::FormatLabelSelector(&*budget.object->As<api::PodDisruptionBudget>()->selector) +
               ") were found to be unmanaged" + std::string(kUnmanaged),
           turn);
  } else if (!budget.pods.empty()) {
    budget.told.clear();
  }
  const Disrupted disrupted = FindDisrupted(budget, turn);
  WriteStatus(key, budget, *expected, disrupted, turn);
  if (disrupted.recheck) queue_.AddAt(key, *disrupted.recheck);
}

void DisruptionController::WriteStatus(const Key& key, Budget& budget, const Expected& expected,
                                       const Disrupted& disrupted, const Turn& turn) {
  std::int64_t healthy = 0;
  for (const auto& [name, pod] : budget.pods) {
    if (!pod->metadata().deletion_timestamp.empty() || disrupted.pods.contains(name)) continue;
    healthy += ReadPod(pod).is_ready ? 1 : 0;
  }
  // A budget without pods allows no disruption: its first pods are safe until they are counted.
  const std::int64_t allowed =
      expected.pods <= 0 ? 0 : std::max<std::int64_t>(0, healthy - expected.healthy);
  const std::int64_t generation = budget.object->metadata().generation.value_or(0);
  StatusChange change(*budget.object);
  change.Int("disruptionsAllowed", allowed)
      .Int("currentHealthy", healthy)
      .Int("desiredHealthy", expected.healthy)
      .Int("expectedPods", expected.pods)
      .Count("observedGeneration", generation);
  const codec::Value* const stored = FindAt(budget.object->tree(), {"status", "disruptedPods"});
  if (stored != nullptr && stored->members().size() != disrupted.pods.size()) {
    JsonText kept;
    for (const codec::Member& member : stored->members()) {
      if (!disrupted.pods.contains(member.key)) kept.Raw(member.key, "null");
    }
    change.Raw("disruptedPods", disrupted.pods.empty() ? "null" : kept.Done());
  }
  WorkloadConditions conditions(*budget.object);
  WorkloadCondition condition = AllowedCondition(
      conditions, allowed > 0 ? "True" : "False",
      allowed > 0 ? "SufficientPods" : "InsufficientPods", "", generation, turn.now);
  if (!Same(conditions.Find("DisruptionAllowed"), condition)) {
    conditions.Set(std::move(condition));
    change.Raw("conditions", conditions.Json());
  }
  if (!change.empty()) Patch(key, budget, change.Patch(), turn);
}

/// Allows no disruption, because the pods cannot be counted.
void DisruptionController::WriteFailure(const Key& key, Budget& budget, const std::string& message,
                                        const Turn& turn) {
  StatusChange change(*budget.object);
  change.Int("disruptionsAllowed", 0);
  WorkloadConditions conditions(*budget.object);
  WorkloadCondition condition =
      AllowedCondition(conditions, "False", "SyncFailed", message,
                       IntAt(budget.object->tree(), {"status", "observedGeneration"}), turn.now);
  if (!Same(conditions.Find("DisruptionAllowed"), condition)) {
    conditions.Set(std::move(condition));
    change.Raw("conditions", conditions.Json());
  }
  if (!change.empty()) Patch(key, budget, change.Patch(), turn);
}

void DisruptionController::Patch(const Key& key, Budget& budget, std::string patch,
                                 const Turn& turn) {
  budget.write = next_id_++;
  writes_[budget.write] = key;
  turn.Do(PatchObject{.id = budget.write,
                      .object = budget.object,
                      .subresource = "status",
                      .body = std::move(patch)});
}

}  // namespace plimsoll::controller
