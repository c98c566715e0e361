#include <algorithm>
#include <tuple>
#include <utility>

#include "controller/daemon_set/daemon_set.h"
#include "controller/limits.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/tree.h"

// Creates and deletes daemon pods, and rolls out a new template.
namespace plimsoll::controller {
namespace {

constexpr std::string_view kHashLabel = "controller-revision-hash";
constexpr std::string_view kGenerationLabel = "pod-template-generation";
constexpr std::string_view kGenerationAnnotation = "deprecated.daemonset.template.generation";
constexpr Duration kFailureWaitMin = std::chrono::seconds(1);

/// Sorts bound pods before others, then by age, the oldest first.
void SortByAge(std::vector<const OwnedPod*>& pods) {
  std::ranges::sort(pods, {}, [](const OwnedPod* pod) {
    return std::tuple(pod->view().spec.node_name.empty(), CreationTime(pod->metadata()),
                      pod->metadata().name);
  });
}

}  // namespace

bool DaemonSetController::IsUpdated(const SyncState& state, const OwnedPod& pod) {
  const auto generation = state.owner.metadata().annotations.Find(kGenerationAnnotation);
  if (generation && pod.metadata().labels.Find(kGenerationLabel) == *generation) return true;
  return !state.hash.empty() && pod.metadata().labels.Find(kHashLabel) == state.hash;
}

std::int64_t DaemonSetController::CountWanted(const Daemon& daemon) {
  return std::ranges::count_if(daemon.answers,
                               [](const auto& entry) { return entry.second.should_run; });
}

/// Deletes and creates pods, at most kDaemonBurst of each.
void DaemonSetController::Apply(SyncState& state, std::vector<const OwnedPod*> to_delete,
                                std::vector<std::string_view> needing) {
  to_delete.resize(std::min(to_delete.size(), kDaemonBurst));
  needing.resize(std::min(needing.size(), kDaemonBurst));
  DeletePods(state.owner, to_delete, state.turn);
  if (needing.empty()) return;
  PodAdditions additions{.name_prefix = PodNamePrefix(state.owner.metadata().name)};
  if (const auto generation = state.owner.metadata().annotations.Find(kGenerationAnnotation)) {
    additions.labels.emplace_back(kGenerationLabel, *generation);
  }
  additions.labels.emplace_back(kHashLabel, state.hash);
  std::vector<std::string> pods;
  for (const std::string_view node : needing) {
    additions.spec_json = state.daemon.placement->SpecJson(node);
    pods.push_back(PodFromTemplate(*FindAt(state.owner.tree(), {"spec", "template"}),
                                   *state.owner.object, additions));
  }
  CreatePods(state.owner, std::move(pods), state.turn);
}

void DaemonSetController::Manage(SyncState& state) {
  std::vector<const OwnedPod*> to_delete;
  std::vector<std::string_view> needing;
  for (const auto& [node, answer] : state.daemon.answers) {
    bool needs_pod = false;
    ManageNode(state, node, answer, to_delete, needs_pod);
    if (needs_pod) needing.push_back(node);
  }
  // Pods that were never bound and whose target node is deleted.
  for (const auto& [node, pods] : state.pods) {
    if (state.daemon.answers.contains(node)) continue;
    for (const OwnedPod* const pod : pods) {
      if (pod->view().spec.node_name.empty() && !pod->is_terminating) to_delete.push_back(pod);
    }
  }
  Apply(state, std::move(to_delete), std::move(needing));
}

void DaemonSetController::ManageNode(SyncState& state, std::string_view node,
                                     const DaemonAnswer& answer,
                                     std::vector<const OwnedPod*>& to_delete, bool& needs_pod) {
  const auto found = state.pods.find(node);
  if (found == state.pods.end()) {
    needs_pod = answer.should_run;
    return;
  }
  if (!answer.may_continue) {
    for (const OwnedPod* const pod : found->second) {
      if (!pod->is_terminating) to_delete.push_back(pod);
    }
    return;
  }
  std::vector<const OwnedPod*> running;
  for (const OwnedPod* const pod : found->second) {
    if (pod->is_terminating) continue;
    if (!pod->is_finished()) {
      running.push_back(pod);
    } else if (MayDeleteFinished(state, node, *pod)) {
      to_delete.push_back(pod);
    }
  }
  if (running.size() <= 1) return;
  SortByAge(running);
  const bool allows_surge =
      ScaledAt(state.owner.tree(), {"spec", "updateStrategy", "rollingUpdate", "maxSurge"},
               CountWanted(state.daemon), Rounding::Up, 0) > 0;
  if (!allows_surge) {
    to_delete.insert(to_delete.end(), running.begin() + 1, running.end());
    return;
  }
  const OwnedPod* newest = nullptr;  // oldest pod of the new revision
  const OwnedPod* oldest = nullptr;  // oldest pod of other revisions
  for (const OwnedPod* const pod : running) {
    const OwnedPod*& place = IsUpdated(state, *pod) ? newest : oldest;
    if (place == nullptr) {
      place = pod;
    } else {
      to_delete.push_back(pod);
    }
  }
  if (newest == nullptr || oldest == nullptr) return;
  if (!oldest->is_ready || newest->is_available(state.owner.pods.min_ready(), state.turn.now)) {
    to_delete.push_back(oldest);
  }
}

/// Returns true if a finished pod must be deleted now. Repeated failures on a node are subject to
/// exponential back-off.
bool DaemonSetController::MayDeleteFinished(SyncState& state, std::string_view node,
                                            const OwnedPod& pod) {
  const std::string where = std::string(pod.metadata().namespace_) + "/" +
                            std::string(pod.metadata().name) + " on node " + std::string(node);
  if (pod.phase == PodPhase::Succeeded) {
    Record(state.owner.object, EventType::Normal, "SucceededDaemonPod",
           "Found succeeded daemon pod " + where + ", will try to delete it", state.turn);
    return true;
  }
  FailureWait& failure = state.daemon.failures[std::string(node)];
  const bool is_forgotten = state.turn.now - failure.since > 2 * kDaemonFailureWaitMax;
  if (failure.wait != Duration::zero() && !is_forgotten) {
    const Instant due = failure.since + failure.wait;
    if (state.turn.now < due) {
      EnqueueAt(state.owner, due);
      return false;
    }
    failure.wait = std::min(failure.wait * 2, kDaemonFailureWaitMax);
  } else {
    failure.wait = kFailureWaitMin;
  }
  failure.since = state.turn.now;
  Record(state.owner.object, EventType::Warning, "FailedDaemonPod",
         "Found failed daemon pod " + where + ", will try to kill it", state.turn);
  return true;
}

void DaemonSetController::RollingUpdate(SyncState& state) {
  const codec::Value& tree = state.owner.tree();
  if (TextAt(tree, {"spec", "updateStrategy", "type"}) == "OnDelete") return;
  const std::int64_t wanted = CountWanted(state.daemon);
  std::int64_t unavailable = ScaledAt(
      tree, {"spec", "updateStrategy", "rollingUpdate", "maxUnavailable"}, wanted, Rounding::Up, 1);
  const std::int64_t surge = ScaledAt(tree, {"spec", "updateStrategy", "rollingUpdate", "maxSurge"},
                                      wanted, Rounding::Up, 0);
  if (wanted > 0 && unavailable == 0 && surge == 0) unavailable = 1;
  if (surge == 0) {
    ReplaceWithinUnavailable(state, unavailable);
  } else {
    ReplaceWithSurge(state, surge);
  }
}

/// Returns the updated and the outdated pod, or nothing if there are two of either.
std::optional<std::pair<const OwnedPod*, const OwnedPod*>> DaemonSetController::NewAndOld(
    const SyncState& state, const std::vector<const OwnedPod*>& pods) {
  std::pair<const OwnedPod*, const OwnedPod*> found{nullptr, nullptr};
  for (const OwnedPod* const pod : pods) {
    if (pod->is_terminating) continue;
    const OwnedPod*& place = IsUpdated(state, *pod) ? found.first : found.second;
    if (place != nullptr) return std::nullopt;
    place = pod;
  }
  return found;
}

void DaemonSetController::ReplaceWithinUnavailable(SyncState& state, std::int64_t max_unavailable) {
  const Duration min_ready = state.owner.pods.min_ready();
  std::int64_t unavailable = 0;
  std::vector<const OwnedPod*> to_delete;
  std::vector<const OwnedPod*> candidates;
  for (const auto& [node, pods] : state.pods) {
    const auto found = NewAndOld(state, pods);
    if (!found || (found->first == nullptr) == (found->second == nullptr)) {
      ++unavailable;  // both or neither: Manage must first correct this node
    } else if (found->first != nullptr) {
      unavailable += found->first->is_available(min_ready, state.turn.now) ? 0 : 1;
    } else if (!found->second->is_available(min_ready, state.turn.now)) {
      ++unavailable;
      to_delete.push_back(found->second);  // it is unavailable, so deleting it costs nothing
    } else {
      candidates.push_back(found->second);
    }
  }
  const std::int64_t room = std::clamp<std::int64_t>(max_unavailable - unavailable, 0,
                                                     static_cast<std::int64_t>(candidates.size()));
  to_delete.insert(to_delete.end(), candidates.begin(), candidates.begin() + room);
  Apply(state, std::move(to_delete), {});
}

void DaemonSetController::ReplaceWithSurge(SyncState& state, std::int64_t max_surge) {
  const Duration min_ready = state.owner.pods.min_ready();
  std::int64_t surge = 0;
  std::vector<const OwnedPod*> to_delete;
  std::vector<std::string_view> needing;
  std::vector<std::string_view> candidates;
  for (const auto& [node, pods] : state.pods) {
    const auto found = NewAndOld(state, pods);
    if (!found) {
      ++surge;
    } else if (found->second == nullptr) {
      continue;
    } else if (found->first == nullptr) {
      const auto answer = state.daemon.answers.find(node);
      if (answer == state.daemon.answers.end() || !answer->second.should_run) continue;
      const bool is_available = found->second->is_available(min_ready, state.turn.now);
      (is_available ? candidates : needing).push_back(node);
    } else if (!found->first->is_available(min_ready, state.turn.now)) {
      ++surge;
    } else {
      to_delete.push_back(found->second);
    }
  }
  const std::int64_t room =
      std::clamp<std::int64_t>(max_surge - surge, 0, static_cast<std::int64_t>(candidates.size()));
  needing.insert(needing.end(), candidates.begin(), candidates.begin() + room);
  Apply(state, std::move(to_delete), std::move(needing));
}

}  // namespace plimsoll::controller
