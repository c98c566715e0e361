#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

/// Stands for the queue's order: by priority, then by time.
class PrioritySort final : public Plugin, public QueueSortPlugin {
 public:
  explicit PrioritySort(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "PrioritySort"; }
};

}  // namespace

std::unique_ptr<Plugin> MakePrioritySort(ClusterState& cluster, const PluginArgs& /*args*/) {
  return CreatePlugin<PrioritySort>(cluster);
}

}  // namespace plimsoll::scheduler
