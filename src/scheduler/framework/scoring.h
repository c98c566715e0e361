#pragma once

#include <cstdint>
#include <span>

#include "base/bitmap.h"
#include "base/random.h"
#include "scheduler/cluster/journal.h"
#include "scheduler/framework/enabled_plugin.h"

namespace plimsoll::scheduler {

/// Highest score of a node before weighting.
inline constexpr std::int64_t kScoreMax = 100;

/// Normalises one raw score, where `highest` is the highest raw score.
constexpr std::int64_t Normalized(Normalization how, std::int64_t raw, std::int64_t highest) {
  switch (how) {
    case Normalization::Highest:
      return highest == 0 ? raw : raw * kScoreMax / highest;
    case Normalization::Lowest:
      return highest == 0 ? kScoreMax : kScoreMax - raw * kScoreMax / highest;
    case Normalization::None:
      return raw;
  }
  return raw;
}

/// Returns the highest score of the nodes, but at least 0.
std::int64_t HighestOf(const Bitmap& nodes, std::span<const std::int64_t> scores);

/// Maps the scores of `nodes` to 0 … 100 with the plugin's normalization.
void NormalizeScores(const EnabledPlugin& plugin, const PluginState* state, const Bitmap& nodes,
                     std::span<std::int64_t> scores);

/// Returns a random node among those with the highest total. REQUIRES: `nodes` is not empty.
NodeSlot PickBest(const Bitmap& nodes, std::span<const std::int64_t> totals, Random& random);

/// Returns upstream's number of feasible nodes to find: all if there are few, else `percentage` of
/// them, but at least 100. With percentage 0 the share falls with the number of nodes.
std::size_t FeasibleNodesWanted(std::size_t nodes, int percentage);

}  // namespace plimsoll::scheduler
