#include "controller/node_lifecycle/node_taints.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "base/time_arithmetic.h"
#include "controller/node_lifecycle/node_conditions.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using api::Taint;

constexpr std::string_view kNoSchedule = "NoSchedule";
constexpr std::string_view kNoExecute = "NoExecute";
constexpr std::string_view kNotReady = "node.kubernetes.io/not-ready";
constexpr std::string_view kUnreachable = "node.kubernetes.io/unreachable";
constexpr std::string_view kUnschedulable = "node.kubernetes.io/unschedulable";

struct ConditionTaint {
  std::string_view condition;
  std::string_view status;
  std::string_view key;
};
constexpr ConditionTaint kConditionTaints[] = {
    {"Ready", "False", kNotReady},
    {"Ready", "Unknown", kUnreachable},
    {"MemoryPressure", "True", "node.kubernetes.io/memory-pressure"},
    {"DiskPressure", "True", "node.kubernetes.io/disk-pressure"},
    {"NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"},
    {"PIDPressure", "True", "node.kubernetes.io/pid-pressure"},
};

/// Returns true for NoSchedule taints that only this controller manages.
bool IsOurs(const Taint& taint) {
  if (taint.effect != kNoSchedule) return false;
  return taint.key == kUnschedulable ||
         std::ranges::find(kConditionTaints, taint.key, &ConditionTaint::key) !=
             std::end(kConditionTaints);
}

bool IsNoExecute(const Taint& taint, std::string_view key) {
  return taint.effect == kNoExecute && taint.key == key;
}

std::vector<std::string_view> WantedNoSchedule(const api::Object& object) {
  std::vector<std::string_view> keys;
  if (const codec::Value* const conditions = FindAt(object.tree(), {"status", "conditions"})) {
    for (const codec::Value& condition : conditions->items()) {
      const std::string_view type = TextAt(condition, {"type"});
      const std::string_view status = TextAt(condition, {"status"});
      for (const ConditionTaint& row : kConditionTaints) {
        if (row.condition == type && row.status == status) keys.push_back(row.key);
      }
    }
  }
  if (object.As<api::Node>()->spec.unschedulable) keys.push_back(kUnschedulable);
  return keys;
}

/// Keeps or adds the `wanted` NoExecute taint and removes the other; empty: removes both.
void SetNoExecute(std::vector<Taint>& taints, std::string_view wanted, std::string_view time) {
  for (const std::string_view key : {kNotReady, kUnreachable}) {
    if (key == wanted) continue;
    std::erase_if(taints, [&](const Taint& taint) { return IsNoExecute(taint, key); });
  }
  const bool is_there =
      std::ranges::any_of(taints, [&](const Taint& taint) { return IsNoExecute(taint, wanted); });
  if (wanted.empty() || is_there) return;
  taints.push_back({.key = wanted, .value = {}, .effect = kNoExecute, .time_added = time});
}

std::string TaintsText(const std::vector<Taint>& taints) {
  if (taints.empty()) return "null";
  std::string text;
  for (const Taint& taint : taints) {
    JsonText one;
    one.Text("key", taint.key);
    if (!taint.value.empty()) one.Text("value", taint.value);
    one.Text("effect", taint.effect);
    if (!taint.time_added.empty()) one.Text("timeAdded", taint.time_added);
    text += (text.empty() ? "" : ",") + one.Done();
  }
  return "[" + text + "]";
}

}  // namespace

bool HasNoExecuteTaint(const api::Object& node) {
  return std::ranges::any_of(node.As<api::Node>()->spec.taints, [](const Taint& taint) {
    return IsNoExecute(taint, kNotReady) || IsNoExecute(taint, kUnreachable);
  });
}

std::string TaintsPatch(const api::Object& node, NoExecuteWish wish, Instant now) {
  const std::vector<Taint>& before = node.As<api::Node>()->spec.taints;
  const std::vector<std::string_view> wanted = WantedNoSchedule(node);
  const std::string time = FormatTime(RoundUpToSecond(now));
  std::vector<Taint> taints = before;
  std::erase_if(taints, [&](const Taint& taint) {
    return IsOurs(taint) && std::ranges::find(wanted, taint.key) == wanted.end();
  });
  for (const std::string_view key : wanted) {
    const bool is_there = std::ranges::any_of(
        taints, [&](const Taint& taint) { return IsOurs(taint) && taint.key == key; });
    if (is_there) continue;
    taints.push_back({.key = key, .value = {}, .effect = kNoSchedule, .time_added = time});
  }
  const Readiness ready = ReadinessOf(node);
  if (wish == NoExecuteWish::Absent) {
    SetNoExecute(taints, {}, time);
  } else if (wish == NoExecuteWish::Mirror && ready == Readiness::False) {
    SetNoExecute(taints, kNotReady, time);
  } else if (wish == NoExecuteWish::Mirror && ready == Readiness::Unknown) {
    SetNoExecute(taints, kUnreachable, time);
  }
  if (taints == before) return {};
  const std::string version =
      JsonText().Text("resourceVersion", node.metadata().resource_version).Done();
  return JsonText()
      .Raw("metadata", version)
      .Raw("spec", JsonText().Raw("taints", TaintsText(taints)).Done())
      .Done();
}

}  // namespace plimsoll::controller
