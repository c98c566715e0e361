#include "controller/daemon_set/daemon_set.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/assert.h"
#include "base/time_arithmetic.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

/// CEL cost limits: of one daemon set for one changed node, and of one Sync. A daemon set that
/// exceeds them is continued in a later Sync.
constexpr std::uint64_t kNodeBudget = 100'000;
constexpr std::uint64_t kSyncBudget = 10'000'000;

constexpr std::string_view kHashLabel = "controller-revision-hash";

}  // namespace

DaemonSetController::DaemonSetController(const match::Rules& rules)
    : WorkloadController({.kind = api::FindKind("apps", "v1", "DaemonSet"),
                          .queue_name = "daemonset",
                          .pause_per_pod = std::chrono::microseconds(20)}),
      rules_(rules),
      revision_kind_(api::FindKind("apps", "v1", "ControllerRevision")) {
  PL_ASSERT(revision_kind_ != nullptr);
}

std::span<const WatchedKind> DaemonSetController::watched() const {
  static constexpr std::array kWatched = {
      WatchedKind{"apps", "v1", "DaemonSet"}, WatchedKind{"apps", "v1", "ControllerRevision"},
      WatchedKind{"", "v1", "Pod"}, WatchedKind{"", "v1", "Node"}};
  return kWatched;
}

void DaemonSetController::OnOtherChange(const ObjectChanged& change, Instant now) {
  const ObjectPtr& any = change.new_object ? change.new_object : change.old_object;
  if (any->As<api::Node>() != nullptr)
    return OnNodeChange(change.old_object, change.new_object, now);
  if (&any->kind() != revision_kind_) return;
  const auto [old_owner, new_owner] = history_.OnChange(change);
  for (const std::string& uid : {old_owner, new_owner}) {
    PodOwner* const owner = FindOwner(uid);
    if (owner == nullptr || owner->object == nullptr) continue;
    Daemon& daemon = daemons_[uid];
    if (daemon.revision.name == any->metadata().name) daemon.revision.name.clear();
    Enqueue(*owner, now);
  }
}

void DaemonSetController::OnNodeChange(const ObjectPtr& before, const ObjectPtr& after,
                                       Instant now) {
  const std::string name((after != nullptr ? after : before)->metadata().name);
  if (after == nullptr) {
    nodes_.erase(name);
  } else {
    nodes_[name] = after;
  }
  if (before != nullptr && after != nullptr &&
      before->metadata().labels == after->metadata().labels &&
      before->As<api::Node>()->spec.taints == after->As<api::Node>()->spec.taints) {
    return;
  }
  for (auto& [uid, daemon] : daemons_) {
    if (daemon.placement == nullptr) continue;
    if (after == nullptr) {
      daemon.answers.erase(name);
      daemon.failures.erase(name);
      daemon.unanswered.erase(name);
    } else {
      daemon.expressions->SetBudget(kNodeBudget);
      const DaemonAnswer answer = daemon.placement->Answer(*after->As<api::Node>());
      if (daemon.expressions->is_exhausted()) {
        daemon.unanswered.insert(name);
      } else {
        daemon.unanswered.erase(name);
        const auto [at, is_new] = daemon.answers.try_emplace(name, answer);
        if (!is_new && std::exchange(at->second, answer) == answer) continue;
      }
    }
    if (PodOwner* const owner = FindOwner(uid)) Enqueue(*owner, now);
  }
}

void DaemonSetController::OwnerChanged(PodOwner& owner, const ObjectPtr& before, Instant now) {
  owner.pods.Configure(SaturatingSeconds(IntAt(owner.tree(), {"spec", "minReadySeconds"})), {},
                       now);
  Daemon& daemon = daemons_[owner.uid];
  const auto generation = owner.metadata().generation;
  if (before != nullptr && daemon.placement != nullptr && generation &&
      daemon.generation == generation) {
    return;
  }
  daemon.generation = generation;
  daemon.failures.clear();
  daemon.expressions = std::make_unique<match::ExpressionMemo>(rules_.evaluator);
  match::Rules rules = rules_;
  if (rules.evaluator != nullptr) rules.evaluator = daemon.expressions.get();
  daemon.placement = std::make_unique<DaemonPlacement>(owner.object, rules);
  daemon.answers.clear();
  daemon.unanswered.clear();
  for (const auto& [name, node] : nodes_) {
    daemon.unanswered.emplace_hint(daemon.unanswered.end(), name);
  }
  AnswerNodes(daemon);
}

bool DaemonSetController::AnswerNodes(Daemon& daemon) {
  if (daemon.unanswered.empty()) return true;
  daemon.expressions->SetBudget(kSyncBudget);
  while (!daemon.unanswered.empty()) {
    const auto name = daemon.unanswered.begin();
    const auto node = nodes_.find(*name);
    if (node != nodes_.end()) {
      const DaemonAnswer answer = daemon.placement->Answer(*node->second->As<api::Node>());
      if (daemon.expressions->is_exhausted()) return false;
      daemon.answers.insert_or_assign(*name, answer);
    }
    daemon.unanswered.erase(name);
  }
  return true;
}

