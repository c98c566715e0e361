#include <algorithm>
#include <utility>

#include "scheduler/plugins/factories.h"
#include "scheduler/plugins/resource_score.h"

namespace plimsoll::scheduler {
namespace {

struct BalanceState final : PluginState {
  explicit BalanceState(std::vector<ScoredResource> scored) : resources(std::move(scored)) {}

  std::vector<ScoredResource> resources;
};

/// Prefers nodes whose resources would be used to equal fractions after adding the pod.
class NodeResourcesBalancedAllocation final : public Plugin,
                                              public PreScorePlugin,
                                              public ScorePlugin,
                                              public NodeScopedPlugin {
 public:
  NodeResourcesBalancedAllocation(ClusterState& cluster, const BalancedAllocationArgs& args)
      : Plugin(cluster), weights_(args.resources) {}

  std::string_view name() const override { return "NodeResourcesBalancedAllocation"; }

  Changes depends_on() const override { return kAllocatable | kPods; }

  /// Skips pods without requests. They do not change any balance, and would all be drawn to the
  /// same node.
  PreScoreOutcome PreScore(const PodClass& pod, const PluginState* /*filter_state*/,
                           const Bitmap& /*feasible*/) override {
    std::vector<ScoredResource> resources = ExactResources(weights_, pod.requests, cluster_);
    if (std::ranges::all_of(resources, [](const auto& one) { return one.request == 0; })) {
      return {.verdict = Verdict::Skip(), .state = nullptr};
    }
    return {.verdict = {}, .state = std::make_shared<BalanceState>(std::move(resources))};
  }

  std::int64_t ScoreOf(const PluginState* state, const NodeView& node) const override {
    return ScoreBalance(static_cast<const BalanceState&>(*state).resources, node.row);
  }

  void Score(const PluginState* state, const Bitmap& nodes,
             std::span<std::int64_t> scores) const override {
    ScoreNodes(cluster_, nodes, scores, [&](const NodeView& node) { return ScoreOf(state, node); });
  }

 private:
  std::vector<ResourceWeight> weights_;
};

}  // namespace

std::unique_ptr<Plugin> MakeNodeResourcesBalancedAllocation(ClusterState& cluster,
                                                            const PluginArgs& args) {
  return CreatePlugin<NodeResourcesBalancedAllocation>(cluster, args.balanced);
}

}  // namespace plimsoll::scheduler
