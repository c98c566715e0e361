#include "cli/evictions/eviction_list.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "api/core/pod.h"
#include "api/core/pod_condition.h"
#include "api/plimsoll/eviction_policy.h"
#include "cli/explain/cluster_reader.h"
#include "cli/preview/eviction_forecast.h"
#include "codec/value_at.h"
#include "match/toleration.h"

namespace plimsoll::cli {
namespace {

using codec::Value;

std::int64_t CountAt(const Value* object, std::string_view key) {
  const Value* const value = object == nullptr ? nullptr : object->Find(key);
  return value != nullptr && value->is_int() ? value->AsInt() : 0;
}

/// Returns the time of the event's last occurrence, as text; RFC 3339 sorts by time.
std::string_view TimeOf(const Value& event) {
  for (const std::string_view field : {"lastTimestamp", "eventTime", "firstTimestamp"}) {
    if (const std::string_view time = TextAt(&event, field); !time.empty()) return time;
  }
  return {};
}

/// Returns the message of the last event per pod uid.
std::map<std::string_view, std::string_view> LastDelays(const std::vector<ObjectPtr>& events) {
  std::map<std::string_view, std::pair<std::string_view, std::string_view>> last;
  for (const ObjectPtr& event : events) {
    const std::string_view uid = TextAt(event->tree().Find("involvedObject"), "uid");
    const std::string_view time = TimeOf(event->tree());
    auto& [known, message] = last[uid];
    if (time < known) continue;
    known = time;
    message = TextAt(&event->tree(), "message");
  }
  std::map<std::string_view, std::string_view> messages;
  for (const auto& [uid, entry] : last) messages[uid] = entry.second;
  return messages;
}

EvictionRow RunningRow(const ObjectPtr& pod, const api::ConditionView& condition) {
  EvictionRow row{EvictionState::Running, pod, std::nullopt, std::string(condition.message)};
  const auto end = ParseTime(pod->metadata().deletion_timestamp);
  if (end) row.due = *end;
  return row;
}

}  // namespace

std::string_view ToText(EvictionState state) {
  switch (state) {
    case EvictionState::HeldBack:
      return "HeldBack";
    case EvictionState::Due:
      return "Due";
    case EvictionState::Waiting:
      return "Waiting";
    case EvictionState::Running:
      return "Running";
  }
  return "";
}

std::vector<EvictionRow> ListEvictions(const EvictionObjects& objects,
                                       const api::FeatureGates& gates, const match::Rules& rules,
                                       Instant now) {
  EvictionForecast forecast(gates, rules, now);
  for (const ObjectPtr& node : objects.nodes) {
    const auto& taints = node->As<api::Node>()->spec.taints;
    if (std::ranges::any_of(taints, match::Evicts)) forecast.Observe(nullptr, node);
  }
  std::vector<EvictionRow> rows;
  for (const ObjectPtr& pod : objects.pods) {
    const auto target = api::FindCondition(*pod, "DisruptionTarget");
    if (pod->metadata().deletion_timestamp.empty()) {
      forecast.Observe(nullptr, pod);
    } else if (target && target->status == "True") {
      rows.push_back(RunningRow(pod, *target));
    }
  }
  forecast.Sync();
  const auto delays = LastDelays(objects.delays);
  for (const Departure& one : forecast.Run()) {
    EvictionRow row{EvictionState::Waiting, one.pod, one.at, one.why};
    if (one.at <= now) {
      const auto delay = delays.find(one.pod->metadata().uid);
      row.state = delay == delays.end() ? EvictionState::Due : EvictionState::HeldBack;
      if (delay != delays.end()) row.why = delay->second;
    }
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, [](const EvictionRow& a, const EvictionRow& b) {
    const auto order = [](const EvictionRow& row) {
      return std::tuple(row.state, row.due.value_or(Instant::max()), row.pod->metadata().namespace_,
                        row.pod->metadata().name);
    };
    return order(a) < order(b);
  });
  return rows;
}

std::vector<PolicyRow> ListPolicies(const std::vector<ObjectPtr>& policies) {
  std::vector<PolicyRow> rows;
  for (const ObjectPtr& object : policies) {
    const auto* const policy = object->As<api::EvictionPolicy>();
    if (policy == nullptr) continue;
    const Value* const status = policy->status.source;
    PolicyRow row;
    row.name = policy->metadata.name;
    row.waiting = CountAt(status, "waiting");
    row.held_back = CountAt(status, "heldBack");
    row.evicted = policy->status.evicted;
    row.next_due = TextAt(status, "nextDue");
    row.is_paused = policy->spec.paused;
    const Value* const holds = status == nullptr ? nullptr : status->Find("heldBackBy");
    if (holds != nullptr && holds->is_array()) {
      for (const Value& hold : holds->items()) {
        if (!row.held_by.empty()) row.held_by += ", ";
        row.held_by.append(TextAt(&hold, "reason")).append(" ");
        row.held_by += std::to_string(CountAt(&hold, "pods"));
      }
    }
    const auto resumed = ParseTime(policy->spec.resumed_at);
    for (const api::EvictionBreakerState& state : policy->status.breakers) {
      const auto tripped = ParseTime(state.tripped_at);
      if (!tripped || (resumed && *tripped <= *resumed)) continue;
      row.tripped.emplace_back(state.scope.empty() ? "cluster" : state.scope);
    }
    rows.push_back(std::move(row));
  }
  std::ranges::sort(rows, {}, &PolicyRow::name);
  return rows;
}

}  // namespace plimsoll::cli
