#include "api/disabled_fields.h"

#include <initializer_list>
#include <string_view>

namespace plimsoll::api {
namespace {

using codec::Value;

/// Visits every object that a path of field names leads to; lists on the way are gone through.
template <class V, class Visit>
void ForEachAt(V* at, std::initializer_list<std::string_view> path, const Visit& visit) {
  const auto walk = [&](const auto& self, V* value, auto step) -> void {
    if (value == nullptr) return;
    if (value->is_array()) {
      for (V& item : value->items()) self(self, &item, step);
      return;
    }
    if (!value->is_object()) return;
    if (step == path.end()) {
      visit(*value);
      return;
    }
    self(self, value->Find(*step), step + 1);
  };
  walk(walk, at, path.begin());
}

/// Where a kind keeps what DRADeviceTaints switches: objects, and the field in each.
template <class V, class Visit>
void ForEachHolder(V& tree, std::string_view kind, const Visit& visit) {
  if (kind == "ResourceSlice") {
    ForEachAt(&tree, {"spec"}, [&](V& spec) { visit(spec, "taints"); });
    ForEachAt(&tree, {"spec", "devices"}, [&](V& device) { visit(device, "taints"); });
    return;
  }
  if (kind != "ResourceClaim" && kind != "ResourceClaimTemplate") return;
  V* claim = &tree;
  if (kind == "ResourceClaimTemplate") claim = tree.Find("spec");
  const auto tolerations = [&](V& request) { visit(request, "tolerations"); };
  ForEachAt(claim, {"spec", "devices", "requests", "exactly"}, tolerations);
  ForEachAt(claim, {"spec", "devices", "requests", "firstAvailable"}, tolerations);
}

bool UsesDeviceTaints(const Value& tree, std::string_view kind) {
  bool found = false;
  ForEachHolder(tree, kind, [&](const Value& holder, std::string_view field) {
    const Value* list = holder.Find(field);
    found |= list != nullptr && !list->items().empty();
  });
  return found;
}

}  // namespace

void DropDisabledFields(codec::Document& document, Value& tree, const KindDesc& kind,
                        const FeatureGates& gates, const Value* before) {
  if (kind.group != "resource.k8s.io" || gates.Enabled(Feature::DRADeviceTaints)) return;
  if (before != nullptr && UsesDeviceTaints(*before, kind.kind)) return;
  ForEachHolder(tree, kind.kind,
                [&](Value& holder, std::string_view field) { document.Remove(holder, field); });
}

}  // namespace plimsoll::api
