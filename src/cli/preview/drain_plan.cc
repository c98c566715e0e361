#include "cli/preview/drain_plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "api/core/pod.h"
#include "cli/preview/node_change.h"
#include "codec/document.h"
#include "controller/workload/owned_pods.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kMirrorAnnotation = "kubernetes.io/config.mirror";

bool IsMirror(const api::Object& pod) {
  const codec::Value* const metadata = pod.tree().Find("metadata");
  const codec::Value* const annotations =
      metadata == nullptr ? nullptr : metadata->Find("annotations");
  return annotations != nullptr && annotations->Find(kMirrorAnnotation) != nullptr;
}

bool HasEmptyDir(const api::Object& pod) {
  const codec::Value* const spec = pod.tree().Find("spec");
  const codec::Value* const volumes = spec == nullptr ? nullptr : spec->Find("volumes");
  if (volumes == nullptr || !volumes->is_array()) return false;
  return std::ranges::any_of(volumes->items(), [](const codec::Value& volume) {
    return volume.Find("emptyDir") != nullptr;
  });
}

}  // namespace

DrainPlan PlanDrain(const std::vector<ObjectPtr>& objects, const std::vector<ObjectPtr>& nodes) {
  std::set<std::string_view> names;
  for (const ObjectPtr& node : nodes) names.insert(node->metadata().name);
  DrainPlan plan;
  std::map<std::pair<std::string, std::string>, StayingPods> skipped;
  for (const ObjectPtr& object : objects) {
    const auto* const pod = object->As<api::Pod>();
    if (pod == nullptr || !names.contains(pod->spec.node_name)) continue;
    if (!object->metadata().deletion_timestamp.empty()) continue;
    const api::OwnerReference* const owner = controller::ControllerOf(object->metadata());
    std::string why;
    if (IsMirror(*object)) {
      why = "a mirror pod, which the kubelet creates again";
    } else if (owner != nullptr && owner->kind == "DaemonSet") {
      why = "a pod of a DaemonSet, which ignores unschedulable";
    }
    if (!why.empty()) {
      StayingPods& group = skipped[{FullWorkload(*object), why}];
      group.workload = FullWorkload(*object);
      group.why = why;
      group.pods.push_back(object);
      continue;
    }
    plan.evicted.push_back(object);
    if (owner == nullptr) plan.unmanaged.push_back(object);
    if (HasEmptyDir(*object)) plan.with_empty_dir.push_back(object);
  }
  std::ranges::sort(plan.evicted, {}, [](const ObjectPtr& pod) {
    return std::pair(pod->metadata().namespace_, pod->metadata().name);
  });
  for (auto& [key, group] : skipped) plan.skipped.push_back(std::move(group));
  return plan;
}

Result<NodeImpact> ImpactOfDrain(const PreviewCluster& cluster, const std::vector<ObjectPtr>& nodes,
                                 const DrainPlan& plan) {
  NodeImpact impact;
  impact.now = cluster.now;
  std::vector<ObjectPtr> objects = cluster.objects;
  for (const ObjectPtr& node : nodes) impact.nodes.emplace_back(node->metadata().name);
  const std::set<ObjectPtr> drained(nodes.begin(), nodes.end());
  for (ObjectPtr& object : objects) {
    if (drained.contains(object)) object = PL_TRY(WithUnschedulable(object, true));
  }
  for (const ObjectPtr& pod : plan.evicted) {
    impact.going.push_back({pod, cluster.now, "evicted by the drain"});
  }
  impact.staying = plan.skipped;
  impact.budgets = ImpactOnBudgets(impact.going, cluster.objects);
  impact.room = PL_TRY(FindRoom(plan.evicted, objects, cluster.scheduler, cluster.now));
  return impact;
}

}  // namespace plimsoll::cli
