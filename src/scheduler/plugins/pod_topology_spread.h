#pragma once

#include <memory>

#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/args.h"
#include "scheduler/plugins/spread_plan.h"

namespace plimsoll::scheduler {

/// Spreads the pods that a selector matches evenly over the values of a label: as a constraint
/// (DoNotSchedule) or as a preference (ScheduleAnyway).
class PodTopologySpread final : public Plugin {
 public:
  PodTopologySpread(ClusterState& cluster, const PluginArgs& args);

  std::string_view name() const override { return "PodTopologySpread"; }
  ExtensionPoints points() const override { return kPreFilter | kFilter | kPreScore | kScore; }

  std::vector<EventInterest> Interests() const override;
  Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const override;

  bool Prepare(const PodUnderTest& pod, WorkBudget& budget) override {
    return plans_->Prepare(pod.pod_class, budget);
  }
  PreFilterOutcome PreFilter(const PodUnderTest& pod) override;
  Verdict Judge(const PluginState* state, const NodeView& node) const override;
  void Filter(const PluginState* state, Bitmap& nodes) const override;
  void AddPod(PluginState* state, PodId pod, const NodeView& node) const override;
  void RemovePod(PluginState* state, PodId pod, const NodeView& node) const override;

  Normalization normalization() const override { return Normalization::Custom; }
  PreScoreOutcome PreScore(const PodUnderTest& pod, const PluginState* filter_state,
                           const Bitmap& feasible) override;
  std::int64_t ScoreOf(const PluginState* state, const NodeView& node) const override;
  void Score(const PluginState* state, const Bitmap& nodes,
             std::span<std::int64_t> scores) const override;
  void Normalize(const PluginState* state, const Bitmap& nodes,
                 std::span<std::int64_t> scores) const override;

 private:
  void Shift(PluginState* state, PodId pod, const NodeView& node, std::int64_t change) const;
  Hint AfterPodChange(const PodRecord& pod, const SpreadPlan& plan,
                      const ClusterEvent& event) const;
  Hint AfterNodeChange(const SpreadPlan& plan, const ClusterEvent& event) const;

  std::shared_ptr<const void> texts_;  // owns the texts of the profile's constraints
  std::unique_ptr<SpreadPlans> plans_;
};

}  // namespace plimsoll::scheduler
