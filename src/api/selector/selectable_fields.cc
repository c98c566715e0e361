#include "api/selector/selectable_fields.h"

#include <algorithm>

#include "api/kind_hooks.h"

namespace plimsoll::api {

std::optional<std::string_view> ResolveFieldLabel(const KindDesc& served, std::string_view label) {
  if (label == "metadata.name") return "metadata.name";
  const KindHooks& hooks = HooksOf(served);
  // Kinds with selectable fields accept the namespace only if they are namespaced. Other kinds
  // always accept it.
  if (label == "metadata.namespace" && (served.is_namespaced || hooks.selectable_fields.empty())) {
    return "metadata.namespace";
  }
  const auto renamed = std::ranges::find(hooks.field_labels, label, &FieldLabel::served);
  if (renamed != hooks.field_labels.end()) return renamed->stored;
  const auto field = std::ranges::find(hooks.selectable_fields, label, &SelectableField::label);
  if (field == hooks.selectable_fields.end()) return std::nullopt;
  return field->label;
}

}  // namespace plimsoll::api
