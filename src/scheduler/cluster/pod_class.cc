#include "scheduler/cluster/pod_class.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "api/core/toleration.h"

namespace plimsoll::scheduler {
namespace {

/// A view and the object that owns its texts.
struct OwnedView {
  explicit OwnedView(const ObjectPtr& pod)
      : object(pod), view(ClassView::Of(*pod->As<api::Pod>())) {}

  ObjectPtr object;
  ClassView view;
};

void AddHostPorts(const ViewList<api::Container, ContainerView>& containers, bool only_sidecars,
                  std::vector<HostPort>& out) {
  for (const ContainerView& container : containers) {
    if (only_sidecars && container.restart_policy != "Always") continue;
    for (const HostPort& port : container.ports) {
      if (port.port > 0) out.push_back(port);
    }
  }
}

/// Removes duplicates, and keeps the order.
void KeepFirstOfEach(std::vector<HostPort>& ports) {
  std::set<std::tuple<std::string_view, std::string_view, std::int32_t>> seen;
  std::erase_if(ports, [&](const HostPort& one) {
    return !seen.emplace(one.ip, one.protocol, one.port).second;
  });
}

bool HasTerms(const api::PodAffinity* affinity) {
  return affinity != nullptr && !(affinity->required.empty() && affinity->preferred.empty());
}

}  // namespace

PodClass DescribeClass(const ObjectPtr& object, Interner& resource_names) {
  const auto owned = std::make_shared<const OwnedView>(object);
  const ClassView& view = owned->view;
  PodClass described;
  described.view = std::shared_ptr<const ClassView>(owned, &view);
  described.priority = view.priority;
  described.requests = ComputeRequests(view, resource_names);
  AddHostPorts(view.containers, false, described.host_ports);
  AddHostPorts(view.init_containers, true, described.host_ports);
  KeepFirstOfEach(described.host_ports);
  described.has_expressions = api::HasExpressions(view.node_constraints.tolerations);
  described.has_claims = std::ranges::any_of(view.volumes, IsClaim);
  described.has_required_anti_affinity =
      view.pod_anti_affinity != nullptr && !view.pod_anti_affinity->required.empty();
  described.has_pod_affinity = HasTerms(view.pod_affinity) || HasTerms(view.pod_anti_affinity);
  return described;
}

}  // namespace plimsoll::scheduler
