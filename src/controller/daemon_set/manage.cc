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

bool DaemonSetController::IsUpdated(const Look& look, const OwnedPod& pod) {
  const auto generation = look.owner.metadata().annotations.Find(kGenerationAnnotation);
  if (generation && pod.metadata().labels.Find(kGenerationLabel) == *generation) return true;
  return !look.hash.empty() && pod.metadata().labels.Find(kHashLabel) == look.hash;
}

std::int64_t DaemonSetController::CountWanted(const Daemon& daemon) {
  return std::ranges::count_if(daemon.answers,
                               [](const auto& entry) { return entry.second.should_run; });
}

/// Deletes and creates pods, at most kDaemonBurst of each.
void DaemonSetController::Apply(Look& look, std::vector<const OwnedPod*> to_delete,
                                std::vector<std::string_view> needing) {
  to_delete.resize(std::min(to_delete.size(), kDaemonBurst));
  needing.resize(std::min(needing.size(), kDaemonBurst));
  DeletePods(look.owner, to_delete, look.turn);
  if (needing.empty()) return;
  PodAdditions additions{.name_prefix = PodNamePrefix(look.owner.metadata().name)};
  if (const auto generation = look.owner.metadata().annotations.Find(kGenerationAnnotation)) {
    additions.labels.emplace_back(kGenerationLabel, *generation);
  }
  additions.labels.emplace_back(kHashLabel, look.hash);
  std::vector<std::string> pods;
  for (const std::string_view node : needing) {
    additions.spec_json = look.daemon.placement->SpecJson(node);
    pods.push_back(PodFromTemplate(*FindAt(look.owner.tree(), {"spec", "template"}),
                                   *look.owner.object, additions));
  }
  CreatePods(look.owner, std::move(pods), look.turn);
}

void DaemonSetController::Manage(Look& look) {
  std::vector<const OwnedPod*> to_delete;
  std::vector<std::string_view> needing;
  for (const auto& [node, answer] : look.daemon.answers) {
    bool needs_pod = false;
    ManageNode(look, node, answer, to_delete, needs_pod);
    if (needs_pod) needing.push_back(node);
  }
  // Pods that were never bound and whose target node is deleted.
  for (const auto& [node, pods] : look.pods) {
    if (look.daemon.answers.contains(node)) continue;
    for (const OwnedPod* const pod : pods) {
      if (pod->view().spec.node_name.empty() && !pod->is_terminating) to_delete.push_back(pod);
    }
  }
  Apply(look, std::move(to_delete), std::move(needing));
}

void DaemonSetController::ManageNode(Look& look, std::string_view node, const DaemonAnswer& answer,
                                     std::vector<const OwnedPod*>& to_delete, bool& needs_pod) {
  const auto found = look.pods.find(node);
  if (found == look.pods.end()) {
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
    } else if (TakeFailed(look, node, *pod)) {
      to_delete.push_back(pod);
    }
  }
  if (running.size() <= 1) return;
  SortByAge(running);
  const bool allows_surge =
      ScaledAt(look.owner.tree(), {"spec", "updateStrategy", "rollingUpdate", "maxSurge"},
               CountWanted(look.daemon), Rounding::Up, 0) > 0;
  if (!allows_surge) {
    to_delete.insert(to_delete.end(), running.begin() + 1, running.end());
    return;
  }
  const OwnedPod* newest = nullptr;  // oldest pod of the new revision
  const OwnedPod* oldest = nullptr;  // oldest pod of other revisions
  for (const OwnedPod* const pod : running) {
    const OwnedPod*& place = IsUpdated(look, *pod) ? newest : oldest;
    if (place == nullptr) {
      place = pod;
    } else {
      to_delete.push_back(pod);
    }
  }
  if (newest == nullptr || oldest == nullptr) return;
  if (!oldest->is_ready || newest->is_available(look.owner.pods.min_ready(), look.turn.now)) {
    to_delete.push_back(oldest);
  }
}

/// Returns true if a finished pod must be deleted now. Repeated failures on a node are subject to
/// exponential back-off.
bool DaemonSetController::TakeFailed(Look& look, std::string_view node, const OwnedPod& pod) {
  const std::string where = std::string(pod.metadata().namespace_) + "/" +
                            std::string(pod.metadata().name) + " on node " + std::string(node);
  if (pod.phase == PodPhase::Succeeded) {
    Tell(look.owner.object, EventType::Normal, "SucceededDaemonPod",
         "Found succeeded daemon pod " + where + ", will try to delete it", look.turn);
    return true;
  }
  FailureWait& failure = state.daemon.failures[std::string(node)];
  const bool is_forgotten = state.turn.now - failure.since > 2 * kDaemonFailureWaitMax;
  if (failure.wait != Duration::zero() && !is_forgotten) {
    const Instant due = failure.since + failure.wait;
    if (look.turn.now < due) {
      EnqueueAt(look.owner, due);
      return false;
    }
    failure.wait = std::min(failure.wait * 2, kDaemonFailureWaitMax);
  } else {
    failure.wait = kFailureWaitMin;
  }
  failure.since = look.turn.now;
  Tell(look.owner.object, EventType::Warning, "FailedDaemonPod",
       "Found failed daemon pod " + where + ", will try to kill it", look.turn);
  return true;
}

