#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "api/object.h"
#include "base/time.h"

/// The condition EvictionInProgress of a DeviceTaintRule, in upstream's words.
namespace plimsoll::controller {

struct RuleCondition {
  bool is_in_progress = false;
  std::string reason;
  std::string message;
  std::int64_t observed_generation = 0;
  Instant changed_at{};  // lastTransitionTime; upstream moves it with every change

  /// All but the time.
  bool SaysTheSameAs(const RuleCondition& other) const {
    return is_in_progress == other.is_in_progress && reason == other.reason &&
           message == other.message && observed_generation == other.observed_generation;
  }
};

struct PodCount {
  std::size_t pods = 0;
  std::size_t namespaces = 0;
};

/// What a rule with `effect: None` would do.
struct RulePreview {
  std::size_t published_devices = 0;
  std::size_t allocated_devices = 0;  // a device that two claims share counts twice
  PodCount evictions;
};

/// Of a rule with NoExecute.
RuleCondition EvictionCondition(const PodCount& pending, std::size_t evicted);
/// Of a rule with None.
RuleCondition PreviewCondition(const RulePreview& preview, std::size_t evicted);
/// Of all others.
RuleCondition OtherEffectCondition(std::size_t evicted);

/// As the rule has it; nothing when it has none.
std::optional<RuleCondition> ConditionOf(const api::Object& rule);
/// For server-side apply to the status. The uid makes it fail for another rule of that name.
std::string ConditionPatch(const api::Object& rule, const RuleCondition& condition);

}  // namespace plimsoll::controller
