#include "api/core/pod_condition.h"

namespace plimsoll::api {
namespace {

std::string_view TextAt(const codec::Value& object, std::string_view key) {
  const codec::Value* const value = object.Find(key);
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

}  // namespace

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
