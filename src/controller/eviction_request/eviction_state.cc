#include "controller/eviction_request/eviction_state.h"

#include <algorithm>

#include "api/lifecycle/eviction.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

template <class T, class F>
std::string ListJson(const std::vector<T>& items, const F& write) {
  std::string list;
  for (const T& item : items) list.append(list.empty() ? "" : ",").append(write(item));
  return "[" + list + "]";
}

std::string ReportJson(const EvictionState::Report& report) {
  JsonText text;
  text.Text("name", report.name);
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) text.Text(key, value);
  };
  add("startTime", report.start_time);
  add("heartbeatTime", report.heartbeat_time);
  add("expectedCompletionTime", report.expected_completion_time);
  add("completionTime", report.completion_time);
  add("message", report.message);
  return text.Done();
}

}  // namespace

EvictionState::EvictionState(const EvictionTarget& target)
    : eviction_(*target.eviction), conditions_(*target.eviction) {
  const auto& stored = *eviction_.As<api::PodEviction>();
  for (const api::EvictionRequester& each : stored.requesters) {
    requesters.emplace_back(std::string(each.name), std::string(each.intent));
  }
  for (const api::TargetResponder& each : stored.target_responders) {
    responders.emplace_back(std::string(each.name), each.priority, std::string(each.state));
  }
  for (const api::ResponderStatus& each : stored.responders) {
    reports.emplace_back(std::string(each.name), std::string(each.start_time),
                         std::string(each.heartbeat_time),
                         std::string(each.expected_completion_time),
                         std::string(each.completion_time), std::string(each.message));
  }
  requesters_before_ = requesters;
  responders_before_ = responders;
  reports_before_ = reports;
}

EvictionState::Responder* EvictionState::Active() {
  const auto found = std::ranges::find(responders, responder_state::kActive, &Responder::state);
  return found == responders.end() ? nullptr : &*found;
}

EvictionState::Report& EvictionState::ReportOf(std::string_view name) {
  const auto found = std::ranges::find(reports, name, &Report::name);
  if (found != reports.end()) return *found;
  Report& report = reports.emplace_back();
  report.name = name;
  return report;
}

bool EvictionState::IsWanted() const {
  return std::ranges::find(requesters, kWantsEviction, &Requester::intent) != requesters.end();
}

void EvictionState::SetCondition(std::string_view type, bool is_true, std::string_view reason,
                                 std::string_view message, Instant now) {
  const std::string_view status = is_true ? "True" : "False";
  const WorkloadCondition* const known = conditions_.Find(type);
  const std::int64_t generation = IntAt(eviction_.tree(), {"metadata", "generation"});
  if (known != nullptr && known->status == status && known->reason == reason &&
      known->message == message) {
    return;
  }
  const bool is_transition = known == nullptr || known->status != status;
  conditions_.Set(
      {.type = std::string(type),
       .status = std::string(status),
       .reason = std::string(reason),
       .message = std::string(message),
       .last_transition_time = is_transition ? FormatTime(now) : known->last_transition_time,
       .last_update_time = {},
       .last_probe_time = {},
       .observed_generation = generation});
}

Instant EvictionState::DoneAt() const {
  Instant at{};
  for (const std::string_view type : {kTargetEvicted, kFailed}) {
    if (!IsTrue(type)) continue;
    const Result<Instant> time = ParseTime(Condition(type)->last_transition_time);
    if (time) at = std::max(at, *time);
  }
  return at;
}

std::string EvictionState::Patch() const {
  StatusChange change(eviction_);
  if (conditions_.is_changed()) change.Raw("conditions", conditions_.Json());
  if (requesters != requesters_before_) {
    change.Raw("requesters", ListJson(requesters, [](const Requester& each) {
                 return JsonText().Text("name", each.name).Text("intent", each.intent).Done();
               }));
  }
  if (responders != responders_before_) {
    change.Raw("targetResponders", ListJson(responders, [](const Responder& each) {
                 return JsonText()
                     .Text("name", each.name)
                     .Int("priority", each.priority)
                     .Text("state", each.state)
                     .Done();
               }));
  }
  if (reports != reports_before_) change.Raw("responders", ListJson(reports, ReportJson));
  change.Int("observedGeneration", IntAt(eviction_.tree(), {"metadata", "generation"}));
  return change.empty() ? std::string() : change.Patch();
}

}  // namespace plimsoll::controller
