#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

/// Placeholder for binding through the `binding` subresource, which the scheduler does itself.
class DefaultBinder final : public Plugin {
 public:
  explicit DefaultBinder(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "DefaultBinder"; }
  ExtensionPoints points() const override { return kBind; }
};

}  // namespace

std::unique_ptr<Plugin> MakeDefaultBinder(ClusterState& cluster, const PluginArgs& /*args*/) {
  return std::make_unique<DefaultBinder>(cluster);
}

}  // namespace plimsoll::scheduler
