#include "api/disabled_fields.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "api/kind_hooks.h"

namespace plimsoll::api {
namespace {

using codec::Value;

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

/// Returns true if the field is used. An empty list does not count.
bool IsSet(const Value* value) {
  return value != nullptr && !(value->is_array() && value->items().empty());
}

bool Uses(const Value& root, std::span<const GatedField> fields, std::optional<Feature> feature) {
  bool found = false;
  for (const GatedField& gated : fields) {
    if (gated.feature != feature) continue;
    ForEachAt(&root, gated.path,
              [&](const Value& holder) { found |= IsSet(holder.Find(gated.field)); });
  }
  return found;
}

void Drop(codec::Document& document, Value& root, std::span<const GatedField> fields,
          std::optional<Feature> feature) {
  for (const GatedField& gated : fields) {
    if (gated.feature != feature) continue;
    ForEachAt(&root, gated.path, [&](Value& holder) { document.Remove(holder, gated.field); });
  }
}

/// Returns the start of the paths, or null.
template <class V>
V* RootOf(V* tree, const KindHooks& hooks) {
  return tree == nullptr || hooks.gated_fields_below.empty() ? tree
                                                             : tree->Find(hooks.gated_fields_below);
}

}  // namespace

void DropDisabledFields(codec::Document& document, Value& tree, const KindDesc& kind,
                        const FeatureGates& gates, const Value* before) {
  static constexpr std::array<std::optional<Feature>, 6> kFeatures = {
      Feature::DRADeviceTaints,
      Feature::DRAConsumableCapacity,
      Feature::DRADeviceBindingConditions,
      Feature::DRAPartitionableDevices,
      Feature::EvictionRequestAPI,
      std::nullopt};
  const KindHooks& hooks = HooksOf(kind);
  Value* const root = hooks.gated_fields.empty() ? nullptr : RootOf(&tree, hooks);
  if (root == nullptr) return;
  const Value* const old = RootOf(before, hooks);
  for (const std::optional<Feature> feature : kFeatures) {
    if (feature && gates.Enabled(*feature)) continue;
    if (old != nullptr && Uses(*old, hooks.gated_fields, feature)) continue;
    Drop(document, *root, hooks.gated_fields, feature);
  }
}

}  // namespace plimsoll::api
