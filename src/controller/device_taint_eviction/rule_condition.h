#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "api/object.h"
#include "base/time.h"

/// The condition EvictionInProgress of a DeviceTaintRule, with upstream's texts.
namespace plimsoll::controller {

struct RuleCondition {
  bool is_in_progress = false;
  std::string reason;
  std::string message;
  std::int64_t observed_generation = 0;
  Instant changed_at{};  // lastTransitionTime; upstream moves it with every change

  /// Compares everything but `changed_at`.
  bool SaysTheSameAs(const RuleCondition& other) const {
    return is_in_progress == other.is_in_progress && reason == other.reason &&
           message == other.message && observed_generation == other.observed_generation;
  }
};

struct PodCount {
  std::size_t pods = 0;
  std::size_t namespaces = 0;
};

/// Effect that a rule with `effect: None` would have as NoExecute.
struct RulePreview {
  std::size_t published_devices = 0;
  std::size_t allocated_devices = 0;  // a device that two claims share counts twice
  PodCount evictions;
};

/// Returns the condition of a rule with effect NoExecute.
RuleCondition EvictionCondition(const PodCount& pending, std::size_t evicted);
/// Returns the condition of a rule with effect None.
RuleCondition PreviewCondition(const RulePreview& preview, std::size_t evicted);
/// Returns the condition of a rule with any other effect.
RuleCondition OtherEffectCondition(std::size_t evicted);

/// Returns the condition stored in the rule, or nothing.
std::optional<RuleCondition> ConditionOf(const api::Object& rule);
/// Returns a server-side apply patch of the status. The uid excludes another rule of the same name.
std::string ConditionPatch(const api::Object& rule, const RuleCondition& condition);

}  // namespace plimsoll::controller
