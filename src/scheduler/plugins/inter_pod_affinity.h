#pragma once

#include <memory>

#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/affinity_plan.h"
#include "scheduler/plugins/args.h"
#include "scheduler/plugins/existing_terms.h"
#include "scheduler/plugins/topology_column.h"

namespace plimsoll::scheduler {

/// Applies the pod affinity and anti-affinity of the incoming pod and of existing pods.
class InterPodAffinity final : public Plugin,
                               public ClassEnqueueExtensions,
                               public ClassPreFilterPlugin,
                               public PreparePlugin,
                               public PreFilterExtensions,
                               public FilterPlugin,
                               public PreScorePlugin,
                               public ScorePlugin,
                               public ScoreExtensions {
 public:
  InterPodAffinity(ClusterState& cluster, const InterPodAffinityArgs& args);

  std::string_view name() const override { return "InterPodAffinity"; }

  std::vector<EventInterest> Interests() const override;
  Hint HintForClass(const PodClass& pod, const ClusterEvent& event) const override;

  bool Prepare(const PodClass& pod, WorkBudget& budget) override;
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
  Hint AfterPodChange(const PodClass& pod, const ClusterEvent& event) const;
  Hint AfterNodeChange(const PodClass& pod, const ClusterEvent& event) const;
  bool Forbids(const api::Pod& there, const PodClass& pod) const;

  InterPodAffinityArgs args_;
  std::unique_ptr<TopologyColumns> columns_;
  std::unique_ptr<AffinityPlans> plans_;
  std::unique_ptr<ExistingTerms> existing_;
};

}  // namespace plimsoll::scheduler
