#include "controller/eviction_request/eviction_plan.h"

#include <algorithm>
#include <utility>

#include "api/core/pod.h"
#include "api/lifecycle/eviction.h"
#include "api/lifecycle/eviction_request.h"
#include "base/time_arithmetic.h"
#include "controller/eviction_request/eviction_state.h"
#include "controller/workload/condition.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using Kind = EvictionStep::Kind;
using Responder = EvictionState::Responder;

constexpr std::size_t kRequestersMax = 100;
constexpr std::int64_t kImperativePriority = 100;
/// A report in the future by more than this is not trusted.
constexpr Duration kClockSkewMax = std::chrono::minutes(1);
/// The API server accepts a heartbeat every 20 seconds; an unchanged message needs fewer.
constexpr Duration kReportIntervalMin = std::chrono::seconds(30);
constexpr Duration kReportIntervalMax = std::chrono::minutes(5);

bool IsTerminal(const api::Object& pod) {
  const std::string_view phase = pod.As<api::Pod>()->status.phase;
  return phase == "Succeeded" || phase == "Failed";
}

bool IsGone(const EvictionTarget& target) {
  return target.pod == nullptr || IsTerminal(*target.pod);
}

/// Groups of pods are evicted as one by their scheduler, not pod by pod.
bool HasGroup(const EvictionTarget& target) {
  return target.pod != nullptr &&
         FindAt(target.pod->tree(), {"spec", "schedulingGroup"}) != nullptr;
}

bool IsLive(const api::Object& request) {
  return request.metadata().deletion_timestamp.empty() &&
         request.As<api::EvictionRequest>()->intent == kWantsEviction;
}

bool HasLiveRequest(const EvictionTarget& target) {
  return std::ranges::any_of(target.requests,
                             [](const auto& entry) { return IsLive(*entry.second); });
}

// ---- Requesters ---------------------------------------------------------------------------------

/// Updates the requesters. Those whose requests are gone stay, as withdrawn.
void UpdateRequesters(const EvictionTarget& target, EvictionState& state) {
  std::map<std::string_view, bool> wanted;  // by requester: one of its requests is live
  for (const auto& [name, request] : target.requests) {
    wanted[request->As<api::EvictionRequest>()->requester] |= IsLive(*request);
  }
  for (EvictionState::Requester& known : state.requesters) {
    const auto found = wanted.find(known.name);
    known.intent = found != wanted.end() && found->second ? "Eviction" : "Withdrawn";
    if (found != wanted.end()) wanted.erase(found);
  }
  for (const auto& [name, is_live] : wanted) {
    state.requesters.emplace_back(std::string(name), is_live ? "Eviction" : "Withdrawn");
  }
  if (state.requesters.size() <= kRequestersMax) return;
  std::ranges::stable_partition(state.requesters, [](const EvictionState::Requester& each) {
    return each.intent == kWantsEviction;
  });
  state.requesters.resize(kRequestersMax);
}

// ---- Responders ---------------------------------------------------------------------------------

std::vector<Responder> RespondersOf(const api::Object& pod) {
  std::vector<Responder> list;
  if (const codec::Value* const given = pod.As<api::Pod>()->spec.eviction_responders) {
    for (const codec::Value& item : given->items()) {
      const std::string_view name = TextAt(item, {"name"});
      if (name == kImperativeEvictor) continue;
      list.emplace_back(std::string(name), IntAt(item, {"priority"}),
                        std::string(responder_state::kInactive));
    }
  }
  list.emplace_back(std::string(kImperativeEvictor), kImperativePriority,
                    std::string(responder_state::kInactive));
  std::ranges::sort(list, [](const Responder& a, const Responder& b) {
    return RespondsBefore(a.priority, a.name, b.priority, b.name);
  });
  return list;
}

/// Returns the last sign of life of an active responder.
Instant LastSign(const EvictionState::Report& report, Instant now) {
  for (const std::string* text : {&report.heartbeat_time, &report.start_time}) {
    const Result<Instant> time = ParseTime(*text);
    if (time && *time <= SaturatingAdd(now, kClockSkewMax)) return std::min(*time, now);
  }
  return Instant{};
}

void Soonest(std::optional<Instant>& due, Instant at) { due = due ? std::min(*due, at) : at; }

/// Decides the next states of one Eviction.
class Progress {
 public:
  Progress(const EvictionTarget& target, const EvictorReport* report, Instant now)
      : target_(target), report_(report), now_(now), state_(target) {}

