#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

class DefaultBinder final : public Plugin, public BindPlugin {
 public:
  explicit DefaultBinder(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "DefaultBinder"; }
};

}  // namespace

std::unique_ptr<Plugin> MakeDefaultBinder(ClusterState& cluster, const PluginArgs& /*args*/) {
  return CreatePlugin<DefaultBinder>(cluster);
}

}  // namespace plimsoll::scheduler
