#include "runner/controller_runner.h"

#include <type_traits>
#include <utility>

#include "controller/controller_set.h"
#include "runner/controller_calls.h"
#include "runner/core_machine.h"

namespace plimsoll::runner {
namespace {

controller::ControllerSet SetOf(std::vector<std::unique_ptr<controller::Controller>> controllers) {
  controller::ControllerSet set;
  for (auto& one : controllers) set.Add(std::move(one));
  return set;
}

std::vector<WatchedObjects> WatchedBy(const controller::ControllerSet& set) {
  std::vector<WatchedObjects> watched;
  for (const api::KindDesc* const kind : set.watched()) watched.push_back({kind});
  return watched;
}

/// Calls about one object are made in order. What is created has no name to be told apart by, and
/// nothing that it must wait for.
std::string KeyOf(const controller::CreateObject& create) {
  return "create " + std::to_string(create.id);
}
std::string KeyOf(const controller::DeleteCollection& remove) {
  return "delete " + std::to_string(remove.id);
}
std::string KeyOf(const controller::ConfirmObject& confirm) {
  return "confirm " + std::to_string(confirm.id);
}
std::string KeyOf(const controller::EvictPod& evict) {
  return std::string(evict.pod->metadata().uid);
}
std::string KeyOf(const auto& action) { return std::string(action.object->metadata().uid); }

}  // namespace

class ControllerRunner::Machine {
 public:
  Machine(const client::Client& client, ControllerRunnerOptions options, Logger& log)
      : core_(SetOf(std::move(options.controllers))),
        machine_(client, core_,
                 {.watched = WatchedBy(core_),
                  .events = {.source = {.component = "controller-manager", .host = options.host},
                             .lanes = 4,
                             .queue_max = 25'000,
                             .seed = options.seed},
                  .calls_max = options.calls_max,
                  .seed = options.seed,
                  .role = {.name = "controllers"},
                  .backlog = std::move(options.backlog)},
                 log, [this](controller::Actions&& actions) { CarryOut(std::move(actions)); }) {}

  void Start() { machine_.Start(); }
  void Stop() { machine_.Stop(); }
  bool HasSynced() const { return machine_.HasSynced(); }

 private:
  void CarryOut(controller::Actions&& actions) {
    for (controller::Action& action : actions) {
      std::visit([this](auto& one) { CarryOut(std::move(one)); }, action);
    }
  }

  void CarryOut(controller::RecordEvent event) {
    machine_.Record({.regarding = client::ReferenceTo(*event.regarding),
                     .type = event.type,
                     .reason = std::string(event.reason),
                     .message = std::move(event.message),
                     .component = std::string(event.component)});
  }
  template <class T>
  void CarryOut(T action) {
    std::string key = KeyOf(action);
    const api::ActionId id = action.id;
    machine_.Call(std::move(key), id, [this, action = std::move(action)] {
      client::Call call = machine_.call();
      call.wants_object = std::is_same_v<T, controller::ConfirmObject>;
      return Send(machine_.client(), action, call);
    });
  }

  controller::ControllerSet core_;
  CoreMachine<controller::ControllerSet, controller::InputEvent, controller::Actions> machine_;
};

ControllerRunner::ControllerRunner(const client::Client& client, ControllerRunnerOptions options,
                                   Logger& log)
    : machine_(std::make_unique<Machine>(client, std::move(options), log)) {}

ControllerRunner::~ControllerRunner() = default;

void ControllerRunner::Start() { machine_->Start(); }
void ControllerRunner::Stop() { machine_->Stop(); }
bool ControllerRunner::HasSynced() const { return machine_->HasSynced(); }

}  // namespace plimsoll::runner