  EvictionStep Run() {
    UpdateRequesters(target_, state_);
    if (state_.responders.empty() && target_.pod != nullptr) {
      state_.responders = RespondersOf(*target_.pod);
      for (const Responder& each : state_.responders) state_.ReportOf(each.name);
    }
    if (state_.IsDone()) {
      FinishReports();
    } else if (IsGone(target_)) {
      Succeed();
    } else if (!state_.IsWanted()) {
      Cancel();
    } else {
      Advance();
    }
    step_.body = state_.Patch();
    step_.kind = step_.body.empty() ? Kind::Nothing : Kind::PatchStatus;
    return std::move(step_);
  }

  const EvictionState& state() const { return state_; }

 private:
  void Tell(EventType type, std::string_view reason, std::string message) {
    step_.events.push_back({type, reason, std::move(message)});
  }

  void SetConditions(bool is_evicted, bool is_failed, std::string_view reason,
                     std::string_view message) {
    state_.SetCondition(kTargetEvicted, is_evicted, reason, message, now_);
    state_.SetCondition(kFailed, is_failed, reason, message, now_);
  }

  void Succeed() {
    SetConditions(true, false, target_.pod == nullptr ? "TargetDeleted" : "TargetTerminated",
                  target_.pod == nullptr ? "The pod is gone." : "The pod has terminated.");
    FinishReports();
  }

  void Cancel() {
    if (Responder* const active = state_.Active()) active->state = responder_state::kCanceled;
    SetConditions(false, true, kReasonCanceled, "All requesters have withdrawn their requests.");
    Tell(EventType::Normal, "EvictionCanceled", "All requesters have withdrawn their requests");
  }

  /// After the end, waits a while for the report of the active responder.
  void FinishReports() {
    Responder* const active = state_.Active();
    if (active == nullptr) return;
    EvictionState::Report& report = state_.ReportOf(active->name);
    if (active->name == kImperativeEvictor && report.completion_time.empty()) {
      report.completion_time = FormatTime(now_);
    }
    const Instant end = SaturatingAdd(state_.DoneAt(), kReportGrace);
    if (!report.completion_time.empty()) {
      active->state = responder_state::kCompleted;
    } else if (now_ >= end) {
      active->state = responder_state::kInterrupted;
    } else {
      step_.due = end;
    }
  }

  void Advance() {
    if (Responder* const active = state_.Active()) {
      if (KeepsTurn(*active)) return;
    }
    const auto next =
        std::ranges::find(state_.responders, responder_state::kInactive, &Responder::state);
    if (next == state_.responders.end()) {
      SetConditions(false, true, "NoResponderLeft",
                    "All responders have finished, and the pod still runs.");
      return;
    }
    next->state = responder_state::kActive;
    state_.ReportOf(next->name).start_time = FormatTime(now_);
    SetConditions(false, false, "EvictionInProgress", "A responder evicts the pod.");
    Tell(EventType::Normal, "EvictionResponderActivated",
         "It is the turn of responder " + next->name);
    if (next->name != kImperativeEvictor) step_.due = SaturatingAdd(now_, kHeartbeatTimeout);
  }

  /// Returns false if the active responder has completed or shows no sign of life.
  bool KeepsTurn(Responder& active) {
    EvictionState::Report& report = state_.ReportOf(active.name);
    if (active.name == kImperativeEvictor) {
      ReportAttempt(report);
      return true;
    }
    if (!report.completion_time.empty()) {
      active.state = responder_state::kCompleted;
      return false;
    }
    const Instant end = SaturatingAdd(LastSign(report, now_), kHeartbeatTimeout);
    if (now_ >= end) {
      active.state = responder_state::kInterrupted;
      Tell(EventType::Warning, "EvictionResponderInterrupted",
           "Responder " + active.name + " has sent no heartbeat for 20 minutes");
      return false;
    }
    step_.due = end;
    return true;
  }

  void ReportAttempt(EvictionState::Report& report) {
    if (report_ == nullptr) return;
    const Result<Instant> last = ParseTime(report.heartbeat_time);
    const Duration wait =
        report_->message == report.message ? kReportIntervalMax : kReportIntervalMin;
    if (last && SaturatingAdd(*last, wait) > now_) return Soonest(step_.due, *last + wait);
    report.heartbeat_time = FormatTime(now_);
    report.message = report_->message;
  }

  const EvictionTarget& target_;
  const EvictorReport* report_;
  Instant now_;
  EvictionState state_;
  EvictionStep step_;
};

// ---- Labels and creation ------------------------------------------------------------------------

using Roles = std::map<std::string, std::string>;

