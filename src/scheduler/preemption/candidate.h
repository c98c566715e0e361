#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/time.h"
#include "scheduler/framework/framework.h"
#include "scheduler/preemption/budgets.h"

namespace plimsoll::scheduler {

/// A node that could take the pod if the victims left, and the criteria for ranking it.
struct Candidate {
  NodeSlot node = kNoNode;
  std::vector<PodId> victims;  // most important first; at least one
  std::int64_t budget_violations = 0;
  std::int32_t highest_priority = 0;
  std::int64_t priority_sum = 0;  // of priorities shifted above 0, so that more victims weigh more
  Instant earliest_start;         // among the victims of highest priority
};

/// Result of a preemption dry run on one node: a candidate, or the reason why there is none.
struct DryRun {
  std::optional<Candidate> candidate;
  Verdict rejected;
};

/// Returns true if pod `a` is more important than `b`: by priority, then by earlier start. A pod
/// that has not started counts as the latest.
bool IsMoreImportant(const ClusterState& cluster, PodId a, PodId b);

/// Removes all pods of lower priority from a copy of the node, and adds back as many as can stay.
/// Pods whose eviction violates a budget come first, then the most important.
DryRun TryPreempting(Framework& framework, const Attempt& attempt, const DisruptionBudgets& budgets,
                     NodeSlot node);

/// Returns the index of the best candidate. It has the fewest violated budgets; then the lowest
/// priority of its most important victim, smallest sum of priorities, fewest victims, latest start,
/// lowest index. REQUIRES: `candidates` is not empty.
std::size_t ChooseCandidate(std::span<const Candidate* const> candidates);

}  // namespace plimsoll::scheduler
