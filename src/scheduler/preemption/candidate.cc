#include "scheduler/preemption/candidate.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace plimsoll::scheduler {
namespace {

Instant StartOf(const PodRecord& pod) { return pod.start_time.value_or(Instant::max()); }

/// A copy of a node's row, with plugin states that match it.
class WhatIf {
 public:
  WhatIf(Framework& framework, const Attempt& attempt, NodeSlot slot)
      : framework_(framework),
        attempt_(attempt),
        slot_(slot),
        row_(framework.cluster().row(slot)),
        states_(Framework::CloneStates(attempt)) {}

  void Add(PodId pod) {
    row_.AddPod(pod, *framework_.cluster().pod(pod).pod_class);
    framework_.AddPod(attempt_, states_, pod, {slot_, row_});
  }
  void Remove(PodId pod) {
    row_.RemovePod(pod, *framework_.cluster().pod(pod).pod_class);
    framework_.RemovePod(attempt_, states_, pod, {slot_, row_});
  }
  Verdict Judge() { return framework_.Judge(attempt_, states_, {slot_, row_}); }
  /// Adds the pod back if the preemptor still fits.
  bool Reprieve(PodId pod) {
    Add(pod);
    if (Judge().ok()) return true;
    Remove(pod);
    return false;
  }

 private:
  Framework& framework_;
  const Attempt& attempt_;
  NodeSlot slot_;
  NodeRow row_;
  std::vector<std::shared_ptr<PluginState>> states_;
};

void Weigh(const ClusterState& cluster, Candidate& candidate) {
  candidate.highest_priority = cluster.pod(candidate.victims.front()).pod_class->priority;
  candidate.earliest_start = Instant::max();
  for (const PodId id : candidate.victims) {
    const PodRecord& pod = cluster.pod(id);
    const std::int32_t priority = pod.pod_class->priority;
    candidate.priority_sum +=
        std::int64_t{priority} + std::numeric_limits<std::int32_t>::max() + std::int64_t{1};
    if (priority == candidate.highest_priority) {
      candidate.earliest_start = std::min(candidate.earliest_start, StartOf(pod));
    }
  }
}

}  // namespace

bool IsMoreImportant(const ClusterState& cluster, PodId a, PodId b) {
  const PodRecord& first = cluster.pod(a);
  const PodRecord& second = cluster.pod(b);
  if (first.pod_class->priority != second.pod_class->priority) {
    return first.pod_class->priority > second.pod_class->priority;
  }
  return StartOf(first) < StartOf(second);
}

DryRun TryPreempting(Framework& framework, const Attempt& attempt, const DisruptionBudgets& budgets,
                     NodeSlot node) {
  const ClusterState& cluster = framework.cluster();
  const auto is_more_important = [&](PodId a, PodId b) { return IsMoreImportant(cluster, a, b); };
  std::vector<PodId> lower;
  for (const PodId id : cluster.row(node).pods) {
    if (cluster.pod(id).pod_class->priority < attempt.pod.pod_class.priority) lower.push_back(id);
  }
  if (lower.empty()) {
    return {std::nullopt, Verdict::Of(Code::UnschedulableAndUnresolvable,
                                      "No preemption victims found for incoming pod")};
  }
  WhatIf what_if(framework, attempt, node);
  for (const PodId id : lower) what_if.Remove(id);
  if (Verdict verdict = what_if.Judge(); !verdict.ok()) return {std::nullopt, std::move(verdict)};

  std::ranges::stable_sort(lower, is_more_important);
  const std::vector<std::uint8_t> violates = budgets.FindViolations(cluster, lower);
  Candidate candidate{.node = node};
  for (const bool is_protected : {true, false}) {
    for (std::size_t i = 0; i < lower.size(); ++i) {
      if ((violates[i] != 0) != is_protected || what_if.Reprieve(lower[i])) continue;
      candidate.victims.push_back(lower[i]);
      if (is_protected) ++candidate.budget_violations;
    }
  }
  if (candidate.victims.empty()) {
    // All pods can stay, so they were not the reason for the refusal.
    return {std::nullopt,
            Verdict::Of(Code::Error, "expected at least one victim pod on node \"" +
                                         std::string(cluster.node_name(node)) + "\"")};
  }
  std::ranges::stable_sort(candidate.victims, is_more_important);
  Weigh(cluster, candidate);
  return {std::move(candidate), {}};
}

std::size_t ChooseCandidate(std::span<const Candidate* const> candidates) {
  const auto cost = [](const Candidate& one) {
    return std::tuple(one.budget_violations, one.highest_priority, one.priority_sum,
                      one.victims.size());
  };
  const auto is_better = [&](const Candidate* a, const Candidate* b) {
    if (cost(*a) != cost(*b)) return cost(*a) < cost(*b);
    return a->earliest_start > b->earliest_start;
  };
  const auto best = std::ranges::min_element(candidates, is_better);
  return static_cast<std::size_t>(best - candidates.begin());
}

}  // namespace plimsoll::scheduler
