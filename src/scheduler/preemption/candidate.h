#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/time.h"
#include "scheduler/framework/framework.h"
#include "scheduler/preemption/budgets.h"

namespace plimsoll::scheduler {

/// A node that could take the pod if these left, and what speaks for and against it.
struct Candidate {
  NodeSlot node = kNoNode;
  std::vector<PodId> victims;  // the most important first; at least one
  std::int64_t budget_violations = 0;
  std::int32_t highest_priority = 0;
  std::int64_t priority_sum = 0;  // of priorities made positive, so that more victims weigh more
  Instant earliest_start;         // among the victims of the highest priority
};

/// What asking about one node gave: a candidate, or why it is none.
struct DryRun {
  std::optional<Candidate> candidate;
  Verdict rejected;
};

/// Whether pod `a` is more important than `b`: by priority, then by having run for longer. A pod
/// that has not started counts as starting now.
bool IsMoreImportant(const ClusterState& cluster, PodId a, PodId b);

/// Takes all pods of lower priority off a copy of the node, and puts back as many as can stay, the
/// protected ones first, the most important of them first.
DryRun TryPreempting(Framework& framework, const Attempt& attempt, const DisruptionBudgets& budgets,
                     NodeSlot node);

/// The index of the best: fewest violated budgets, then the least important of most important
/// victims, then the smallest sum of priorities, then the fewest victims, then the latest start,
/// then the first. There must be some.
std::size_t ChooseCandidate(std::span<const Candidate* const> candidates);

}  // namespace plimsoll::scheduler
