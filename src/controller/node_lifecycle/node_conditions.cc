#include "controller/node_lifecycle/node_conditions.h"

#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

const codec::Value* FindConditionOf(const api::Object& object, std::string_view type) {
  const codec::Value* const conditions = FindAt(object.tree(), {"status", "conditions"});
  if (conditions == nullptr) return nullptr;
  for (const codec::Value& condition : conditions->items()) {
    if (TextAt(condition, {"type"}) == type) return &condition;
  }
  return nullptr;
}

/// Returns a patch of conditions. It fails with Conflict if the object has changed.
std::string ConditionsPatch(const api::Object& object, std::string_view conditions) {
  const std::string version =
      JsonText().Text("resourceVersion", object.metadata().resource_version).Done();
  const std::string status =
      JsonText().Raw("conditions", "[" + std::string(conditions) + "]").Done();
  return JsonText().Raw("metadata", version).Raw("status", status).Done();
}

/// Returns the patch of one condition, or "" if it is Unknown already.
std::string LapsedCondition(const api::Object& node, std::string_view type, Instant now) {
  const codec::Value* const known = FindConditionOf(node, type);
  JsonText condition;
  condition.Text("type", type).Text("status", "Unknown");
  if (known == nullptr) {
    condition.Text("reason", "NodeStatusNeverUpdated")
        .Text("message", "Kubelet never posted node status.");
    const std::string_view created = node.metadata().creation_timestamp;
    if (!created.empty()) condition.Text("lastHeartbeatTime", created);
  } else if (TextAt(*known, {"status"}) != "Unknown") {
    condition.Text("reason", "NodeStatusUnknown")
        .Text("message", "Kubelet stopped posting node status.");
  } else {
    return {};
  }
  return condition.Text("lastTransitionTime", FormatTime(now)).Done();
}

}  // namespace

Readiness ReadinessOf(const api::Object& node) {
  const codec::Value* const ready = FindConditionOf(node, "Ready");
  if (ready == nullptr) return Readiness::Missing;
  const std::string_view status = TextAt(*ready, {"status"});
  if (status == "True") return Readiness::True;
  return status == "False" ? Readiness::False : Readiness::Unknown;
}

Instant HeartbeatOf(const api::Object& node) {
  if (const codec::Value* const ready = FindConditionOf(node, "Ready")) {
    return TimeAt(*ready, {"lastHeartbeatTime"}).value_or(Instant{});
  }
  return CreationTime(node.metadata());
}

std::string LapsePatch(const api::Object& node, Instant now) {
  if (ReadinessOf(node) == Readiness::Unknown) return {};
  std::string conditions;
  // NetworkUnavailable is set by the control plane, so it is kept.
  for (const std::string_view type : {"Ready", "MemoryPressure", "DiskPressure", "PIDPressure"}) {
    const std::string condition = LapsedCondition(node, type, now);
    if (condition.empty()) continue;
    if (!conditions.empty()) conditions += ',';
    conditions += condition;
  }
  return ConditionsPatch(node, conditions);
}

std::string NotReadyPatch(const api::Object& pod, Instant now) {
  const codec::Value* const ready = FindConditionOf(pod, "Ready");
  if (ready == nullptr || TextAt(*ready, {"status"}) == "False") return {};
  return ConditionsPatch(pod, JsonText()
                                  .Text("type", "Ready")
                                  .Text("status", "False")
                                  .Text("lastTransitionTime", FormatTime(now))
                                  .Done());
}

std::optional<Instant> RenewTimeOf(const api::Object& lease) {
  return TimeAt(lease.tree(), {"spec", "renewTime"});
}

}  // namespace plimsoll::controller
