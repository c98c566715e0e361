#include "controller/pod_gc/pod_gc.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/core/pod_condition.h"
#include "api/core/pod_phase.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kOutOfService = "node.kubernetes.io/out-of-service";

/// Counts a pod without a phase too, unlike IsPodTerminal.
bool IsPodTerminated(const api::Object& pod) {
  const std::string_view phase = pod.As<api::Pod>()->status.phase;
  return phase != "Pending" && phase != "Running" && phase != "Unknown";
}
bool IsTerminating(const api::Object& pod) { return !pod.metadata().deletion_timestamp.empty(); }
bool WasEvicted(const api::Object& pod) {
  return pod.As<api::Pod>()->status.phase == "Failed" &&
         TextAt(pod.tree(), {"status", "reason"}) == "Evicted";
}
bool IsReady(const api::Object& node) {
  const auto ready = api::FindCondition(node, "Ready");
  return ready && ready->status == "True";
}
bool IsOutOfService(const api::Object& node) {
  const std::vector<api::Taint>& taints = node.As<api::Node>()->spec.taints;
  return std::ranges::find(taints, kOutOfService, &api::Taint::key) != taints.end();
}

/// Returns a strategic merge patch of the status. The uid excludes another pod of the same name.
std::string FailedPatch(const api::Object& pod, std::string_view condition_message, Instant now) {
  JsonText status;
  status.Text("phase", "Failed");
  if (!condition_message.empty()) {
    JsonText condition;
    condition.Text("type", "DisruptionTarget")
        .Text("status", "True")
        .Text("reason", "DeletionByPodGC")
        .Text("message", condition_message);
    const auto known = api::FindCondition(pod, "DisruptionTarget");
    if (!known || known->status != "True") {
      condition.Text("lastTransitionTime", FormatTime(now));
    }
    if (const auto generation = pod.metadata().generation) {
      condition.Int("observedGeneration", *generation);
    }
    status.Raw("conditions", "[" + condition.Done() + "]");
  }
  return JsonText()
      .Raw("metadata", JsonText().Text("uid", pod.metadata().uid).Done())
      .Raw("status", status.Done())
      .Done();
}

}  // namespace

PodGc::PodGc(MetricsRegistry& metrics, std::size_t terminated_max)
    : terminated_max_(terminated_max),
      deletions_(metrics.AddCounters(
          {.name = "pod_gc_collector_force_delete_pods_total",
           .help = "Number of pods that are being forcefully deleted since the Pod GC Controller "
                   "started.",
           .labels = {"namespace", "reason"}})),
      errors_(metrics.AddCounters(
          {.name = "pod_gc_collector_force_delete_pod_errors_total",
           .help = "Number of errors encountered when forcefully deleting the pods since the Pod "
                   "GC Controller started.",
           .labels = {"namespace", "reason"}})) {}

std::span<const WatchedKind> PodGc::watched() const {
  static constexpr std::array kWatched = {WatchedKind{"", "v1", "Node"},
                                          WatchedKind{"", "v1", "Pod"}};
  return kWatched;
}

void PodGc::Observe(const CoreInput& event, const Turn& turn) {
  if (const auto* const finished = std::get_if<ActionFinished>(&event)) {
    return Finish(*finished, turn);
  }
  if (std::holds_alternative<Synced>(event)) {
    is_synced_ = true;
    // Before the sync, a node may only have been unknown: the quarantine starts now.
    for (auto& [node, since] : missing_) since = turn.now;
    return Collect(turn);
  }
  const auto& [before, after] = std::get<ObjectChanged>(event);
  const api::Object& any = after != nullptr ? *after : *before;
  if (any.As<api::Pod>() != nullptr) {
    OnPodChange(before, after, turn.now);
  } else if (any.As<api::Node>() != nullptr) {
    OnNodeChange(before, after, turn.now);
  }
}

void PodGc::Wake(const Turn& turn) {
  if (is_synced_ && next_look_ <= turn.now) Collect(turn);
}

std::optional<Instant> PodGc::NextWake() const {
  return is_synced_ ? std::optional(next_look_) : std::nullopt;
}

void PodGc::OnNodeChange(const ObjectPtr& before, const ObjectPtr& after, Instant now) {
  const NodeId id = node_names_.Acquire((after != nullptr ? after : before)->metadata().name).id;
  if (id >= nodes_.size()) nodes_.resize(std::size_t{id} + 1);
  Node& node = nodes_[id];
  const bool was_there = node.object != nullptr;
  node.object = after;
  missing_.erase(id);
  if (after == nullptr && !node.pods.empty()) missing_[id] = now;
  // One reference is for the node itself; each of its pods holds another.
  if (was_there) ReleaseNode(id);
  if (after == nullptr) ReleaseNode(id);
}

void PodGc::ReleaseNode(NodeId id) {
  if (!node_names_.Release(id)) return;
  nodes_[id] = {};
  missing_.erase(id);
}

void PodGc::OnPodChange(const ObjectPtr& before, const ObjectPtr& after, Instant now) {
  if (before != nullptr && (after == nullptr || before->metadata().uid != after->metadata().uid)) {
    ForgetPod(before->metadata().uid);
  }
  if (after != nullptr) AddPod(after, now);
}

