#include "controller/device_taint_eviction/rule_condition.h"

#include <string_view>
#include <utility>

#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kType = "EvictionInProgress";

/// Returns `1 pod` or `3 pods`.
std::string Counted(std::size_t count, std::string_view noun) {
  std::string text = std::to_string(count);
  text.append(" ").append(noun);
  if (count != 1) text += 's';
  return text;
}

std::string InNamespaces(std::size_t count) {
  return count == 1 ? " in 1 namespace" : " in " + std::to_string(count) + " different namespaces";
}

RuleCondition Make(bool is_in_progress, std::string_view reason, std::string message,
                   std::size_t evicted) {
  if (evicted > 0) {
    if (!message.empty()) message += ' ';
    message += Counted(evicted, "pod") + " evicted since starting the controller.";
  }
  return {.is_in_progress = is_in_progress,
          .reason = std::string(reason),
          .message = std::move(message)};
}

}  // namespace

RuleCondition EvictionCondition(const PodCount& pending, std::size_t evicted) {
  if (pending.pods == 0) return Make(false, evicted > 0 ? "Completed" : "NotStarted", {}, evicted);
  return Make(true, "PodsPendingEviction",
              Counted(pending.pods, "pod") + (pending.pods == 1 ? " needs" : " need") +
                  " to be evicted" + InNamespaces(pending.namespaces) + ".",
              evicted);
}

RuleCondition PreviewCondition(const RulePreview& preview, std::size_t evicted) {
  return Make(false, "NoEffect",
              Counted(preview.published_devices, "published device") + " selected. " +
                  Counted(preview.allocated_devices, "allocated device") + " selected. " +
                  Counted(preview.evictions.pods, "pod") + " would be evicted" +
                  InNamespaces(preview.evictions.namespaces) +
                  " if the effect was NoExecute. This information will not be updated again. "
                  "Recreate the DeviceTaintRule to trigger an update.",
              evicted);
}

RuleCondition OtherEffectCondition(std::size_t evicted) {
  return Make(false, "OtherEffect", "Eviction only happens for the NoExecute effect.", evicted);
}

std::optional<RuleCondition> ConditionOf(const api::Object& rule) {
  const codec::Value* const conditions = FindAt(rule.tree(), {"status", "conditions"});
  if (conditions == nullptr) return std::nullopt;
  for (const codec::Value& condition : conditions->items()) {
    if (TextAt(condition, {"type"}) != kType) continue;
    RuleCondition found;
    found.is_in_progress = TextAt(condition, {"status"}) == "True";
    found.reason = TextAt(condition, {"reason"});
    found.message = TextAt(condition, {"message"});
    found.observed_generation = IntAt(condition, {"observedGeneration"});
    found.changed_at = TimeAt(condition, {"lastTransitionTime"}).value_or(Instant{});
    return found;
  }
  return std::nullopt;
}

std::string ConditionPatch(const api::Object& rule, const RuleCondition& condition) {
  const std::string item = JsonText()
                               .Text("type", kType)
                               .Text("status", condition.is_in_progress ? "True" : "False")
                               .Int("observedGeneration", condition.observed_generation)
                               .Text("lastTransitionTime", FormatTime(condition.changed_at))
                               .Text("reason", condition.reason)
                               .Text("message", condition.message)
                               .Done();
  return JsonText()
      .Text("apiVersion", std::string(rule.kind().group) + "/" + std::string(rule.kind().version))
      .Text("kind", "DeviceTaintRule")
      .Raw("metadata",
           JsonText().Text("name", rule.metadata().name).Text("uid", rule.metadata().uid).Done())
      .Raw("status", JsonText().Raw("conditions", "[" + item + "]").Done())
      .Done();
}

}  // namespace plimsoll::controller
