#include "scheduler/preemption/budgets.h"

#include <algorithm>

#include "api/policy/pod_disruption_budget.h"

namespace plimsoll::scheduler {

void DisruptionBudgets::Update(const ObjectTable& table) {
  if (version_ == table.version()) return;
  version_ = table.version();
  budgets_.clear();
  table.ForEach([&](const ObjectPtr& object) {
    const auto* const budget = object->As<api::PodDisruptionBudget>();
    if (budget == nullptr || !budget->selector) return;
    // An invalid selector protects no pods, and neither does an empty one.
    Result<api::Selector> selector = api::Selector::FromObject(&*budget->selector);
    if (!selector || selector->empty()) return;
    budgets_.push_back({.object = object,
                        .namespace_ = budget->metadata.namespace_,
                        .selector = *std::move(selector),
                        .allowed = budget->disruptions_allowed,
                        .disrupted = budget->disrupted_pods});
  });
}

std::vector<std::uint8_t> DisruptionBudgets::FindViolations(const ClusterState& cluster,
                                                            std::span<const PodId> pods) const {
  std::vector<std::uint8_t> violations(pods.size(), 0);
  if (budgets_.empty()) return violations;
  std::vector<std::int64_t> left;
  for (const Budget& budget : budgets_) left.push_back(budget.allowed);
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const api::ObjectMeta& pod = cluster.pod(pods[i]).pod->metadata;
    if (pod.labels.empty()) continue;
    for (std::size_t b = 0; b < budgets_.size(); ++b) {
      const Budget& budget = budgets_[b];
      if (budget.namespace_ != pod.namespace_ || !budget.selector.Matches(pod.labels)) continue;
      if (std::ranges::find(budget.disrupted, pod.name) != budget.disrupted.end()) continue;
      if (--left[b] < 0) violations[i] = 1;
    }
  }
  return violations;
}

}  // namespace plimsoll::scheduler
