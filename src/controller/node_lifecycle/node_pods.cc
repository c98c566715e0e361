// Sets pods on unready nodes to not ready, whatever their last status says.

#include <string>
#include <utility>

#include "controller/node_lifecycle/node_conditions.h"
#include "controller/node_lifecycle/node_lifecycle.h"

namespace plimsoll::controller {

void NodeLifecycle::OnPodChange(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn) {
  if (before != nullptr && (after == nullptr || before->metadata().uid != after->metadata().uid)) {
    ForgetPod(before->metadata().uid);
  }
  if (after == nullptr || after->As<api::Pod>()->spec.node_name.empty()) return;
  UpsertPod(after, turn);
}

void NodeLifecycle::UpsertPod(const ObjectPtr& object, const Turn& turn) {
  const PodId id = pod_uids_.Acquire(object->metadata().uid).id;
  if (id >= pods_.size()) pods_.resize(std::size_t{id} + 1);
  Pod& pod = pods_[id];
  const ObjectPtr known = std::exchange(pod.object, object);
  if (known != nullptr) {
    pod_uids_.Release(id);
    const std::string_view node_name = object->As<api::Pod>()->spec.node_name;
    if (known->As<api::Pod>()->spec.node_name == node_name) return;
    UnbindPod(pod);
  }
  pod.node = AcquireNode(object->As<api::Pod>()->spec.node_name);
  std::vector<PodId>& pods = nodes_[pod.node].pods;
  pod.place = static_cast<std::uint32_t>(pods.size());
  pods.push_back(id);
  if (is_synced_) MarkNotReady(id, turn);
}

void NodeLifecycle::UnbindPod(Pod& pod) {
  std::vector<PodId>& pods = nodes_[pod.node].pods;
  pods[pod.place] = pods.back();
  pods_[pods[pod.place]].place = pod.place;
  pods.pop_back();
  ReleaseNode(std::exchange(pod.node, Interner::kNone));
}

void NodeLifecycle::ForgetPod(std::string_view uid) {
  const PodId id = pod_uids_.Find(uid);
  if (id == Interner::kNone) return;
  Pod& pod = pods_[id];
  UnbindPod(pod);
  writes_.erase(std::exchange(pod.write, 0));
  pod_retries_.Erase(id);
  pod.object.reset();
  pod_uids_.Release(id);
}

/// Sets the pod's Ready to False if its node is not ready.
void NodeLifecycle::MarkNotReady(PodId id, const Turn& turn) {
  Pod& pod = pods_[id];
  const Node& node = nodes_[pod.node];
  if (pod.write != 0 || node.object == nullptr) return;
  const Readiness ready = ReadinessOf(*node.object);
  // A lapsed node's Ready condition may not be updated yet.
  if (!node.is_lapsed && (ready == Readiness::True || ready == Readiness::Missing)) return;
  std::string patch = NotReadyPatch(*pod.object, turn.now);
  if (patch.empty()) return;
  pod.write = next_id_++;
  writes_[pod.write] = {.is_pod = true, .id = id};
  turn.Do(PatchObject{.id = pod.write,
                      .object = pod.object,
                      .subresource = "status",
                      .body = std::move(patch),
                      .form = PatchForm::StrategicMerge});
}

void NodeLifecycle::FinishPod(PodId id, const Status& status, const Turn& turn) {
  Pod& pod = pods_[id];
  pod.write = 0;
  if (status) {
    pod_retries_.Forget(id);
    turn.Do(RecordEvent{.regarding = pod.object,
                        .type = EventType::Warning,
                        .reason = "NodeNotReady",
                        .message = "Node is not ready"});
  } else if (status.error().reason != Reason::NotFound) {
    pod_retries_.Retry(id, turn.now);
  }
}

}  // namespace plimsoll::controller
