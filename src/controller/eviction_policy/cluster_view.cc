#include "controller/eviction_policy/cluster_view.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/core/pod_condition.h"
#include "api/policy/pod_disruption_budget.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kZoneLabel = "topology.kubernetes.io/zone";

/// Returns true if the pod runs or will run.
bool IsLive(const api::Object& pod) {
  const std::string_view phase = pod.As<api::Pod>()->status.phase;
  return pod.metadata().deletion_timestamp.empty() && phase != "Succeeded" && phase != "Failed";
}

bool IsReady(const api::Object& pod) {
  const auto ready = api::FindCondition(pod, "Ready");
  return ready && ready->status == "True";
}

std::string_view OwnerOf(const api::Object& pod) {
  for (const api::OwnerReference& owner : pod.metadata().owner_references) {
    if (owner.controller.value_or(false)) return owner.uid;
  }
  return {};
}

/// Returns the number of pods that the owner wants.
std::int64_t ReplicasOf(const api::Object& owner) {
  if (owner.kind().kind == "DaemonSet") {
    return IntAt(owner.tree(), {"status", "desiredNumberScheduled"});
  }
  return IntAt(owner.tree(), {"spec", "replicas"}, 1);
}

}  // namespace

std::string_view ClusterView::Pod::node() const { return object->As<api::Pod>()->spec.node_name; }

void ClusterView::StartTracking() {
  if (std::exchange(is_tracking_, true)) return;
  for (auto& [uid, pod] : pods_) Track(*pod);
}

void ClusterView::OnPodChange(const ObjectPtr& before, const ObjectPtr& after) {
  const bool is_same =
      before != nullptr && after != nullptr && before->metadata().uid == after->metadata().uid;
  if (before != nullptr && (!is_same || !IsLive(*after))) {
    const auto old = pods_.find(before->metadata().uid);
    if (old != pods_.end()) {
      const std::unique_ptr<Pod> pod = std::move(old->second);
      pods_.erase(old);
      if (is_tracking_) {
        Untrack(*pod);
        if (pod->workload != nullptr) ForgetPodOf(*pod);
      }
    }
  }
  if (after == nullptr || !IsLive(*after)) return;
  if (const auto known = pods_.find(after->metadata().uid); known != pods_.end()) {
    Pod& pod = *known->second;
    if (is_tracking_) Untrack(pod);
    pod.object = after;
    if (is_tracking_) Track(pod);
    return;
  }
  auto pod = std::make_unique<Pod>();
  pod->object = after;
  pod->uid = after->metadata().uid;
  if (is_tracking_) {
    Track(*pod);
    if (pod->workload != nullptr && pod->workload->gone > 0) --pod->workload->gone;
  }
  const std::string_view uid = pod->uid;
  pods_.emplace(uid, std::move(pod));
}

void ClusterView::Track(Pod& pod) {
  pod.owner = OwnerOf(*pod.object);
  pod.is_ready = IsReady(*pod.object);
  pod.workload = pod.owner.empty() ? nullptr : &workloads_[pod.owner];
  if (pod.workload != nullptr) {
    ++pod.workload->live;
    if (pod.is_ready && !pod.is_reserved) ++pod.workload->available;
  }
  Namespace& space = spaces_[std::string(pod.namespace_())];
  space.pods.insert(pod.uid);
  ++space.version;
}

void ClusterView::Untrack(Pod& pod) {
  if (pod.workload != nullptr) {
    --pod.workload->live;
    if (pod.is_ready && !pod.is_reserved) --pod.workload->available;
  }
  const auto space = spaces_.find(pod.namespace_());
  if (space == spaces_.end()) return;
  space->second.pods.erase(pod.uid);
  ++space->second.version;
  if (space->second.pods.empty() && space->second.budgets.empty()) spaces_.erase(space);
}

/// Updates the workload of a pod that is gone.
void ClusterView::ForgetPodOf(const Pod& pod) {
  if (pod.is_reserved) ++pod.workload->gone;
  if (pod.workload->live == 0) workloads_.erase(workloads_.find(pod.owner));
}

void ClusterView::OnBudgetChange(const ObjectPtr& before, const ObjectPtr& after) {
  const api::ObjectMeta& metadata = (after != nullptr ? after : before)->metadata();
  Namespace& space = spaces_[std::string(metadata.namespace_)];
  if (after == nullptr) {
    space.budgets.erase(std::string(metadata.name));
    if (space.pods.empty() && space.budgets.empty()) {
      spaces_.erase(std::string(metadata.namespace_));
    }
    return;
  }
  Budget& budget = space.budgets[std::string(metadata.name)];
  const auto& view = *after->As<api::PodDisruptionBudget>();
  auto selector = api::Selector::FromObject(view.selector ? &*view.selector : nullptr);
  budget = {.object = after,
            .selector = selector ? *std::move(selector) : api::Selector::Nothing()};
}

void ClusterView::OnOwnerChange(const ObjectPtr& before, const ObjectPtr& after) {
  if (after != nullptr) {
    replicas_[std::string(after->metadata().uid)] = ReplicasOf(*after);
    return;
  }
  replicas_.erase(std::string(before->metadata().uid));
}

bool ClusterView::OnLabelledChange(const ObjectPtr& before, const ObjectPtr& after) {
  const api::Object& any = after != nullptr ? *after : *before;
  Labels& objects = any.As<api::Node>() != nullptr ? nodes_ : namespaces_;
  const bool is_same = before != nullptr && after != nullptr &&
                       std::ranges::equal(before->metadata().labels, after->metadata().labels);
  if (after != nullptr) {
    objects[std::string(any.metadata().name)] = after;
  } else {
    objects.erase(std::string(any.metadata().name));
  }
  return !is_same;
}

