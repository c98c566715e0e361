#include "scheduler/framework/scoring.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"

namespace plimsoll::scheduler {

std::int64_t HighestOf(const Bitmap& nodes, std::span<const std::int64_t> scores) {
  std::int64_t highest = 0;
  nodes.ForEach([&](std::size_t i) { highest = std::max(highest, scores[i]); });
  return highest;
}

void NormalizeScores(const EnabledPlugin& plugin, const PluginState* state, const Bitmap& nodes,
                     std::span<std::int64_t> scores) {
  if (plugin.score_extensions != nullptr) {
    plugin.score_extensions->NormalizeScore(state, nodes, scores);
    return;
  }
  const Normalization how = plugin.score->normalization();
  if (how == Normalization::None) return;
  const std::int64_t highest = HighestOf(nodes, scores);
  nodes.ForEach([&](std::size_t i) { scores[i] = Normalized(how, scores[i], highest); });
}

NodeSlot PickBest(const Bitmap& nodes, std::span<const std::int64_t> totals, Random& random) {
  std::int64_t best = std::numeric_limits<std::int64_t>::min();
  std::uint64_t ties = 0;
  nodes.ForEach([&](std::size_t i) {
    if (totals[i] > best) {
      best = totals[i];
      ties = 0;
    }
    if (totals[i] == best) ++ties;
  });
  PL_ASSERT(ties != 0);
  std::uint64_t left = ties == 1 ? 0 : random.Below(ties);
  NodeSlot chosen = kNoNode;
  nodes.ForEach([&](std::size_t i) {
    if (totals[i] == best && left-- == 0) chosen = static_cast<NodeSlot>(i);
  });
  return chosen;
}

std::size_t FeasibleNodesWanted(std::size_t nodes, int percentage) {
  static constexpr std::size_t kNodesMin = 100;
  if (nodes < kNodesMin || percentage >= 100) return nodes;
  std::size_t share = static_cast<std::size_t>(std::max(percentage, 0));
  if (share == 0) {
    const std::size_t less = nodes / 125;
    share = less >= 45 ? 5 : 50 - less;
  }
  return std::max(nodes * share / 100, kNodesMin);
}

}  // namespace plimsoll::scheduler
