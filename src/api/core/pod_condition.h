#pragma once

#include <optional>
#include <string_view>

#include "api/object.h"

namespace plimsoll::api {

/// One of status.conditions as it stands; what is missing is empty. Texts belong to the object.
struct ConditionView {
  std::string_view status;  // True, False, Unknown
  std::string_view reason;
  std::string_view message;
  std::string_view last_transition_time;  // RFC 3339
};

/// Seldom asked, hence looked up in the tree. Nothing when there is none of that type.
std::optional<ConditionView> FindCondition(const Object& object, std::string_view type);

}  // namespace plimsoll::api
