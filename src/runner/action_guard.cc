#include "runner/action_guard.h"

#include <utility>

#include "base/assert.h"
#include "controller/rival_evictors.h"

namespace plimsoll::runner {
namespace {

const api::KindDesc& Kind(std::string_view name) {
  const api::KindDesc* const kind = api::FindKind("", "v1", name);
  PL_ASSERT(kind != nullptr);
  return *kind;
}

std::string CannotTell(const api::StatusObject& refusal) {
  return "cannot see whether others do the same work: " + refusal.message;
}

}  // namespace

ActionGuard::ActionGuard(ActionGuardOptions options, MetricsRegistry& metrics)
    : options_(std::move(options)),
      withheld_(metrics.AddCounters(
          {.name = "plimsoll_controller_withheld_actions_total",
           .help = "What controllers wanted done and was not: in a dry run, or beside another that "
                   "does the same work.",
           .labels = {"action", "reason"}})) {}

ActionGuard::Answer ActionGuard::Ask(const client::Client& client, const client::Call& call) {
  if (!options_.acts) return Answer::DryRun;
  std::unique_lock lock(mutex_);
  while (!looked_ || client.clock().Now() - *looked_ >= kRecheck) {
    if (is_looking_) {
      Baton answered;
      waiting_.push_back(&answered);
      lock.unlock();
      answered.Wait();
      lock.lock();
      continue;
    }
    is_looking_ = true;
    lock.unlock();
    std::optional<std::string> objection = Look(client, call);
    lock.lock();
    objection_ = std::move(objection);
    looked_ = client.clock().Now();
    is_looking_ = false;
    for (Baton* const one : std::exchange(waiting_, {})) one->Post();
  }
  return objection_ ? Answer::AnotherActs : Answer::Act;
}

std::string ActionGuard::Objection() const {
  const std::scoped_lock lock(mutex_);
  return objection_.value_or(std::string());
}

void ActionGuard::Withheld(std::string_view action, Answer why) {
  withheld_.With({action, why == Answer::DryRun ? "dry-run" : "not-beside"}).Add();
}

std::optional<std::string> ActionGuard::Look(const client::Client& client,
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
