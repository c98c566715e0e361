#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "api/schema/schema.h"

/// Fields that field selectors may use, in addition to metadata.name and metadata.namespace.
namespace plimsoll::apiserver {

struct SelectableField {
  std::string_view label;    // in the selector: status.successful
  std::string_view path;     // in the stored object; empty: never has a value
  std::string_view missing;  // value if the object lacks the field: `false`, `0`
  std::string_view instead;  // label whose value is used before `missing`
};

/// Returns the selectable fields of a stored kind.
std::span<const SelectableField> SelectableFields(const api::KindDesc& stored);

/// Converts a field label of a served kind to that of the stored kind: `regarding.kind` becomes
/// `involvedObject.kind`. Returns nullopt for `field label not supported`.
std::optional<std::string_view> ResolveFieldLabel(const api::KindDesc& served,
                                                  std::string_view label);

}  // namespace plimsoll::apiserver
