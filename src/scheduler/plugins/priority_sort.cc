#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

/// Placeholder for the queue's order, by priority and then by time. The queue sorts by itself.
class PrioritySort final : public Plugin {
 public:
  explicit PrioritySort(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "PrioritySort"; }
  ExtensionPoints points() const override { return kQueueSort; }
};

}  // namespace

std::unique_ptr<Plugin> MakePrioritySort(ClusterState& cluster, const PluginArgs& /*args*/) {
  return std::make_unique<PrioritySort>(cluster);
}

}  // namespace plimsoll::scheduler
