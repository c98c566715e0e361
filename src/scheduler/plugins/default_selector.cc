#include "scheduler/plugins/default_selector.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "api/apps/workload.h"
#include "api/core/service.h"

namespace plimsoll::scheduler {
namespace {

using Requirements = std::vector<api::Requirement>;

bool HasAll(const api::StringMap& labels, const api::StringMap& wanted) {
  return std::ranges::all_of(
      wanted, [&](const auto& entry) { return labels.Find(entry.first) == entry.second; });
}

void AddTo(Requirements& requirements, const api::StringMap& labels) {
  for (const auto& [key, value] : labels) {
    // All services that select a pod have the same value for a shared label key.
    if (std::ranges::find(requirements, key, &api::Requirement::key) != requirements.end()) {
      continue;
    }
    auto made = api::Requirement::Make(key, api::SelectorOperator::Equals, std::span(&value, 1));
    if (made) requirements.push_back(*std::move(made));
  }
}

void AddWorkload(Requirements& requirements, const ObjectPtr& object) {
  const auto* const workload = object == nullptr ? nullptr : object->As<api::Workload>();
  if (workload == nullptr || !workload->selector) return;
  const auto selector = api::Selector::FromObject(&*workload->selector);
  if (!selector) return;
  requirements.insert(requirements.end(), selector->requirements().begin(),
                      selector->requirements().end());
}

void AddController(Requirements& requirements, const ClassView& pod, const ClusterState& cluster) {
  const std::optional<ControllerView>& owner = pod.controller;
  if (!owner) return;
  const std::string_view namespace_ = pod.namespace_;
  if (owner->api_version == "v1" && owner->kind == "ReplicationController") {
    const ObjectPtr found = cluster.replication_controllers.Find(namespace_, owner->name);
    if (found != nullptr) AddTo(requirements, api::SelectedLabels(*found));
  } else if (owner->api_version == "apps/v1" && owner->kind == "ReplicaSet") {
    AddWorkload(requirements, cluster.replica_sets.Find(namespace_, owner->name));
  } else if (owner->api_version == "apps/v1" && owner->kind == "StatefulSet") {
    AddWorkload(requirements, cluster.stateful_sets.Find(namespace_, owner->name));
  }
}

}  // namespace

bool DefaultSelector::Update(const ClassView& pod, const ClusterState& cluster) {
  const std::array<std::uint64_t, 3> controllers_version = {
      cluster.replication_controllers.version(), cluster.replica_sets.version(),
      cluster.stateful_sets.version()};
  if (services_version_ == cluster.services.version() &&
      controllers_version_ == controllers_version) {
    return false;
  }
  if (services_version_ != cluster.services.version()) {
    services_version_ = cluster.services.version();
    of_services_.clear();
    cluster.services.ForEachIn(pod.namespace_, [&](const ObjectPtr& service) {
      const api::StringMap labels = api::SelectedLabels(*service);
      if (HasAll(pod.labels, labels)) AddTo(of_services_, labels);
    });
  }
  controllers_version_ = controllers_version;
  Requirements requirements = of_services_;
  AddController(requirements, pod, cluster);
  selector_ = api::Selector::Of(std::move(requirements));
  std::string text = selector_.Text();
  if (text_ == text) return false;
  text_ = std::move(text);
  return true;
}

}  // namespace plimsoll::scheduler
