#include "api/disabled_fields.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace plimsoll::api {
namespace {

using codec::Value;

/// Gated fields of a feature. `path` leads from the object to the parents of the field. Lists are
/// traversed implicitly; `*` means all values of a map.
struct GatedFields {
  std::optional<Feature> feature;  // unset: alpha upstream and not implemented here
  std::string_view kind;
  std::string_view path;
  std::string_view field;
};

constexpr std::string_view kSlice = "ResourceSlice";
constexpr std::string_view kClaim = "ResourceClaim";  // its paths also apply to templates
constexpr std::string_view kExactly = "spec.devices.requests.exactly";
constexpr std::string_view kAlternatives = "spec.devices.requests.firstAvailable";

constexpr std::array kGatedFields = {
    GatedFields{Feature::DRADeviceTaints, kSlice, "spec", "taints"},
    GatedFields{Feature::DRADeviceTaints, kSlice, "spec.devices", "taints"},
    GatedFields{Feature::DRADeviceTaints, kClaim, kExactly, "tolerations"},
    GatedFields{Feature::DRADeviceTaints, kClaim, kAlternatives, "tolerations"},
    GatedFields{Feature::DRAConsumableCapacity, kSlice, "spec.devices", "allowMultipleAllocations"},
    GatedFields{Feature::DRAConsumableCapacity, kSlice, "spec.devices.capacity.*", "requestPolicy"},
    GatedFields{Feature::DRAConsumableCapacity, kClaim, kExactly, "capacity"},
    GatedFields{Feature::DRAConsumableCapacity, kClaim, kAlternatives, "capacity"},
    GatedFields{Feature::DRAConsumableCapacity, kClaim, "spec.devices.constraints",
                "distinctAttribute"},
    GatedFields{Feature::DRADeviceBindingConditions, kSlice, "spec.devices", "bindsToNode"},
    GatedFields{Feature::DRADeviceBindingConditions, kSlice, "spec.devices", "bindingConditions"},
    GatedFields{Feature::DRADeviceBindingConditions, kSlice, "spec.devices",
                "bindingFailureConditions"},
    GatedFields{Feature::DRAPartitionableDevices, kSlice, "spec", "sharedCounters"},
    GatedFields{Feature::DRAPartitionableDevices, kSlice, "spec", "perDeviceNodeSelection"},
    GatedFields{Feature::DRAPartitionableDevices, kSlice, "spec.devices", "consumesCounters"},
    GatedFields{Feature::DRAPartitionableDevices, kSlice, "spec.devices", "nodeName"},
    GatedFields{Feature::DRAPartitionableDevices, kSlice, "spec.devices", "nodeSelector"},
    GatedFields{Feature::DRAPartitionableDevices, kSlice, "spec.devices", "allNodes"},
    GatedFields{{}, kSlice, "spec", "partitionTypeAttribute"},
    GatedFields{{}, kSlice, "spec", "skipNodeOperations"},
    GatedFields{{}, kSlice, "spec.devices", "nodeAllocatableResources"},
    GatedFields{{}, kSlice, "spec.devices.consumesCounters", "compatibilityGroups"},
    GatedFields{{}, kSlice, "spec.devices.attributes.*", "bools"},
    GatedFields{{}, kSlice, "spec.devices.attributes.*", "ints"},
    GatedFields{{}, kSlice, "spec.devices.attributes.*", "strings"},
    GatedFields{{}, kSlice, "spec.devices.attributes.*", "versions"},
    GatedFields{{}, kClaim, kExactly, "derivedAttributes"},
    GatedFields{{}, kClaim, kAlternatives, "derivedAttributes"},
};

/// Visits every object that the path leads to.
template <class V, class Visit>
void ForEachAt(V* at, std::string_view path, const Visit& visit) {
  if (at == nullptr) return;
  if (at->is_array()) {
    for (V& item : at->items()) ForEachAt(&item, path, visit);
    return;
  }
  if (!at->is_object()) return;
  if (path.empty()) return visit(*at);
  const std::size_t dot = path.find('.');
  const std::string_view step = path.substr(0, dot);
  const std::string_view rest =
      dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  if (step != "*") return ForEachAt(at->Find(step), rest, visit);
  for (auto& member : at->members()) ForEachAt(&member.value, rest, visit);
}

/// Returns the root of the paths for this kind; null if the row does not apply.
template <class V>
V* RootOf(V& tree, std::string_view kind, const GatedFields& fields) {
  if (kind == fields.kind) return &tree;
  return kind == "ResourceClaimTemplate" && fields.kind == kClaim ? tree.Find("spec") : nullptr;
}

/// Returns true if the field is used. An empty list does not count.
bool IsSet(const Value* value) {
  return value != nullptr && !(value->is_array() && value->items().empty());
}

bool Uses(const Value& tree, std::string_view kind, std::optional<Feature> feature) {
  bool found = false;
  for (const GatedFields& fields : kGatedFields) {
    if (fields.feature != feature) continue;
    ForEachAt(RootOf(tree, kind, fields), fields.path,
              [&](const Value& holder) { found |= IsSet(holder.Find(fields.field)); });
  }
  return found;
}

void Drop(codec::Document& document, Value& tree, std::string_view kind,
          std::optional<Feature> feature) {
  for (const GatedFields& fields : kGatedFields) {
    if (fields.feature != feature) continue;
    ForEachAt(RootOf(tree, kind, fields), fields.path,
              [&](Value& holder) { document.Remove(holder, fields.field); });
  }
}

}  // namespace

void DropDisabledFields(codec::Document& document, Value& tree, const KindDesc& kind,
                        const FeatureGates& gates, const Value* before) {
  static constexpr std::array<std::optional<Feature>, 5> kFeatures = {
      Feature::DRADeviceTaints, Feature::DRAConsumableCapacity, Feature::DRADeviceBindingConditions,
      Feature::DRAPartitionableDevices, std::nullopt};
  if (kind.group != "resource.k8s.io") return;
  for (const std::optional<Feature> feature : kFeatures) {
    if (feature && gates.Enabled(*feature)) continue;
    if (before != nullptr && Uses(*before, kind.kind, feature)) continue;
    Drop(document, tree, kind.kind, feature);
  }
}

}  // namespace plimsoll::api
