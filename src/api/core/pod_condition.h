#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/object.h"
#include "base/time.h"

namespace plimsoll::api {

/// A new or changed entry of a pod's status.conditions.
struct PodCondition {
  std::string_view type;  // PodScheduled, DisruptionTarget; a string literal
  bool status = false;    // True or False
  std::string_view reason;
  std::string message;
  /// lastTransitionTime. Unset if the condition already had the same status; the old time is then
  /// kept.
  std::optional<Instant> transitioned;
  std::optional<std::int64_t> observed_generation;

  friend bool operator==(const PodCondition&, const PodCondition&) = default;
};

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
