#pragma once

#include <optional>
#include <string_view>

#include "api/object.h"

namespace plimsoll::api {

/// One entry of status.conditions; missing fields are empty. Texts belong to the object.
struct ConditionView {
  std::string_view status;  // True, False, Unknown
  std::string_view reason;
  std::string_view message;
  std::string_view last_transition_time;  // RFC 3339
};

/// Searches the tree, because callers are rare. Returns nothing if no condition has that type.
std::optional<ConditionView> FindCondition(const Object& object, std::string_view type);

}  // namespace plimsoll::api