void PodGc::AddPod(const ObjectPtr& object, Instant now) {
  const auto [id, is_new] = pod_uids_.Acquire(object->metadata().uid);
  if (id >= pods_.size()) pods_.resize(std::size_t{id} + 1);
  if (!is_new) {
    pod_uids_.Release(id);
    Unfile(id);
  }
  Pod& pod = pods_[id];
  pod.object = object;
  File(id);
  const std::string_view node_name = object->As<api::Pod>()->spec.node_name;
  if (node_name.empty() || pod.node != Interner::kNone) return;
  pod.node = node_names_.Acquire(node_name).id;
  if (pod.node >= nodes_.size()) nodes_.resize(std::size_t{pod.node} + 1);
  Node& node = nodes_[pod.node];
  pod.place = static_cast<std::uint32_t>(node.pods.size());
  node.pods.push_back(id);
  if (node.object == nullptr) missing_.try_emplace(pod.node, now);
}

void PodGc::ForgetPod(std::string_view uid) {
  const PodId id = pod_uids_.Find(uid);
  if (id == Interner::kNone) return;
  Unfile(id);
  Pod& pod = pods_[id];
  if (pod.node != Interner::kNone) {
    std::vector<PodId>& pods = nodes_[pod.node].pods;
    pods[pod.place] = pods.back();
    pods_[pods[pod.place]].place = pod.place;
    pods.pop_back();
    ReleaseNode(pod.node);
  }
  writes_.erase(pod.write);
  pod = {};
  pod_uids_.Release(id);
}

PodGc::Rank PodGc::RankOf(PodId id) const {
  const api::Object& pod = *pods_[id].object;
  return {!WasEvicted(pod), std::string(pod.metadata().creation_timestamp),
          std::string(pod.metadata().name), id};
}

void PodGc::File(PodId id) {
  const api::Object& pod = *pods_[id].object;
  if (IsPodTerminated(pod)) terminated_.insert(RankOf(id));
  if (!IsTerminating(pod)) return;
  (pod.As<api::Pod>()->spec.node_name.empty() ? unscheduled_ : terminating_).insert(id);
}

void PodGc::Unfile(PodId id) {
  if (IsPodTerminated(*pods_[id].object)) terminated_.erase(RankOf(id));
  unscheduled_.erase(id);
  terminating_.erase(id);
}

void PodGc::Collect(const Turn& turn) {
  next_look_ = turn.now + kPeriod;
  if (terminated_max_ > 0) CollectTerminated(turn);
  CollectOutOfService(turn);
  CollectOrphaned(turn);
  for (const PodId id : unscheduled_) Remove(id, Cause::Unscheduled, turn);
}

void PodGc::CollectTerminated(const Turn& turn) {
  if (terminated_.size() <= terminated_max_) return;
  std::size_t left = terminated_.size() - terminated_max_;
  for (const Rank& rank : terminated_) {
    if (left-- == 0) break;
    Remove(std::get<PodId>(rank), Cause::Terminated, turn);
  }
}

void PodGc::CollectOutOfService(const Turn& turn) {
  std::set<Rank> found;
  for (const PodId id : terminating_) {
    const ObjectPtr& node = nodes_[pods_[id].node].object;
    if (node == nullptr || IsReady(*node) || !IsOutOfService(*node)) continue;
    found.insert(RankOf(id));
  }
  for (const Rank& rank : found) Remove(std::get<PodId>(rank), Cause::OutOfService, turn);
}

void PodGc::CollectOrphaned(const Turn& turn) {
  for (const auto& [node, since] : missing_) {
    if (since + kQuarantine > turn.now) continue;
    for (const PodId id : nodes_[node].pods) Remove(id, Cause::Orphaned, turn);
  }
}

/// Returns the cause as in upstream's metrics.
std::string_view PodGc::ToText(Cause cause) {
  constexpr std::array<std::string_view, 4> kTexts = {"terminated", "out-of-service", "orphaned",
                                                      "unscheduled"};
  return kTexts[static_cast<std::size_t>(cause)];
}

void PodGc::Remove(PodId id, Cause cause, const Turn& turn) {
  Pod& pod = pods_[id];
  if (pod.write != 0) return;
  pod.cause = cause;
  deletions_.With({pod.object->metadata().namespace_, ToText(cause)}).Add();
  if (IsPodTerminal(*pod.object->As<api::Pod>())) return Delete(id, turn);
  pod.is_failing = true;
  const std::string_view message =
      cause == Cause::Orphaned ? "PodGC: node no longer exists" : std::string_view();
  turn.Do(PatchObject{.id = Begin(id),
                      .object = pod.object,
                      .subresource = "status",
                      .body = FailedPatch(*pod.object, message, turn.now),
                      .form = PatchForm::StrategicMerge});
}

void PodGc::Delete(PodId id, const Turn& turn) {
  Pod& pod = pods_[id];
  pod.is_failing = false;
  turn.Do(DeleteObject{.id = Begin(id), .object = pod.object, .grace_period_seconds = 0});
}

ActionId PodGc::Begin(PodId id) {
  pods_[id].write = next_id_++;
  writes_[pods_[id].write] = id;
  return pods_[id].write;
}

void PodGc::Finish(const ActionFinished& event, const Turn& turn) {
  const auto at = writes_.find(event.id);
  if (at == writes_.end()) return;  // the pod was deleted
  const PodId id = at->second;
  writes_.erase(at);
  Pod& pod = pods_[id];
  pod.write = 0;
  if (event.status) {
    if (pod.is_failing) Delete(id, turn);
    return;
  }
  errors_.With({pod.object->metadata().namespace_, ToText(pod.cause)}).Add();
}

}  // namespace plimsoll::controller
