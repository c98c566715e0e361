#include "apiserver/cache/selectable_fields.h"

#include <algorithm>
#include <array>

namespace plimsoll::apiserver {
namespace {

constexpr std::array kPod = {
    SelectableField{"spec.nodeName", "spec.nodeName"},
    SelectableField{"spec.restartPolicy", "spec.restartPolicy"},
    SelectableField{"spec.schedulerName", "spec.schedulerName"},
    SelectableField{"spec.serviceAccountName", "spec.serviceAccountName"},
    SelectableField{"spec.hostNetwork", "spec.hostNetwork", "false"},
    SelectableField{"status.phase", "status.phase"},
    SelectableField{"status.podIP", "status.podIP"},
    // Upstream accepts this label, but it never has a value.
    SelectableField{"status.podIPs"},
    SelectableField{"status.nominatedNodeName", "status.nominatedNodeName"},
};
constexpr std::array kNode = {SelectableField{"spec.unschedulable", "spec.unschedulable", "false"}};
constexpr std::array kNamespace = {SelectableField{"status.phase", "status.phase"}};
constexpr std::array kSecret = {SelectableField{"type", "type"}};
constexpr std::array kReplicas = {SelectableField{"status.replicas", "status.replicas", "0"}};
constexpr std::array kJob = {SelectableField{"status.successful", "status.succeeded", "0"}};
constexpr std::array kEvent = {
    SelectableField{"involvedObject.kind", "involvedObject.kind"},
    SelectableField{"involvedObject.namespace", "involvedObject.namespace"},
    SelectableField{"involvedObject.name", "involvedObject.name"},
    SelectableField{"involvedObject.uid", "involvedObject.uid"},
    SelectableField{"involvedObject.apiVersion", "involvedObject.apiVersion"},
    SelectableField{"involvedObject.resourceVersion", "involvedObject.resourceVersion"},
    SelectableField{"involvedObject.fieldPath", "involvedObject.fieldPath"},
    SelectableField{"reason", "reason"},
    SelectableField{"reportingComponent", "reportingComponent"},
    SelectableField{"source", "source.component", "", "reportingComponent"},
    SelectableField{"type", "type"},
};
constexpr std::array kResourceSlice = {
    SelectableField{"spec.nodeName", "spec.nodeName"},
    SelectableField{"spec.driver", "spec.driver"},
    SelectableField{"spec.pool.name", "spec.pool.name"},
};

struct KindRow {
  std::string_view group;
  std::string_view kind;
  std::span<const SelectableField> fields;
};
constexpr std::array kKinds = {
    KindRow{"", "Pod", kPod},
    KindRow{"", "Event", kEvent},
    KindRow{"", "Node", kNode},
    KindRow{"", "Namespace", kNamespace},
    KindRow{"", "Secret", kSecret},
    KindRow{"", "ReplicationController", kReplicas},
    KindRow{"apps", "ReplicaSet", kReplicas},
    KindRow{"batch", "Job", kJob},
    KindRow{"resource.k8s.io", "ResourceSlice", kResourceSlice},
};

struct Renamed {
  std::string_view served;
  std::string_view stored;
};
/// Field labels of events.k8s.io; it has no others.
constexpr std::array kEventLabels = {
    Renamed{"regarding.kind", "involvedObject.kind"},
    Renamed{"regarding.namespace", "involvedObject.namespace"},
    Renamed{"regarding.name", "involvedObject.name"},
    Renamed{"regarding.uid", "involvedObject.uid"},
    Renamed{"regarding.apiVersion", "involvedObject.apiVersion"},
    Renamed{"regarding.resourceVersion", "involvedObject.resourceVersion"},
    Renamed{"regarding.fieldPath", "involvedObject.fieldPath"},
    Renamed{"reason", "reason"},
    Renamed{"reportingController", "reportingComponent"},
    Renamed{"type", "type"},
};

}  // namespace

std::span<const SelectableField> SelectableFields(const api::KindDesc& stored) {
  const auto row = std::ranges::find_if(kKinds, [&](const KindRow& candidate) {
    return candidate.kind == stored.kind && candidate.group == stored.group;
  });
  return row == kKinds.end() ? std::span<const SelectableField>() : row->fields;
}

std::optional<std::string_view> ResolveFieldLabel(const api::KindDesc& served,
                                                  std::string_view label) {
  if (label == "metadata.name") return "metadata.name";
  // Kinds with selectable fields accept the namespace only if they are namespaced. Other kinds
  // always accept it.
  const std::span<const SelectableField> fields = SelectableFields(served);
  if (label == "metadata.namespace" && (served.is_namespaced || fields.empty())) {
    return "metadata.namespace";
  }
  if (served.group == "events.k8s.io") {
    const auto row = std::ranges::find(kEventLabels, label, &Renamed::served);
    if (row == kEventLabels.end()) return std::nullopt;
    return row->stored;
  }
  // Old name of spec.nodeName.
  if (label == "spec.host" && served.kind == "Pod" && served.group.empty()) return "spec.nodeName";
  const auto field = std::ranges::find(fields, label, &SelectableField::label);
  if (field == fields.end()) return std::nullopt;
  return field->label;
}

}  // namespace plimsoll::apiserver
