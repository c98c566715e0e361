#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/selector/selector.h"
#include "base/result.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/args.h"
#include "scheduler/plugins/class_cache.h"
#include "scheduler/plugins/default_selector.h"
#include "scheduler/plugins/pod_tally.h"
#include "scheduler/plugins/topology_column.h"

namespace plimsoll::scheduler {

/// A topology spread constraint with the pod counts that it needs.
struct SpreadRule {
  std::int64_t max_skew = 0;
  std::int64_t min_domains = 1;
  api::Selector selector;
  bool matches_self = false;  // the selector matches the pod's own labels
  bool honors_taints = false;
  bool is_per_node = false;  // the key is kubernetes.io/hostname
  std::shared_ptr<PodTally> tally;

  const TopologyColumn& column() const { return tally->column(); }
};

/// Constraints of one kind (DoNotSchedule or ScheduleAnyway) of a class of pods.
struct SpreadPlan {
  std::vector<SpreadRule> rules;
  bool wants_all_labels = true;  // nodes that lack one of the keys are ignored
  std::string error;             // set if a selector is invalid; then there are no rules

  void CatchUp() const {
    for (const SpreadRule& rule : rules) rule.tally->CatchUp();
  }
};

enum class SpreadAction : std::uint8_t { DoNotSchedule, ScheduleAnyway };
std::string_view ToText(SpreadAction action);

/// Creates plans and caches them per class. Uses the pod's own constraints, or else the profile's
/// with the selector of the pod's services and controller.
class SpreadPlans {
 public:
  SpreadPlans(ClusterState& cluster, const PodTopologySpreadArgs& args);

  /// Never returns null. A stock API server accepts pods with more than kSpreadConstraintsMax
  /// constraints; such a pod gets no rules. Each constraint counts pods on nodes with the
  /// labels of all constraints, so the work would grow quadratically. The filter refuses such a
  /// pod.
  std::shared_ptr<const SpreadPlan> Get(const PodClass& pod_class, SpreadAction action);

  /// Counts the pods for the class's own constraints, within the budget. Returns false if some are
  /// not counted yet. Finished counts are kept, and the next call continues from there.
  bool Prepare(const PodClass& pod_class, WorkBudget& budget);

 private:
  struct Kept {
    std::shared_ptr<const SpreadPlan> plan;
    DefaultSelector default_selector;  // for the profile's constraints
  };

  void MakeDefault(const PodClass& pod_class, SpreadAction action, Kept& kept);
  Result<std::vector<SpreadRule>> MakeRules(
      const PodClass& pod_class, const std::vector<api::TopologySpreadConstraint>& constraints,
      SpreadAction action, const api::Selector* selector);
  std::shared_ptr<PodTally> MakeTally(const PodClass& pod_class,
                                      const api::TopologySpreadConstraint& constraint,
                                      const api::Selector& selector,
                                      const std::vector<std::string_view>& wanted_keys);

  ClusterState& cluster_;
  bool is_system_defaulted_;
  std::shared_ptr<const std::vector<api::TopologySpreadConstraint>> defaults_;
  std::array<bool, 2> has_default_{};  // indexed by SpreadAction
  std::shared_ptr<const SpreadPlan> no_plan_;
  TopologyColumns columns_;
  PodTallies tallies_;
  std::array<ClassCache<Kept>, 2> kept_;  // indexed by SpreadAction
  std::string key_scratch_;
};

}  // namespace plimsoll::scheduler
