#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "api/schema/schema.h"

/// Fields that field selectors may use, besides metadata.name and metadata.namespace; a part of
/// KindHooks.
namespace plimsoll::api {

struct SelectableField {
  std::string_view label;    // in the selector: status.successful
  std::string_view path;     // in the stored object; empty: never has a value
  std::string_view missing;  // value if the object lacks the field: `false`, `0`
  std::string_view instead;  // label whose value is used before `missing`
};

/// A field label of a served kind that has another name in the stored kind.
struct FieldLabel {
  std::string_view served;
  std::string_view stored;
};

/// Converts a field label of a served kind to that of the stored kind: `regarding.kind` becomes
/// `involvedObject.kind`. Returns nullopt for `field label not supported`.
std::optional<std::string_view> ResolveFieldLabel(const KindDesc& served, std::string_view label);

inline constexpr std::array kFieldsOfPod = {
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
inline constexpr std::array kFieldsOfNode = {
    SelectableField{"spec.unschedulable", "spec.unschedulable", "false"}};
inline constexpr std::array kFieldsOfNamespace = {SelectableField{"status.phase", "status.phase"}};
inline constexpr std::array kFieldsOfSecret = {SelectableField{"type", "type"}};
inline constexpr std::array kFieldsOfReplicaSet = {
    SelectableField{"status.replicas", "status.replicas", "0"}};
inline constexpr std::array kFieldsOfJob = {
    SelectableField{"status.successful", "status.succeeded", "0"}};
inline constexpr std::array kFieldsOfEvent = {
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
inline constexpr std::array kFieldsOfSlice = {
    SelectableField{"spec.nodeName", "spec.nodeName"},
    SelectableField{"spec.driver", "spec.driver"},
    SelectableField{"spec.pool.name", "spec.pool.name"},
};

/// Old name of spec.nodeName.
inline constexpr std::array kLabelsOfPod = {FieldLabel{"spec.host", "spec.nodeName"}};
inline constexpr std::array kLabelsOfEvent = {
    FieldLabel{"regarding.kind", "involvedObject.kind"},
    FieldLabel{"regarding.namespace", "involvedObject.namespace"},
    FieldLabel{"regarding.name", "involvedObject.name"},
    FieldLabel{"regarding.uid", "involvedObject.uid"},
    FieldLabel{"regarding.apiVersion", "involvedObject.apiVersion"},
    FieldLabel{"regarding.resourceVersion", "involvedObject.resourceVersion"},
    FieldLabel{"regarding.fieldPath", "involvedObject.fieldPath"},
    FieldLabel{"reason", "reason"},
    FieldLabel{"reportingController", "reportingComponent"},
    FieldLabel{"type", "type"},
};

}  // namespace plimsoll::api
