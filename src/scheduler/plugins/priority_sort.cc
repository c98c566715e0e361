#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

/// Stands for the order of the queue: by priority, then by time. The queue keeps it itself.
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