ClusterView::Pod* ClusterView::FindPod(std::string_view uid) {
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : found->second.get();
}

void ClusterView::Reserve(std::string_view uid) {
  Pod* const pod = FindPod(uid);
  if (pod == nullptr || std::exchange(pod->is_reserved, true) || !pod->is_ready) return;
  if (pod->workload != nullptr) --pod->workload->available;
  Namespace& space = spaces_[std::string(pod->namespace_())];
  for (auto& [name, budget] : space.budgets) {
    const bool is_counted = budget.counted == space.version;
    if (is_counted && budget.selector.Matches(pod->object->metadata().labels)) --budget.healthy;
  }
}

void ClusterView::Release(std::string_view uid) {
  Pod* const pod = FindPod(uid);
  if (pod == nullptr || !std::exchange(pod->is_reserved, false) || !pod->is_ready) return;
  if (pod->workload != nullptr) ++pod->workload->available;
  ++spaces_[std::string(pod->namespace_())].version;
}

api::StringMap ClusterView::LabelsIn(const Labels& objects, std::string_view name) {
  const auto found = objects.find(name);
  return found == objects.end() ? api::StringMap() : found->second->metadata().labels;
}

bool ClusterView::Selects(const PolicyTerms& terms, const api::Object& pod) const {
  if (!terms.pods.Matches(pod.metadata().labels)) return false;
  if (!terms.namespaces.empty() &&
      !terms.namespaces.Matches(LabelsIn(namespaces_, pod.metadata().namespace_))) {
    return false;
  }
  return terms.nodes.empty() ||
         terms.nodes.Matches(LabelsIn(nodes_, pod.As<api::Pod>()->spec.node_name));
}

std::string ClusterView::ScopeOf(BreakerScope per, const api::Object& pod) const {
  switch (per) {
    case BreakerScope::Namespace:
      return std::string(pod.metadata().namespace_);
    case BreakerScope::Zone: {
      const api::StringMap labels = LabelsIn(nodes_, pod.As<api::Pod>()->spec.node_name);
      return std::string(labels.Find(kZoneLabel).value_or(std::string_view()));
    }
    case BreakerScope::Cluster:
      break;
  }
  return {};
}

std::map<std::string, std::int64_t> ClusterView::CountSelected(const PolicyTerms& terms,
                                                               BreakerScope per) const {
  std::map<std::string, std::int64_t> counts;
  for (const auto& [uid, pod] : pods_) {
    if (pod->node().empty() || !Selects(terms, *pod->object)) continue;
    ++counts[ScopeOf(per, *pod->object)];
  }
  return counts;
}

bool ClusterView::CanMiss(const Pod& pod, const Amount& max_unavailable) const {
  // A pod that is not ready is missed already.
  if (pod.workload == nullptr || !pod.is_ready) return true;
  const auto replicas = replicas_.find(pod.owner);
  const std::int64_t expected =
      replicas != replicas_.end() ? replicas->second : pod.workload->live + pod.workload->gone;
  const std::int64_t missing = expected - pod.workload->available + (pod.is_reserved ? 0 : 1);
  return missing <= max_unavailable.Of(expected);
}

bool ClusterView::BudgetsAllow(const Pod& pod) {
  const auto space = spaces_.find(pod.namespace_());
  if (space == spaces_.end()) return true;
  return std::ranges::all_of(space->second.budgets, [&](auto& entry) {
    return !entry.second.selector.Matches(pod.object->metadata().labels) ||
           BudgetAllows(space->second, entry.second, pod);
  });
}

/// Same rules as the subresource pods/eviction, and a count of our own: the status of the budget
/// lags behind the evictions that were released since.
bool ClusterView::BudgetAllows(Namespace& space, Budget& budget, const Pod& pod) {
  const codec::Value& tree = budget.object->tree();
  const std::int64_t observed = IntAt(tree, {"status", "observedGeneration"});
  if (observed < budget.object->metadata().generation.value_or(0)) return false;
  const std::int64_t desired = IntAt(tree, {"status", "desiredHealthy"});
  if (!pod.is_ready) {
    if (TextAt(tree, {"spec", "unhealthyPodEvictionPolicy"}) == "AlwaysAllow") return true;
    if (IntAt(tree, {"status", "currentHealthy"}) >= desired && desired > 0) return true;
  }
  const auto& view = *budget.object->As<api::PodDisruptionBudget>();
  if (view.disruptions_allowed <= 0) return false;
  CountHealthy(space, budget);
  return budget.healthy - (pod.is_ready && !pod.is_reserved ? 1 : 0) >= desired;
}

void ClusterView::CountHealthy(Namespace& space, Budget& budget) {
  if (budget.counted == space.version) return;
  budget.counted = space.version;
  budget.healthy = 0;
  const auto& view = *budget.object->As<api::PodDisruptionBudget>();
  for (const std::string& uid : space.pods) {
    const Pod& pod = *pods_.find(uid)->second;
    const api::ObjectMeta& metadata = pod.object->metadata();
    if (!pod.is_ready || pod.is_reserved || !budget.selector.Matches(metadata.labels)) continue;
    if (std::ranges::find(view.disrupted_pods, metadata.name) != view.disrupted_pods.end()) {
      continue;
    }
    ++budget.healthy;
  }
}

}  // namespace plimsoll::controller
