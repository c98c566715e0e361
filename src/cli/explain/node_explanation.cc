#include "cli/explain/node_explanation.h"

#include <algorithm>

#include "api/core/pod_phase.h"
#include "cli/explain/cluster_reader.h"
#include "cli/explain/placement.h"
#include "cli/explain/resource_text.h"

namespace plimsoll::cli {
namespace {

/// Maximum number of groups of pods that the node judges.
constexpr std::size_t kGroupsMax = 2000;

NodeResource ResourceOf(std::string name, std::int64_t allocatable, std::int64_t requested) {
  NodeResource resource;
  resource.allocatable = AmountText(name, allocatable);
  resource.requested = AmountText(name, requested);
  resource.free = AmountText(name, allocatable - requested);
  resource.name = std::move(name);
  return resource;
}

std::vector<NodeResource> ResourcesOf(const scheduler::ClusterState& cluster,
                                      const scheduler::NodeRow& row) {
  const scheduler::Resources& has = row.allocatable.resources;
  const scheduler::Resources& taken = row.requested;
  std::vector<NodeResource> resources = {
      ResourceOf("cpu", has.milli_cpu, taken.milli_cpu),
      ResourceOf("memory", has.memory, taken.memory),
  };
  if (has.ephemeral_storage != 0 || taken.ephemeral_storage != 0) {
    resources.push_back(
        ResourceOf("ephemeral-storage", has.ephemeral_storage, taken.ephemeral_storage));
  }
  for (const scheduler::ScalarAmount& one : has.scalars) {
    resources.push_back(
        ResourceOf(std::string(cluster.resource_name(one.id)), one.amount, taken.scalar(one.id)));
  }
  return resources;
}

void AddRefusal(const NodeVerdicts& verdicts, const std::vector<std::string>& pods,
                NodeAnswer& answer) {
  std::string plugin;
  std::string reason = "the pods exclude this node";
  if (!verdicts.refusals.empty()) {
    plugin = verdicts.refusals.front().plugin;
    reason = verdicts.refusals.front().Message();
  }
  const auto same = std::ranges::find_if(answer.refused, [&](const RefusedPods& one) {
    return one.plugin == plugin && one.reason == reason;
  });
  RefusedPods& to = same != answer.refused.end()
                        ? *same
                        : answer.refused.emplace_back(RefusedPods{plugin, reason, {}});
  to.pods.insert(to.pods.end(), pods.begin(), pods.end());
}

/// Asks the node about one pod of each group.
Status JudgeGroups(std::string_view node, const std::vector<PodGroup>& groups,
                   ClusterSnapshot& cluster, std::size_t& budget, std::size_t& unjudged,
                   NodeAnswer& answer) {
  for (const PodGroup& group : groups) {
    if (budget == 0) {
      unjudged += group.pods.size();
      continue;
    }
    --budget;
    PL_TRY(cluster.AddPendingPod(*group.pods.front()));
    const NodeVerdicts verdicts = std::move(JudgeNodes(cluster, node).front());
    cluster.RestorePod();
    const std::vector<std::string> names = FullNames(group.pods);
    if (verdicts.accepts()) {
      answer.accepted.insert(answer.accepted.end(), names.begin(), names.end());
    } else {
      AddRefusal(verdicts, names, answer);
    }
  }
  std::ranges::sort(answer.accepted);
  std::ranges::stable_sort(answer.refused, std::ranges::greater(),
                           [](const RefusedPods& one) { return one.pods.size(); });
  return {};
}

}  // namespace

Result<NodeExplanation> ExplainNode(const ObjectPtr& node, const std::vector<ObjectPtr>& objects,
                                    ClusterSnapshot& cluster, const api::FeatureGates& gates,
                                    Instant now) {
  const std::string_view name = node->metadata().name;
  const scheduler::NodeRow& row = cluster.cluster().row(*cluster.cluster().FindNode(name));
  NodeExplanation out;
  out.node = node;
  out.is_unschedulable = row.unschedulable;
  out.resources = ResourcesOf(cluster.cluster(), row);
  out.pods_max = static_cast<std::size_t>(std::max<std::int64_t>(0, row.allocatable.pods));
  std::vector<ObjectPtr> all;
  std::vector<ObjectPtr> waiting;
  std::vector<ObjectPtr> elsewhere;
  for (const ObjectPtr& object : objects) {
    const auto* const pod = object->As<api::Pod>();
    if (pod == nullptr || IsPodTerminal(*pod)) continue;
    all.push_back(object);
    if (pod->spec.node_name == name) {
      out.pods.push_back({FullName(*object), std::string(pod->status.phase),
                          !pod->metadata.deletion_timestamp.empty(),
                          FindEviction(object, node, gates, cluster.cluster().rules(), now)});
    } else {
      (pod->spec.node_name.empty() ? waiting : elsewhere).push_back(object);
    }
  }
  std::ranges::sort(out.pods, {}, &PodOnNode::name);
  const std::vector<PodGroup> groups = GroupPods(cluster, all);
  for (const api::Taint& taint : node->As<api::Node>()->spec.taints) {
    out.taints.push_back({&taint, FindTolerances(taint, groups, cluster.cluster().rules())});
  }
  std::size_t budget = kGroupsMax;
  PL_TRY(
      JudgeGroups(name, GroupPods(cluster, waiting), cluster, budget, out.unjudged, out.waiting));
  PL_TRY(JudgeGroups(name, GroupPods(cluster, elsewhere), cluster, budget, out.unjudged,
                     out.elsewhere));
  return out;
}

}  // namespace plimsoll::cli