void AddRole(Roles& roles, const std::string& name, bool is_responder) {
  std::string& role = roles[name];
  const std::string_view own = is_responder ? "responder" : "requester";
  role = role.empty() || role == own ? std::string(own) : "requester-responder";
}

std::string RolesJson(const Roles& roles) {
  JsonText text;
  for (const auto& [name, role] : roles) text.Text(name, role);
  return text.Done();
}

EvictionStep Create(const EvictionTarget& target) {
  Roles roles;
  for (const auto& [name, request] : target.requests) {
    if (!IsLive(*request) || roles.size() >= kRequestersMax) continue;
    AddRole(roles, std::string(request->As<api::EvictionRequest>()->requester), false);
  }
  for (const Responder& each : RespondersOf(*target.pod)) AddRole(roles, each.name, true);
  const std::string pod = JsonText().Text("name", target.name).Text("uid", target.uid).Done();
  EvictionStep step{.kind = Kind::Create, .body = {}};
  step.body = JsonText()
                  .Text("apiVersion", "lifecycle.k8s.io/v1alpha1")
                  .Text("kind", "Eviction")
                  .Raw("metadata", JsonText()
                                       .Text("name", target.uid)
                                       .Text("namespace", target.namespace_)
                                       .Raw("labels", RolesJson(roles))
                                       .Done())
                  .Raw("spec", JsonText().Raw("target", JsonText().Raw("pod", pod).Done()).Done())
                  .Done();
  return step;
}

/// Adds missing labels. Labels of former participants stay, like the participants.
EvictionStep PatchLabels(const api::Object& eviction, const EvictionState& state) {
  Roles roles;
  for (const auto& each : state.requesters) AddRole(roles, each.name, false);
  for (const Responder& each : state.responders) AddRole(roles, each.name, true);
  std::erase_if(roles, [&](const auto& entry) {
    return eviction.metadata().labels.Find(entry.first) == entry.second;
  });
  if (roles.empty()) return {};
  EvictionStep step{.kind = Kind::PatchLabels, .body = {}};
  step.body =
      JsonText()
          .Raw("metadata", JsonText()
                               .Text("uid", eviction.metadata().uid)
                               .Text("resourceVersion", eviction.metadata().resource_version)
                               .Raw("labels", RolesJson(roles))
                               .Done())
          .Done();
  return step;
}

/// Returns true if the Eviction was cancelled and someone wants it again.
bool MustRestart(const EvictionTarget& target, const EvictionState& state) {
  const WorkloadCondition* const failed = state.Condition(kFailed);
  return failed != nullptr && failed->status == "True" && failed->reason == kReasonCanceled &&
         HasLiveRequest(target) && !IsGone(target);
}

/// Reads domains from the top label down: k8s.io is `io`, `k8s`.
int CompareDomains(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const auto cut = [](std::string_view& domain) {
      const std::size_t dot = domain.rfind('.');
      const std::string_view label = dot == domain.npos ? domain : domain.substr(dot + 1);
      domain = dot == domain.npos ? std::string_view() : domain.substr(0, dot);
      return label;
    };
    const std::string_view label_a = cut(a);
    if (const int order = label_a.compare(cut(b)); order != 0) return order;
  }
  return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
}

// ---- Requests -----------------------------------------------------------------------------------

/// Content of the two conditions of a request.
struct Verdict {
  bool is_evicted = false;
  bool is_failed = false;
  std::string reason;
  std::string message;
};

/// Returns the verdict for a request without Eviction; nothing while it is open.
std::optional<Verdict> VerdictWithoutEviction(const api::Object& request,
                                              const EvictionTarget& target, Instant now,
                                              std::optional<Instant>& due) {
  const WorkloadConditions stored(request);
  if (stored.IsTrue(kTargetEvicted)) return std::nullopt;
  if (target.pod != nullptr && IsTerminal(*target.pod)) {
    return Verdict{true, false, "TargetTerminated", "The pod has terminated."};
  }
  if (target.pod == nullptr) {
    if (stored.Find(kTargetEvicted) != nullptr && !stored.IsTrue(kFailed)) {
      return Verdict{true, false, "TargetDeleted", "The pod is gone."};
    }
    const Instant end = SaturatingAdd(CreationTime(request.metadata()), kTargetLookupGrace);
    if (now < end) {
      Soonest(due, end);
      return std::nullopt;
    }
    return Verdict{false, true, "TargetNotFound", "There is no pod of this name and uid."};
  }
  if (!IsLive(request)) {
    return Verdict{false, true, std::string(kReasonCanceled), "The requester has withdrawn it."};
  }
  if (HasGroup(target)) {
    return Verdict{false, true, "SchedulingGroupNotSupported",
                   "The pod belongs to a scheduling group, whose pods cannot be evicted one by "
                   "one."};
  }
  return std::nullopt;
}

