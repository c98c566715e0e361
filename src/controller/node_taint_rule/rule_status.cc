#include "controller/node_taint_rule/rule_status.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/decimal.h"
#include "codec/json.h"
#include "controller/workload/condition.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::size_t kMessageBytesMax = 1024;

/// Orders numbers by size, before other texts.
bool IsLess(const std::string& a, const std::string& b) {
  const std::optional<std::int64_t> x = DecimalValue(a);
  const std::optional<std::int64_t> y = DecimalValue(b);
  if (x && y) return *x < *y;
  if (x || y) return x.has_value();
  return a < b;
}

std::string ValuesText(std::vector<std::string> values) {
  if (values.empty()) return "null";
  std::ranges::sort(values, IsLess);
  return JsonText()
      .Text("min", values.front())
      .Text("median", values[(values.size() - 1) / 2])
      .Text("max", values.back())
      .Done();
}

std::string CountsText(const RuleReport& report) {
  return JsonText()
      .Int("selected", static_cast<std::int64_t>(report.selected))
      .Int("stale", static_cast<std::int64_t>(report.stale))
      .Int("tainted", static_cast<std::int64_t>(report.tainted))
      .Done();
}

std::string ConflictsText(const RuleReport& report) {
  std::string list;
  for (const RuleConflict& conflict : report.conflicts) {
    JsonText text;
    text.Text("node", conflict.node);
    if (!conflict.manager.empty()) text.Text("manager", conflict.manager);
    if (!conflict.value.empty()) text.Text("value", conflict.value);
    list += (list.empty() ? "" : ",") + text.Done();
  }
  return list.empty() ? "null" : "[" + list + "]";
}

/// Sets the condition, and keeps its time of transition if the status stays.
void Set(WorkloadConditions& conditions, WorkloadCondition condition, Instant now) {
  const WorkloadCondition* const before = conditions.Find(condition.type);
  condition.message.resize(std::min(condition.message.size(), kMessageBytesMax));
  condition.last_transition_time = before != nullptr && before->status == condition.status
                                       ? before->last_transition_time
                                       : FormatTime(now);
  conditions.Set(std::move(condition));
}

std::string ConditionsText(const api::Object& rule, const RuleReport& report, Instant now) {
  WorkloadConditions conditions(rule);
  const auto make = [&](std::string type, std::string status, std::string reason,
                        std::string message) {
    WorkloadCondition made;
    made.type = std::move(type);
    made.status = std::move(status);
    made.reason = std::move(reason);
    made.message = std::move(message);
    made.observed_generation = rule.metadata().generation;
    Set(conditions, std::move(made), now);
  };
  make("SourceHealthy",
       !report.is_healthy   ? "Unknown"
       : *report.is_healthy ? "True"
                            : "False",
       report.health_reason, report.health_message);
  const std::size_t count = report.conflict_count;
  make("Conflict", count > 0 ? "True" : "False", count > 0 ? "OtherManager" : "NoConflict",
       count == 0   ? ""
       : count == 1 ? "another manager owns the taint on 1 node"
                    : "another manager owns the taint on " + std::to_string(count) + " nodes");
  return conditions.Json();
}

/// Returns true if the stored status has this value, or neither has one.
bool IsStored(const codec::Value* status, std::string_view key, const codec::Value& wanted) {
  const codec::Value* const stored = status == nullptr ? nullptr : status->Find(key);
  if (stored == nullptr || stored->is_null()) return wanted.is_null();
  return *stored == wanted;
}

}  // namespace

RuleStatus StatusOf(const api::Object& rule, const RuleReport& report, Instant now) {
  JsonText text;
  text.Int("observedGeneration", rule.metadata().generation.value_or(0));
  text.Raw("nodes", CountsText(report));
  text.Raw("values", ValuesText(report.values));
  text.Raw("conflicts", ConflictsText(report));
  text.Raw("conditions", ConditionsText(rule, report, now));
  const bool has_success = report.last_success.has_value();
  text.Raw("lastSuccess",
           has_success ? "\"" + FormatTime(*report.last_success) + "\"" : std::string("null"));
  const std::string wanted = text.Done();
  const auto document = codec::ParseJson(wanted);
  const codec::Value* const stored = rule.tree().Find("status");
  RuleStatus status;
  for (const codec::Member& member : (*document)->root().members()) {
    if (IsStored(stored, member.key, member.value)) continue;
    if (member.key != "lastSuccess") {
      status.difference = StatusDifference::Some;
    } else if (status.difference == StatusDifference::None) {
      status.difference = StatusDifference::OnlySuccess;
    }
  }
  if (status.difference == StatusDifference::None) return status;
  status.patch = JsonText()
                     .Raw("metadata", JsonText()
                                          .Text("resourceVersion", rule.metadata().resource_version)
                                          .Text("uid", rule.metadata().uid)
                                          .Done())
                     .Raw("status", wanted)
                     .Done();
  return status;
}

}  // namespace plimsoll::controller
