#include "scheduler/framework/plugin.h"

#include <array>
#include <bit>

namespace plimsoll::scheduler {
namespace {

template <class... Bases>
ExtensionPoints PointsAmong(const Plugin& plugin) {
  return static_cast<ExtensionPoints>(
      ((dynamic_cast<const Bases*>(&plugin) != nullptr ? Bases::kPoint : 0) | ...));
}

}  // namespace

std::string_view ToText(ExtensionPoint point) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "PreEnqueue", "QueueSort", "PreFilter", "Filter",  "PostFilter", "PreScore",
      "Score",      "Reserve",   "Permit",    "PreBind", "Bind",       "PostBind"};
  return kNames[static_cast<std::size_t>(std::countr_zero(static_cast<std::uint16_t>(point)))];
}

ExtensionPoints PointsOf(const Plugin& plugin) {
  return PointsAmong<PreEnqueuePlugin, QueueSortPlugin, PreFilterPlugin, FilterPlugin,
                     PostFilterPlugin, PreScorePlugin, ScorePlugin, ReservePlugin, PermitPlugin,
                     PreBindPlugin, BindPlugin, PostBindPlugin>(plugin);
}

}  // namespace plimsoll::scheduler