void DaemonSetController::RollingUpdate(Look& look) {
  const codec::Value& tree = look.owner.tree();
  if (TextAt(tree, {"spec", "updateStrategy", "type"}) == "OnDelete") return;
  const std::int64_t wanted = CountWanted(look.daemon);
  std::int64_t unavailable = ScaledAt(
      tree, {"spec", "updateStrategy", "rollingUpdate", "maxUnavailable"}, wanted, Rounding::Up, 1);
  const std::int64_t surge = ScaledAt(tree, {"spec", "updateStrategy", "rollingUpdate", "maxSurge"},
                                      wanted, Rounding::Up, 0);
  if (wanted > 0 && unavailable == 0 && surge == 0) unavailable = 1;
  if (surge == 0) {
    ReplaceWithinUnavailable(look, unavailable);
  } else {
    ReplaceWithSurge(look, surge);
  }
}

/// Returns the updated and the outdated pod, or nothing if there are two of either.
std::optional<std::pair<const OwnedPod*, const OwnedPod*>> DaemonSetController::NewAndOld(
    const Look& look, const std::vector<const OwnedPod*>& pods) {
  std::pair<const OwnedPod*, const OwnedPod*> found{nullptr, nullptr};
  for (const OwnedPod* const pod : pods) {
    if (pod->is_terminating) continue;
    const OwnedPod*& place = IsUpdated(look, *pod) ? found.first : found.second;
    if (place != nullptr) return std::nullopt;
    place = pod;
  }
  return found;
}

void DaemonSetController::ReplaceWithinUnavailable(Look& look, std::int64_t max_unavailable) {
  const Duration min_ready = look.owner.pods.min_ready();
  std::int64_t unavailable = 0;
  std::vector<const OwnedPod*> to_delete;
  std::vector<const OwnedPod*> candidates;
  for (const auto& [node, pods] : look.pods) {
    const auto found = NewAndOld(look, pods);
    if (!found || (found->first == nullptr) == (found->second == nullptr)) {
      ++unavailable;  // both or neither: Manage must first correct this node
    } else if (found->first != nullptr) {
      unavailable += found->first->is_available(min_ready, look.turn.now) ? 0 : 1;
    } else if (!found->second->is_available(min_ready, look.turn.now)) {
      ++unavailable;
      to_delete.push_back(found->second);  // it is unavailable, so deleting it costs nothing
    } else {
      candidates.push_back(found->second);
    }
  }
  const std::int64_t room = std::clamp<std::int64_t>(max_unavailable - unavailable, 0,
                                                     static_cast<std::int64_t>(candidates.size()));
  to_delete.insert(to_delete.end(), candidates.begin(), candidates.begin() + room);
  Apply(look, std::move(to_delete), {});
}

void DaemonSetController::ReplaceWithSurge(Look& look, std::int64_t max_surge) {
  const Duration min_ready = look.owner.pods.min_ready();
  std::int64_t surge = 0;
  std::vector<const OwnedPod*> to_delete;
  std::vector<std::string_view> needing;
  std::vector<std::string_view> candidates;
  for (const auto& [node, pods] : look.pods) {
    const auto found = NewAndOld(look, pods);
    if (!found) {
      ++surge;
    } else if (found->second == nullptr) {
      continue;
    } else if (found->first == nullptr) {
      const auto answer = look.daemon.answers.find(node);
      if (answer == look.daemon.answers.end() || !answer->second.should_run) continue;
      const bool is_available = found->second->is_available(min_ready, look.turn.now);
      (is_available ? candidates : needing).push_back(node);
    } else if (!found->first->is_available(min_ready, look.turn.now)) {
      ++surge;
    } else {
      to_delete.push_back(found->second);
    }
  }
  const std::int64_t room =
      std::clamp<std::int64_t>(max_surge - surge, 0, static_cast<std::int64_t>(candidates.size()));
  needing.insert(needing.end(), candidates.begin(), candidates.begin() + room);
  Apply(look, std::move(to_delete), std::move(needing));
}

}  // namespace plimsoll::controller
