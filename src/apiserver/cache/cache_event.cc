#include "apiserver/cache/cache_event.h"

#include <algorithm>

namespace plimsoll::apiserver {

bool Selection::Matches(const StoredObject& object) const {
  if (!namespace_.empty() && object.namespace_() != namespace_) return false;
  for (const api::FieldRequirement& requirement : fields.requirements()) {
    if ((object.Field(requirement.field) == requirement.value) != requirement.is_equal) {
      return false;
    }
  }
  return labels.empty() || labels.Matches(object.labels());
}

std::optional<std::string_view> Selection::Pinned(std::string_view field) const {
  const auto& requirements = fields.requirements();
  const auto pin =
      std::ranges::find_if(requirements, [&](const api::FieldRequirement& requirement) {
        return requirement.is_equal && requirement.field == field;
      });
  if (pin == requirements.end()) return std::nullopt;
  return pin->value;
}

}  // namespace plimsoll::apiserver
