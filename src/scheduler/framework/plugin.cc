#include "scheduler/framework/plugin.h"

#include <array>
#include <bit>

namespace plimsoll::scheduler {

std::string_view ToText(ExtensionPoint point) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "PreEnqueue", "QueueSort", "PreFilter", "Filter",  "PostFilter", "PreScore",
      "Score",      "Reserve",   "Permit",    "PreBind", "Bind",       "PostBind"};
  return kNames[static_cast<std::size_t>(std::countr_zero(static_cast<std::uint16_t>(point)))];
}

void Plugin::Filter(const PluginState* state, Bitmap& nodes) const {
  nodes.ForEach([&](std::size_t i) {
    if (!Accepts(state, cluster_.view(static_cast<NodeSlot>(i)))) nodes.Reset(i);
  });
}

void Plugin::Score(const PluginState* state, const Bitmap& nodes,
                   std::span<std::int64_t> scores) const {
  nodes.ForEach(
      [&](std::size_t i) { scores[i] = ScoreOf(state, cluster_.view(static_cast<NodeSlot>(i))); });
}

}  // namespace plimsoll::scheduler
