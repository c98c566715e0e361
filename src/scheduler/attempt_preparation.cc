#include "scheduler/attempt_preparation.h"

#include <algorithm>

#include "match/index/match_index.h"
#include "scheduler/limits.h"

namespace plimsoll::scheduler {

void AttemptPreparation::StartWake() {
  wake_began_ = stopwatch_.Now();
  is_wake_spent_ = false;
  contended_cost_ = 0;
  contended_work_ = 0;
}

bool AttemptPreparation::Prepare(Framework& framework, const PodUnderTest& pod) {
  if (pod.pod_class.has_expressions && !PrepareExpressions(pod)) return false;
  const bool counts_pods =
      pod.pod_class.has_pod_affinity || !pod.pod_class.view->topology_spread_constraints.empty();
  return !counts_pods || PrepareCounts(framework, pod);
}

bool AttemptPreparation::PrepareCounts(Framework& framework, const PodUnderTest& pod) {
  const bool others_wait = queue_.HasOthers();
  const Duration began = stopwatch_.Now();
  WorkBudget budget{
      .left = others_wait
                  ? kContendedPrepareWorkMax - std::min(kContendedPrepareWorkMax, contended_work_)
                  : kPrepareWorkMax,
      .is_late = [this, began] { return stopwatch_.Now() - began >= kPrepareDurationMax; },
  };
  const std::uint64_t work_before = budget.left;
  const bool is_prepared = framework.Prepare(pod, budget);
  if (others_wait) {
    contended_work_ += work_before - budget.left;
  } else {
    LimitWake(is_prepared);
  }
  return is_prepared;
}

bool AttemptPreparation::PrepareExpressions(const PodUnderTest& pod) {
  const bool others_wait = queue_.HasOthers();
  const Duration began = stopwatch_.Now();
  match::EvaluationBudget budget;
  budget.cost = others_wait ? kContendedExpressionCostMax -
                                  std::min(kContendedExpressionCostMax, contended_cost_)
                            : expression_budget_;
  budget.is_late = [this, began] { return stopwatch_.Now() - began >= kPrepareDurationMax; };
  match::MatchIndex& index = cluster_.index();
  const match::ProgramHandle tolerations =
      index.Compile(pod.pod_class.view->node_constraints, match::ProgramParts::Tolerations);
  const std::uint64_t cost_before = index.expression_cost();
  const bool is_prepared = index.Prepare(tolerations, budget);
  if (others_wait) {
    contended_cost_ += index.expression_cost() - cost_before;
  } else {
    LimitWake(is_prepared);
  }
  return is_prepared;
}

void AttemptPreparation::LimitWake(bool is_prepared) {
  is_wake_spent_ = !is_prepared || stopwatch_.Now() - wake_began_ >= kPrepareDurationMax;
}

}  // namespace plimsoll::scheduler
