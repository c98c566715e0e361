#pragma once

#include <cstdint>
#include <span>

#include "base/bitmap.h"
#include "base/random.h"
#include "scheduler/cluster/journal.h"
#include "scheduler/framework/plugin.h"

namespace plimsoll::scheduler {

/// The best that a plugin can say of a node, before its weight.
inline constexpr std::int64_t kScoreMax = 100;

/// One raw score among others of which `highest` is the highest; not for Normalization::Custom.
constexpr std::int64_t Normalized(Normalization how, std::int64_t raw, std::int64_t highest) {
  switch (how) {
    case Normalization::Highest:
      return highest == 0 ? raw : raw * kScoreMax / highest;
    case Normalization::Lowest:
      return highest == 0 ? kScoreMax : kScoreMax - raw * kScoreMax / highest;
    case Normalization::None:
    case Normalization::Custom:
      return raw;
  }
  return raw;
}

/// The highest score of the nodes, but no less than 0.
std::int64_t HighestOf(const Bitmap& nodes, std::span<const std::int64_t> scores);

/// Brings the scores of `nodes` to 0 … 100 in the plugin's way.
void NormalizeScores(const Plugin& plugin, const PluginState* state, const Bitmap& nodes,
                     std::span<std::int64_t> scores);

/// One of the nodes with the highest total, each as likely. There must be a node.
NodeSlot PickBest(const Bitmap& nodes, std::span<const std::int64_t> totals, Random& random);

/// How many feasible nodes upstream would be content with: all of few, else that share of them (0:
/// a share that falls with their number), but never less than a hundred.
std::size_t FeasibleNodesWanted(std::size_t nodes, int percentage);

}  // namespace plimsoll::scheduler
