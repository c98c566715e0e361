#include "controller/workload/condition.h"

#include <algorithm>
#include <utility>

#include "controller/workload/tree.h"

namespace plimsoll::controller {

WorkloadConditions::WorkloadConditions(const api::Object& object) {
  const codec::Value* const list = FindAt(object.tree(), {"status", "conditions"});
  if (list == nullptr) return;
  for (const codec::Value& item : list->items()) {
    const auto text = [&](std::string_view key) { return std::string(TextAt(item, {key})); };
    WorkloadCondition& condition = conditions_.emplace_back();
    condition.type = text("type");
    condition.status = text("status");
    condition.reason = text("reason");
    condition.message = text("message");
    condition.last_transition_time = text("lastTransitionTime");
    condition.last_update_time = text("lastUpdateTime");
    condition.last_probe_time = text("lastProbeTime");
    const codec::Value* const generation = item.Find("observedGeneration");
    if (generation != nullptr && generation->is_int()) {
      condition.observed_generation = generation->AsInt();
    }
  }
}

const WorkloadCondition* WorkloadConditions::Find(std::string_view type) const {
  const auto found = std::ranges::find(conditions_, type, &WorkloadCondition::type);
  return found == conditions_.end() ? nullptr : &*found;
}

bool WorkloadConditions::IsTrue(std::string_view type) const {
  const WorkloadCondition* const found = Find(type);
  return found != nullptr && found->status == "True";
}

void WorkloadConditions::Set(WorkloadCondition condition) {
  is_changed_ = true;
  const auto found = std::ranges::find(conditions_, condition.type, &WorkloadCondition::type);
  if (found == conditions_.end()) {
    conditions_.push_back(std::move(condition));
  } else {
    *found = std::move(condition);
  }
}

void WorkloadConditions::Remove(std::string_view type) {
  if (std::erase_if(conditions_, [&](const auto& one) { return one.type == type; }) > 0) {
    is_changed_ = true;
  }
}

std::string WorkloadConditions::Json() const {
  if (conditions_.empty()) return "null";
  std::string list;
  for (const WorkloadCondition& condition : conditions_) {
    JsonText text;
    text.Text("type", condition.type).Text("status", condition.status);
    const auto add = [&](std::string_view key, const std::string& value) {
      if (!value.empty()) text.Text(key, value);
    };
    if (condition.observed_generation) {
      text.Int("observedGeneration", *condition.observed_generation);
    }
    add("lastProbeTime", condition.last_probe_time);
    add("lastUpdateTime", condition.last_update_time);
    add("lastTransitionTime", condition.last_transition_time);
    add("reason", condition.reason);
    // metav1.Condition requires the message, even if it is empty.
    if (condition.observed_generation || !condition.message.empty()) {
      text.Text("message", condition.message);
    }
    list += (list.empty() ? "" : ",") + text.Done();
  }
  return "[" + list + "]";
}

}  // namespace plimsoll::controller