Verdict VerdictOf(const api::Object& eviction) {
  const WorkloadConditions stored(eviction);
  Verdict verdict{stored.IsTrue(kTargetEvicted), stored.IsTrue(kFailed), {}, {}};
  const WorkloadCondition* const told = stored.Find(verdict.is_failed ? kFailed : kTargetEvicted);
  verdict.reason = told == nullptr ? "EvictionInProgress" : told->reason;
  verdict.message = told == nullptr ? "A responder evicts the pod." : told->message;
  return verdict;
}

}  // namespace

bool RespondsBefore(std::int64_t priority, std::string_view name, std::int64_t other_priority,
                    std::string_view other_name) {
  if (priority != other_priority) return priority > other_priority;
  const auto split = [](std::string_view text) {
    const std::size_t slash = text.find('/');
    return std::pair(text.substr(0, slash),
                     slash == text.npos ? std::string_view() : text.substr(slash + 1));
  };
  const auto [domain, key] = split(name);
  const auto [other_domain, other_key] = split(other_name);
  const int order = CompareDomains(domain, other_domain);
  return order != 0 ? order < 0 : key < other_key;
}

EvictionStep NextEvictionStep(const EvictionTarget& target, const EvictorReport* report,
                              Instant now) {
  if (target.eviction == nullptr) {
    const bool is_possible = !IsGone(target) && !HasGroup(target);
    return is_possible && HasLiveRequest(target) ? Create(target) : EvictionStep{};
  }
  if (!target.eviction->metadata().deletion_timestamp.empty()) return {};
  Progress progress(target, report, now);
  EvictionStep step = progress.Run();
  if (step.kind != Kind::Nothing) return step;
  if (MustRestart(target, progress.state())) return {.kind = Kind::Delete, .body = {}};
  if (EvictionStep labels = PatchLabels(*target.eviction, progress.state());
      labels.kind != Kind::Nothing) {
    return labels;
  }
  if (progress.state().IsDone()) {
    if (!target.requests.empty()) return step;
    const Instant end = SaturatingAdd(progress.state().DoneAt(), kEvictionRetention);
    if (now >= end) return {.kind = Kind::Delete, .body = {}};
    Soonest(step.due, end);
    return step;
  }
  const auto active =
      std::ranges::find(progress.state().responders, responder_state::kActive, &Responder::state);
  const bool is_evictors_turn =
      active != progress.state().responders.end() && active->name == kImperativeEvictor;
  if (is_evictors_turn && target.pod->metadata().deletion_timestamp.empty()) {
    step.kind = Kind::Post;
  }
  return step;
}

RequestStep NextRequestStep(const api::Object& request, const EvictionTarget& target, Instant now) {
  RequestStep step;
  std::optional<Verdict> verdict;
  if (target.eviction != nullptr) {
    verdict = VerdictOf(*target.eviction);
    // An Eviction that must be restarted says nothing about the new intent.
    if (verdict->reason == kReasonCanceled && IsLive(request) && !IsGone(target)) return step;
  } else {
    verdict = VerdictWithoutEviction(request, target, now, step.due);
  }
  if (!verdict) return step;
  WorkloadConditions conditions(request);
  const std::int64_t generation = IntAt(request.tree(), {"metadata", "generation"});
  const auto set = [&](std::string_view type, bool is_true) {
    const std::string_view status = is_true ? "True" : "False";
    const WorkloadCondition* const known = conditions.Find(type);
    const bool is_same = known != nullptr && known->status == status;
    if (is_same && known->reason == verdict->reason && known->message == verdict->message) return;
    conditions.Set({.type = std::string(type),
                    .status = std::string(status),
                    .reason = verdict->reason,
                    .message = verdict->message,
                    .last_transition_time = is_same ? known->last_transition_time : FormatTime(now),
                    .last_update_time = {},
                    .last_probe_time = {},
                    .observed_generation = generation});
  };
  set(kTargetEvicted, verdict->is_evicted);
  set(kFailed, verdict->is_failed);
  StatusChange change(request);
  if (conditions.is_changed()) change.Raw("conditions", conditions.Json());
  change.Int("observedGeneration", generation);
  if (!change.empty()) step.patch = change.Patch();
  return step;
}

}  // namespace plimsoll::controller
