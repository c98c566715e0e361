#include "runner/controller_runner.h"

#include <map>
#include <mutex>
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

std::vector<WatchedObjects> WatchedBy(const controller::ControllerSet& set,
                                      const client::Transform& reads_as) {
  std::vector<WatchedObjects> watched;
  for (const auto& [kind, unread] : set.watched()) {
    watched.push_back({.kind = kind, .transform = reads_as, .unread = unread});
  }
  return watched;
}

/// Returns the key of an action; calls about one object run in order. A created object has no name
/// yet and need not wait for anything.
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

// Names of the actions in metrics.
std::string_view NameOf(const controller::CreateObject& /*action*/) { return "create"; }
std::string_view NameOf(const controller::PatchObject& /*action*/) { return "patch"; }
std::string_view NameOf(const controller::ReplaceObject& /*action*/) { return "update"; }
std::string_view NameOf(const controller::DeleteObject& /*action*/) { return "delete"; }
std::string_view NameOf(const controller::DeleteCollection& /*action*/) {
  return "deletecollection";
}
std::string_view NameOf(const controller::EvictPod& /*action*/) { return "evict"; }

client::EventToRecord NewsOf(controller::RecordEvent event) {
  return {.regarding = client::ReferenceTo(*event.regarding),
          .type = event.type,
          .reason = std::string(event.reason),
          .message = std::move(event.message),
          .component = std::string(event.component)};
}

}  // namespace

class ControllerRunner::Machine {
 public:
  Machine(const client::Client& client, ControllerRunnerOptions options, Logger& log)
      : guard_(std::move(options.guard)),
        core_(SetOf(std::move(options.controllers))),
        machine_(client, core_,
                 {.watched = WatchedBy(core_, options.reads_as),
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
    // A warning describes a state, not an action, so it is always recorded.
    if (guard_ == nullptr || event.type == api::EventType::Warning) {
      return machine_.Record(NewsOf(std::move(event)));
    }
    std::string key(event.regarding->metadata().uid);
    machine_.Run(key, [this, key, event = std::move(event)] {
      client::EventToRecord news = NewsOf(event);
      // Do not record an event on an object about an action that is not done.
      if (const auto answer = Ask(); answer != ActionGuard::Answer::Act) {
        if (answer == ActionGuard::Answer::AnotherActs) Keep(key, news);
        news = Report(answer, std::move(news));
      }
      machine_.Record(std::move(news));
    });
  }
  template <class T>
  void CarryOut(T action) {
    std::string key = KeyOf(action);
    const api::ActionId id = action.id;
    machine_.Call(std::move(key), id, [this, action = std::move(action)] {
      constexpr bool kReads = std::is_same_v<T, controller::ConfirmObject>;
      client::Call call = machine_.call();
      call.wants_object = kReads;
      if constexpr (!kReads) {
        if (const auto answer = Ask(); answer != ActionGuard::Answer::Act) {
          return Withhold(answer, NameOf(action));
        }
      }
      const Status status = Send(machine_.client(), action, call);
      if constexpr (std::is_same_v<T, controller::EvictPod>) {
        if (status) TellKept(KeyOf(action));
      }
      return status;
    });
  }

  // Keeps an event about a withheld eviction, until the eviction is done after all.
  void Keep(const std::string& uid, const client::EventToRecord& news) {
    const std::scoped_lock lock(kept_mutex_);
    if (kept_.size() >= kKeptMax) kept_.clear();
    kept_.insert_or_assign(uid, news);
  }
  void TellKept(const std::string& uid) {
    if (guard_ == nullptr) return;
    const std::scoped_lock lock(kept_mutex_);
    if (auto kept = kept_.extract(uid); !kept.empty()) machine_.Record(std::move(kept.mapped()));
  }

  ActionGuard::Answer Ask() {
    if (guard_ == nullptr) return ActionGuard::Answer::Act;
    return guard_->Ask(machine_.client(), machine_.call());
  }
  /// A dry run counts as success for the controller; a conflict makes it try again.
  Status Withhold(ActionGuard::Answer answer, std::string_view action) {
    guard_->Withheld(action, answer);
    if (answer == ActionGuard::Answer::DryRun) return {};
    return Fail(Reason::Conflict, guard_->Objection());
  }
  client::EventToRecord Report(ActionGuard::Answer answer, client::EventToRecord news) const {
    const bool is_dry = answer == ActionGuard::Answer::DryRun;
    news.regarding = guard_->reports_to();
    news.message = is_dry ? news.reason + " would be: " + news.message
                          : "Not done: " + news.message + ", as " + guard_->Objection();
    news.reason = is_dry ? "DryRun" : "NotActing";
    return news;
  }

  static constexpr std::size_t kKeptMax = 10'000;

  const std::shared_ptr<ActionGuard> guard_;  // null: none
  std::mutex kept_mutex_;
  std::map<std::string, client::EventToRecord> kept_;  // by uid; guarded by kept_mutex_
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
