#include "api/core/pod_condition.h"

#include "codec/value_at.h"

namespace plimsoll::api {
namespace {}  // namespace

std::optional<ConditionView> FindCondition(const Object& object, std::string_view type) {
  const codec::Value* const status = object.tree().Find("status");
  const codec::Value* const conditions = status == nullptr ? nullptr : status->Find("conditions");
  if (conditions == nullptr) return std::nullopt;
  for (const codec::Value& condition : conditions->items()) {
    if (TextAt(condition, "type") != type) continue;
    return ConditionView{.status = TextAt(condition, "status"),
                         .reason = TextAt(condition, "reason"),
                         .message = TextAt(condition, "message"),
                         .last_transition_time = TextAt(condition, "lastTransitionTime")};
  }
  return std::nullopt;
}

}  // namespace plimsoll::api
