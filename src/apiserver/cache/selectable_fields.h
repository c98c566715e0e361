#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "api/schema/schema.h"

/// What field selectors may ask for. metadata.name and metadata.namespace go without saying.
namespace plimsoll::apiserver {

struct SelectableField {
  std::string_view label;    // as selectors write it: status.successful
  std::string_view path;     // where it stands in the stored object; empty: it never has a value
  std::string_view missing;  // what an object has that does not say: `false`, `0`
  std::string_view instead;  // where else to look before that
};

/// The fields of a kind, as it is stored.
std::span<const SelectableField> SelectableFields(const api::KindDesc& stored);

/// The label of the stored kind that a label of a served kind stands for: `regarding.kind` is
/// `involvedObject.kind`. Nothing: `field label not supported`.
std::optional<std::string_view> ResolveFieldLabel(const api::KindDesc& served,
                                                  std::string_view label);

}  // namespace plimsoll::apiserver