void DaemonSetController::OwnerGone(const PodOwner& owner) { daemons_.erase(owner.uid); }

void DaemonSetController::Sync(PodOwner& owner, const Turn& turn) {
  if (owner.selector.empty()) {
    Record(owner.object, EventType::Warning, "SelectingAll",
           "This daemon set is selecting all pods. A non-empty selector is required.", turn);
    return;
  }
  if (owner.is_terminating()) return;
  Daemon& daemon = daemons_[owner.uid];
  // Lets other daemon sets run before the rest of the nodes is evaluated.
  if (!AnswerNodes(daemon)) return EnqueueAt(owner, turn.now + std::chrono::milliseconds(1));
  const codec::Value* const pod_template = FindAt(owner.tree(), {"spec", "template"});
  if (pod_template == nullptr) return;
  const Revisions revisions = history_.Of(owner.uid, *pod_template);
  if (daemon.revision.is_pending()) return;
  if (NeedsRevision(revisions)) {
    turn.Do(WriteRevision(*owner.object, revisions, kHashLabel, Begin(owner), daemon.revision));
    return;
  }
  SyncState state{owner,
                  daemon,
                  std::string(revisions.current->metadata().labels.Find(kHashLabel).value_or("")),
                  {},
                  turn};
  for (const auto& [name, pod] : owner.pods.all()) {
    state.pods[TargetNode(pod.view())].push_back(&pod);
  }
  if (IsSettled(owner, turn.now)) {
    Manage(state);
    if (owner.expectations.is_empty()) {
      owner.failure.reset();
      owner.create_wait = {};
      RollingUpdate(state);
    }
    CleanUpHistory(state, revisions);
  }
  WriteStatus(state);
}

void DaemonSetController::WriteFinished(PodOwner& owner, ActionId id, const Status& status,
                                        const Turn& turn) {
  Daemon& daemon = daemons_[owner.uid];
  if (id != daemon.revision.write) {
    if (!status) RetryLater(owner, turn.now);
    return;
  }
  FinishRevision(owner, daemon.revision, history_, status, turn);
}

/// Deletes the oldest revisions beyond the limit that no pod uses any more.
void DaemonSetController::CleanUpHistory(const SyncState& state, const Revisions& revisions) {
  const std::int64_t limit = IntAt(state.owner.tree(), {"spec", "revisionHistoryLimit"}, 10);
  std::int64_t surplus = static_cast<std::int64_t>(revisions.old.size()) - limit;
  if (surplus <= 0) return;
  std::set<std::string_view> live;
  for (const auto& [name, pod] : state.owner.pods.all()) {
    if (const auto hash = pod.metadata().labels.Find(kHashLabel)) live.insert(*hash);
  }
  for (const ObjectPtr& revision : revisions.old) {
    if (surplus <= 0) break;
    const auto hash = revision->metadata().labels.Find(kHashLabel);
    if (hash && live.contains(*hash)) continue;
    state.turn.Do(DeleteObject{.id = Begin(state.owner), .object = revision});
    --surplus;
  }
}

void DaemonSetController::WriteStatus(const SyncState& state) {
  std::int64_t desired = 0;
  std::int64_t current = 0;
  std::int64_t misscheduled = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::int64_t updated = 0;
  for (const auto& [node, answer] : state.daemon.answers) {
    const auto pods = state.pods.find(node);
    const bool is_there = pods != state.pods.end();
    if (!answer.should_run) {
      misscheduled += is_there ? 1 : 0;
      continue;
    }
    ++desired;
    if (!is_there) continue;
    ++current;
    const OwnedPod& oldest = **std::ranges::min_element(
        pods->second, {}, [](const OwnedPod* pod) { return CreationTime(pod->metadata()); });
    if (!oldest.is_ready) {
      updated += IsUpdated(state, oldest) ? 1 : 0;
      continue;
    }
    ++ready;
    available += oldest.is_available(state.owner.pods.min_ready(), state.turn.now) ? 1 : 0;
    updated += IsUpdated(state, oldest) ? 1 : 0;
  }
  StatusChange change(*state.owner.object);
  change.Int("currentNumberScheduled", current)
      .Int("numberMisscheduled", misscheduled)
      .Int("desiredNumberScheduled", desired)
      .Int("numberReady", ready)
      .Count("observedGeneration", state.owner.metadata().generation.value_or(0))
      .Count("updatedNumberScheduled", updated)
      .Count("numberAvailable", available)
      .Count("numberUnavailable", desired - available);
  if (!change.empty()) PatchStatus(state.owner, change.Patch(), state.turn);
}

}  // namespace plimsoll::controller
