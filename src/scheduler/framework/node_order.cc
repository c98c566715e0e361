#include "scheduler/framework/node_order.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace plimsoll::scheduler {
namespace {

/// Returns the value of the label; the deprecated key takes precedence.
std::string_view LabelOf(const ClusterState& cluster, NodeSlot slot, std::string_view old_key,
                         std::string_view key) {
  const auto old_value = cluster.index().Label(slot, old_key);
  return old_value ? *old_value : cluster.index().Label(slot, key).value_or(std::string_view());
}

}  // namespace

bool NodeOrder::IsCurrent() const {
  const auto news = cluster_.journal().Since(position_);
  return news && std::ranges::none_of(*news, [](const JournalEntry& entry) {
           return (entry.changes & (kNodeAdded | kNodeRemoved | kLabels)) != 0;
         });
}

const std::vector<NodeSlot>& NodeOrder::Get() {
  const bool is_current = IsCurrent();
  position_ = cluster_.journal().end();
  if (is_current) return order_;

  using Zone = std::pair<std::string_view, std::string_view>;  // region and zone
  std::map<Zone, std::size_t> places;
  std::vector<std::vector<NodeSlot>> zones;  // in order of first occurrence
  cluster_.nodes().ForEach([&](std::size_t i) {
    const auto slot = static_cast<NodeSlot>(i);
    const Zone zone{LabelOf(cluster_, slot, "failure-domain.beta.kubernetes.io/region",
                            "topology.kubernetes.io/region"),
                    LabelOf(cluster_, slot, "failure-domain.beta.kubernetes.io/zone",
                            "topology.kubernetes.io/zone")};
    const auto [found, is_new] = places.try_emplace(zone, zones.size());
    if (is_new) zones.emplace_back();
    zones[found->second].push_back(slot);
  });
  order_.clear();
  for (std::size_t round = 0; order_.size() < cluster_.node_count(); ++round) {
    for (const std::vector<NodeSlot>& zone : zones) {
      if (round < zone.size()) order_.push_back(zone[round]);
    }
  }
  return order_;
}

}  // namespace plimsoll::scheduler
