#pragma once

#include <memory>

#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/affinity_plan.h"
#include "scheduler/plugins/args.h"
#include "scheduler/plugins/existing_terms.h"
#include "scheduler/plugins/topology_column.h"

namespace plimsoll::scheduler {

/// Applies the pod affinity and anti-affinity of the incoming pod and of existing pods.
class InterPodAffinity final : public Plugin {
 public:
  InterPodAffinity(ClusterState& cluster, const InterPodAffinityArgs& args);

  std::string_view name() const override { return "InterPodAffinity"; }
  ExtensionPoints points() const override { return kPreFilter | kFilter | kPreScore | kScore; }

  std::vector<EventInterest> Interests() const override;
  Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const override;

  bool Prepare(const PodUnderTest& pod, WorkBudget& budget) override;
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
  Hint AfterPodChange(const PodRecord& pod, const ClusterEvent& event) const;
  Hint AfterNodeChange(const PodRecord& pod, const ClusterEvent& event) const;
  bool Forbids(const api::Pod& there, const PodRecord& pod) const;

  InterPodAffinityArgs args_;
  std::unique_ptr<TopologyColumns> columns_;
  std::unique_ptr<AffinityPlans> plans_;
  std::unique_ptr<ExistingTerms> existing_;
};

}  // namespace plimsoll::scheduler
