#include "runner/action_guard.h"

#include <utility>

#include "base/assert.h"
#include "controller/rival_evictors.h"
#include "runner/limits.h"

namespace plimsoll::runner {
namespace {

const api::KindDesc& Kind(std::string_view name) {
  const api::KindDesc* const kind = api::FindKind("", "v1", name);
  PL_ASSERT(kind != nullptr);
  return *kind;
}

std::string CannotTell(const api::StatusObject& refusal) {
  return "cannot check whether another controller does the same work: " + refusal.message;
}

}  // namespace

ActionGuard::ActionGuard(ActionGuardOptions options, MetricsRegistry& metrics)
    : options_(std::move(options)),
      withheld_(metrics.AddCounters(
          {.name = "plimsoll_controller_withheld_actions_total",
           .help =
               "Actions of controllers that were not executed: in a dry run, or because another "
               "controller does the same work.",
           .labels = {"action", "reason"}})) {}

ActionGuard::Answer ActionGuard::Decide(const client::Client& client, const client::Call& call) {
  if (!options_.acts) return Answer::DryRun;
  std::unique_lock lock(mutex_);
  while (!checked_at_ || client.clock().Now() - *checked_at_ >= kRecheck) {
    if (is_checking_) {
      OneShotEvent answered;
      waiting_.push_back(&answered);
      lock.unlock();
      answered.Wait();
      lock.lock();
      continue;
    }
    is_checking_ = true;
    lock.unlock();
    std::optional<std::string> objection = FindObjection(client, call);
    lock.lock();
    objection_ = std::move(objection);
    checked_at_ = client.clock().Now();
    is_checking_ = false;
    for (OneShotEvent* const one : std::exchange(waiting_, {})) one->Set();
  }
  return objection_ ? Answer::AnotherActs : Answer::Act;
}

std::string ActionGuard::Objection() const {
  const std::scoped_lock lock(mutex_);
  return objection_.value_or(std::string());
}

Status ActionGuard::Withhold(Answer answer, std::string_view action) {
  const bool is_dry = answer == Answer::DryRun;
  withheld_.With({action, is_dry ? "dry-run" : "not-beside"}).Add();
  if (is_dry) return {};
  return Fail(Reason::Conflict, Objection());
}

client::EventToRecord ActionGuard::Adapt(Answer answer, const std::string& uid,
                                         client::EventToRecord event) {
  if (answer == Answer::Act) return event;
  const bool is_dry = answer == Answer::DryRun;
  if (!is_dry) {
    const std::scoped_lock lock(mutex_);
    if (withheld_events_.size() >= kWithheldEventsMax)
      withheld_events_.erase(withheld_events_.begin());
    withheld_events_.insert_or_assign(uid, event);
  }
  event.regarding = options_.reports_to;
  event.message = is_dry ? event.reason + " would be: " + event.message
                         : "Not done: " + event.message + ", as " + Objection();
  event.reason = is_dry ? "DryRun" : "NotActing";
  return event;
}

std::optional<client::EventToRecord> ActionGuard::PopWithheldEvent(std::string_view uid) {
  const std::scoped_lock lock(mutex_);
  const auto found = withheld_events_.find(uid);
  if (found == withheld_events_.end()) return std::nullopt;
  client::EventToRecord event = std::move(found->second);
  withheld_events_.erase(found);
  return event;
}

std::optional<std::string> ActionGuard::FindObjection(const client::Client& client,
                                                      const client::Call& call) const {
  const std::vector<controller::EvictionTraces> traces = controller::TracesOf(options_.controllers);
  client::ListOptions managers;
  managers.label_selector = "component=kube-controller-manager";  // kubeadm's label
  const auto pods = client.List({Kind("Pod"), "kube-system"}, managers, call);
  if (!pods) return CannotTell(pods.error());
  if (auto rival = controller::FindRivalManager(pods->objects, traces)) return rival;
  const Instant since = client.clock().Now() - kMemory;
  for (const controller::EvictionTraces& trace : traces) {
    client::ListOptions written;
    written.field_selector = "reason=" + std::string(trace.event_reason);
    const auto events = client.List({Kind("Event")}, written, call);
    if (!events) return CannotTell(events.error());
    if (auto rival = controller::FindRivalEvent(events->objects, since)) return rival;
  }
  return std::nullopt;
}

}  // namespace plimsoll::runner
