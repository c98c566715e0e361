#include "cli/preview/node_impact.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/core/pod_condition.h"
#include "api/policy/pod_disruption_budget.h"
#include "api/selector/selector.h"
#include "cli/explain/cluster_reader.h"
#include "cli/explain/toleration_margin.h"
#include "controller/threshold_metrics/line_survey.h"
#include "match/toleration.h"

namespace plimsoll::cli {
namespace {

std::vector<ObjectPtr> PodsOfNodes(const std::vector<ObjectPtr>& objects,
                                   std::span<const NodeChange> changes) {
  std::set<std::string_view> names;
  for (const NodeChange& change : changes) names.insert(change.before->metadata().name);
  std::vector<ObjectPtr> pods;
  for (const ObjectPtr& object : objects) {
    const auto* const pod = object->As<api::Pod>();
    if (pod != nullptr && names.contains(pod->spec.node_name)) pods.push_back(object);
  }
  return pods;
}

using ByKey = std::map<std::string, Departure>;

ByKey ToMap(const std::vector<Departure>& departures) {
  ByKey map;
  for (const Departure& one : departures) map.emplace(PodKey(*one.pod), one);
  return map;
}

/// Returns the taints that are new or have another value.
std::vector<api::Taint> NewTaints(const NodeChange& change) {
  const auto& old_taints = change.before->As<api::Node>()->spec.taints;
  std::vector<api::Taint> fresh;
  for (const api::Taint& taint : change.after->As<api::Node>()->spec.taints) {
    const bool is_old = std::ranges::any_of(old_taints, [&](const api::Taint& old) {
      return old.key == taint.key && old.value == taint.value && old.effect == taint.effect;
    });
    if (!is_old) fresh.push_back(taint);
  }
  return fresh;
}

/// Returns why the pod stays: the tolerations of the new NoExecute taints, or of all of them.
std::string WhyItStays(const api::Pod& pod, const NodeChange& change, const match::Rules& rules) {
  std::vector<api::Taint> taints = NewTaints(change);
  std::erase_if(taints, [](const api::Taint& taint) { return !match::Evicts(taint); });
  if (taints.empty()) {
    for (const api::Taint& taint : change.after->As<api::Node>()->spec.taints) {
      if (match::Evicts(taint)) taints.push_back(taint);
    }
  }
  if (taints.empty()) return "the node has no NoExecute taint";
  std::string why;
  for (const api::Taint& taint : taints) {
    const auto tolerance = FindTolerance(taint, pod.spec.tolerations, rules);
    if (!tolerance) continue;
    if (!why.empty()) why += "; ";
    why += "tolerates " + api::ToText(taint) + " by " + tolerance->text;
    if (!tolerance->margin.empty()) why += " (margin " + tolerance->margin + ")";
  }
  return why.empty() ? "its annotations cannot be read" : why;
}

std::vector<StayingPods> FindStaying(const PreviewCluster& cluster,
                                     std::span<const NodeChange> changes,
                                     const std::vector<ObjectPtr>& pods, const ByKey& going) {
  std::map<std::string_view, const NodeChange*> by_node;
  for (const NodeChange& change : changes) by_node[change.before->metadata().name] = &change;
  std::map<std::pair<std::string, std::string>, StayingPods> groups;
  for (const ObjectPtr& object : pods) {
    const bool is_terminating = !object->metadata().deletion_timestamp.empty();
    if (is_terminating || going.contains(PodKey(*object))) continue;
    const api::Pod& pod = *object->As<api::Pod>();
    const std::string why = WhyItStays(pod, *by_node.at(pod.spec.node_name), cluster.rules);
    StayingPods& group = groups[{FullWorkload(*object), why}];
    group.workload = FullWorkload(*object);
    group.why = why;
    group.pods.push_back(object);
  }
  std::vector<StayingPods> staying;
  for (auto& [key, group] : groups) staying.push_back(std::move(group));
  return staying;
}

bool IsReady(const api::Object& pod) {
  const auto ready = api::FindCondition(pod, "Ready");
  return ready && ready->status == "True";
}

}  // namespace

std::string FullWorkload(const api::Object& pod) {
  return std::string(pod.metadata().namespace_) + "/" + controller::WorkloadOf(pod);
}

TaintForecast ForecastTaints(const PreviewCluster& cluster, std::span<const NodeChange> changes) {
  const std::vector<ObjectPtr> pods = PodsOfNodes(cluster.objects, changes);
  const auto run = [&](bool with_change) {
    EvictionForecast forecast(cluster.gates, cluster.rules, cluster.now);
    // The controller knows the nodes as they are: countdowns that run are not moved by the change.
    for (const NodeChange& change : changes) forecast.Observe(nullptr, change.before);
    for (const ObjectPtr& pod : pods) forecast.Observe(nullptr, pod);
    forecast.Sync();
    for (const NodeChange& change : changes) {
      if (with_change && change.after != change.before) {
        forecast.Observe(change.before, change.after);
      }
    }
    return forecast.Run();
  };
  return {run(false), run(true)};
}

std::vector<BudgetImpact> ImpactOnBudgets(std::span<const Departure> going,
                                          std::span<const ObjectPtr> objects) {
  std::vector<BudgetImpact> impacts;
  for (const ObjectPtr& object : objects) {
    const auto* const budget = object->As<api::PodDisruptionBudget>();
    if (budget == nullptr || !budget->selector) continue;
    const auto selector = api::Selector::FromObject(&*budget->selector);
    if (!selector) continue;
    BudgetImpact impact{FullName(*object), 0, budget->disruptions_allowed};
    for (const Departure& one : going) {
      const api::ObjectMeta& pod = one.pod->metadata();
      if (pod.namespace_ == budget->metadata.namespace_ && selector->Matches(pod.labels) &&
          std::ranges::find(budget->disrupted_pods, pod.name) == budget->disrupted_pods.end() &&
          IsReady(*one.pod)) {
        ++impact.going;
      }
    }
    if (impact.going > 0) impacts.push_back(std::move(impact));
  }
  std::ranges::sort(impacts, {}, &BudgetImpact::name);
  return impacts;
}

Result<NodeImpact> ImpactOfNodes(const PreviewCluster& cluster, std::span<const NodeChange> changes,
                                 const std::vector<std::string>& taint_keys) {
  NodeImpact impact;
  impact.now = cluster.now;
  for (const NodeChange& change : changes) {
    impact.nodes.emplace_back(change.before->metadata().name);
  }
  const TaintForecast forecast = ForecastTaints(cluster, changes);
  const ByKey before = ToMap(forecast.before);
  const ByKey after = ToMap(forecast.after);
  for (const Departure& one : forecast.after) {
    const auto known = before.find(PodKey(*one.pod));
    const bool is_same = known != before.end() && known->second.at == one.at;
    (is_same ? impact.unchanged : impact.going).push_back(one);
  }
  for (const Departure& one : forecast.before) {
    if (!after.contains(PodKey(*one.pod))) impact.cancelled.push_back(one);
  }
  impact.staying = FindStaying(cluster, changes, PodsOfNodes(cluster.objects, changes), after);
  impact.budgets = ImpactOnBudgets(impact.going, cluster.objects);
  const PolicyContext policies{cluster.policies, cluster.objects, taint_keys, cluster.now};
  impact.policies = ForecastPolicies(impact.going, policies);
  impact.policies_with_budgets = PoliciesRespectingBudgets(policies);
  std::map<std::string_view, const ObjectPtr*> changed;
  for (const NodeChange& change : changes) changed[change.after->metadata().name] = &change.after;
  std::vector<ObjectPtr> objects = cluster.objects;
  for (ObjectPtr& object : objects) {
    const auto found = changed.find(object->metadata().name);
    if (object->As<api::Node>() != nullptr && found != changed.end()) object = *found->second;
  }
  std::vector<ObjectPtr> leaving;
  for (const Departure& one : impact.going) leaving.push_back(one.pod);
  impact.room = PL_TRY(FindRoom(leaving, objects, cluster.scheduler, cluster.now));
  return impact;
}

}  // namespace plimsoll::cli
