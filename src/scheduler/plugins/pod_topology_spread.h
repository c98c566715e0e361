#pragma once

#include <memory>

#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/args.h"
#include "scheduler/plugins/spread_plan.h"

namespace plimsoll::scheduler {

/// Spreads the pods that a selector matches evenly over the values of a label: as a constraint
/// (DoNotSchedule) or as a preference (ScheduleAnyway).
class PodTopologySpread final : public Plugin,
                                public ClassEnqueueExtensions,
                                public ClassPreFilterPlugin,
                                public PreparePlugin,
                                public PreFilterExtensions,
                                public FilterPlugin,
                                public PreScorePlugin,
                                public ScorePlugin,
                                public ScoreExtensions {
 public:
  PodTopologySpread(ClusterState& cluster, const PodTopologySpreadArgs& args);

  std::string_view name() const override { return "PodTopologySpread"; }

  std::vector<EventInterest> Interests() const override;
  Hint HintForClass(const PodClass& pod, const ClusterEvent& event) const override;

  bool Prepare(const PodClass& pod, WorkBudget& budget) override {
    return plans_->Prepare(pod, budget);
  }
  PreFilterOutcome PreFilterClass(const PodClass& pod) override;
  Verdict Judge(const PluginState* state, const NodeView& node) const override;
  Verdict Filter(const PluginState* state, Bitmap& nodes) const override;
  void AddPod(PluginState* state, PodId pod, const NodeView& node) const override;
  void RemovePod(PluginState* state, PodId pod, const NodeView& node) const override;

  PreScoreOutcome PreScore(const PodClass& pod, const PluginState* filter_state,
                           const Bitmap& feasible) override;
  std::int64_t ScoreOf(const PluginState* state, const NodeView& node) const override;
  void Score(const PluginState* state, const Bitmap& nodes,
             std::span<std::int64_t> scores) const override;
  void NormalizeScore(const PluginState* state, const Bitmap& nodes,
                      std::span<std::int64_t> scores) const override;

 private:
  void Shift(PluginState* state, PodId pod, const NodeView& node, std::int64_t change) const;
  Hint AfterPodChange(const PodClass& pod, const SpreadPlan& plan, const ClusterEvent& event) const;
  Hint AfterNodeChange(const SpreadPlan& plan, const ClusterEvent& event) const;

  std::unique_ptr<SpreadPlans> plans_;
};

}  // namespace plimsoll::scheduler
