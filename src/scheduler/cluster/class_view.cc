#include "scheduler/cluster/class_view.h"

#include <algorithm>
#include <boost/pfr/core.hpp>
#include <concepts>
#include <span>
#include <type_traits>

#include "api/core/image_volume.h"
#include "codec/json.h"

namespace plimsoll::scheduler {
namespace {

/// Serializes values so that different lists of values never give the same bytes. Structs are
/// written member by member, whatever members they have.
class KeyWriter {
 public:
  explicit KeyWriter(std::string& out) : out_(out) {}

  template <class T>
    requires std::integral<T> || std::is_enum_v<T>
  void Write(T number) {
    if constexpr (sizeof(number) == 1) {
      out_ += static_cast<char>(number);
    } else {
      out_.append(reinterpret_cast<const char*>(&number), sizeof(number));
    }
  }
  void Write(std::string_view text) {
    WriteCount(text.size());
    out_.append(text);
  }
  void Write(const api::StringMap& map) {
    WriteCount(map.size());
    for (const auto& [key, value] : map) {
      Write(key);
      Write(value);
    }
  }
  template <class T>
  void Write(const std::optional<T>& value) {
    Write(value.has_value());
    if (value) Write(*value);
  }
  template <class T>
  void Write(const T* value) {
    Write(value != nullptr);
    if (value != nullptr) Write(*value);
  }
  template <class T>
  void Write(const std::vector<T>& list) {
    Write(std::span(list));
  }
  template <class T>
  void Write(std::span<const T> list) {
    WriteCount(list.size());
    for (const T& one : list) Write(one);
  }
  template <class Source, class View>
  void Write(const ViewList<Source, View>& list) {
    WriteCount(list.size());
    for (const View& one : list) Write(one);
  }
  void Write(const codec::Value& value) { Write(std::string_view(codec::WriteJson(value))); }
  /// The quantity is that of the text.
  void Write(const api::ResourceAmount& amount) {
    Write(amount.name);
    Write(amount.text);
  }
  void Write(const match::NodeConstraints& constraints) {
    const auto& [node_selector, node_affinity, tolerations] = constraints;
    Write(node_selector);
    Write(node_affinity);
    Write(tolerations);
  }
  template <class T>
    requires std::is_aggregate_v<T>
  void Write(const T& fields) {
    boost::pfr::for_each_field(fields, [this](const auto& field) { Write(field); });
  }

 private:
  void WriteCount(std::size_t count) { Write(static_cast<std::uint32_t>(count)); }

  std::string& out_;
};

std::optional<ControllerView> ControllerOf(const api::ObjectMeta& metadata) {
  const auto found = std::ranges::find_if(
      metadata.owner_references,
      [](const api::OwnerReference& owner) { return owner.controller.value_or(false); });
  if (found == metadata.owner_references.end()) return std::nullopt;
  return ControllerView{found->api_version, found->kind, found->name};
}

template <class T>
const T* Pointer(const std::optional<T>& value) {
  return value ? &*value : nullptr;
}

}  // namespace

HostPort HostPort::Of(const api::ContainerPort& port) {
  if (port.host_port <= 0) return {};
  return {.ip = port.host_ip.empty() ? "0.0.0.0" : port.host_ip,
          .protocol = port.protocol.empty() ? "TCP" : port.protocol,
          .port = static_cast<std::int32_t>(port.host_port)};
}

ContainerView ContainerView::Of(const api::Container& container) {
  return {.image = container.image,
          .restart_policy = container.restart_policy,
          .requests = container.resources.requests,
          .ports = ViewList<api::ContainerPort, HostPort>(container.ports)};
}

VolumeView VolumeView::Of(const api::Volume& volume) {
  VolumeView view{.kind = volume.kind,
                  .claim_name = volume.claim_name,
                  .image = api::ImageOf(volume),
                  .disk = nullptr};
  if (!IsClaim(view)) view.disk = volume.disk;
  return view;
}

bool IsClaim(const VolumeView& volume) {
  return volume.kind == api::VolumeKind::PersistentVolumeClaim ||
         volume.kind == api::VolumeKind::Ephemeral;
}

ClassView ClassView::Of(const api::Pod& pod) {
  const api::PodSpec& spec = pod.spec;
  const api::Affinity* const affinity = Pointer(spec.affinity);
  return {.namespace_ = pod.metadata.namespace_,
          .labels = pod.metadata.labels,
          .controller = ControllerOf(pod.metadata),
          .scheduler_name = spec.scheduler_name,
          .priority = spec.priority.value_or(0),
          .preemption_policy = spec.preemption_policy,
          .node_constraints = spec,
          .pod_affinity = affinity == nullptr ? nullptr : Pointer(affinity->pod_affinity),
          .pod_anti_affinity = affinity == nullptr ? nullptr : Pointer(affinity->pod_anti_affinity),
          .topology_spread_constraints = spec.topology_spread_constraints,
          .requests = spec.resources ? &spec.resources->requests : nullptr,
          .overhead = spec.overhead,
          .init_containers = ViewList<api::Container, ContainerView>(spec.init_containers),
          .containers = ViewList<api::Container, ContainerView>(spec.containers),
          .volumes = ViewList<api::Volume, VolumeView>(spec.volumes),
          .resource_claims = spec.resource_claims,
          .required_features = api::RequiredFeatures(spec)};
}

void AppendClassKey(const ClassView& view, std::string& key) { KeyWriter(key).Write(view); }

}  // namespace plimsoll::scheduler
