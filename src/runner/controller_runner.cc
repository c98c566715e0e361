#include "runner/controller_runner.h"

#include <utility>

#include "client/event_recorder.h"
#include "controller/controller_set.h"
#include "runner/call_queue.h"
#include "runner/controller_calls.h"
#include "runner/core_loop.h"
#include "runner/informer_feed.h"

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
std::string KeyOf(const controller::EvictPod& evict) {
  return std::string(evict.pod->metadata().uid);
}
std::string KeyOf(const auto& action) { return std::string(action.object->metadata().uid); }

}  // namespace

class ControllerRunner::Machine {
 public:
  Machine(const client::Client& client, ControllerRunnerOptions options, Logger& log)
      : client_(client),
        stop_(client.NewStopSignal()),
        core_(SetOf(std::move(options.controllers))),
        events_(client,
                {.source = {.component = "controller-manager", .host = options.host},
                 .queue_max = 100'000,
                 .seed = options.seed},
                log),
        calls_(options.calls_max),
        loop_(core_, client.clock(),
              [this](controller::Actions&& actions) { CarryOut(std::move(actions)); }),
        feed_(client, WatchedBy(core_), options.seed, log,
              [this](api::CoreInput input) { loop_.Post(std::move(input)); }) {}
  ~Machine() { Stop(); }

  void Start() {
    loop_.Start();
    feed_.Start();
  }

  void Stop() {
    feed_.Stop();
    stop_->Stop();
    loop_.Stop();
    calls_.Stop();
    events_.Stop();
  }

  bool HasSynced() const { return feed_.HasSynced(); }

 private:
  void CarryOut(controller::Actions&& actions) {
    for (controller::Action& action : actions) {
      std::visit([this](auto& one) { CarryOut(std::move(one)); }, action);
    }
  }

  void CarryOut(controller::RecordEvent event) {
    events_.Record({.regarding = client::ReferenceTo(*event.regarding),
                    .type = event.type,
                    .reason = std::string(event.reason),
                    .message = std::move(event.message),
                    .component = std::string(event.component)});
  }

  template <class T>
  void CarryOut(T action) {
    std::string key = KeyOf(action);
    calls_.Run(std::move(key), [this, action = std::move(action)] {
      const Status status = Send(client_, action, {.stop = stop_});
      loop_.Post(controller::ActionFinished{action.id, status});
    });
  }

  const client::Client& client_;
  const std::shared_ptr<client::StopSignal> stop_;
  controller::ControllerSet core_;
  client::EventRecorder events_;
  CallQueue calls_;
  CoreLoop<controller::ControllerSet, controller::InputEvent, controller::Actions> loop_;
  InformerFeed feed_;
};

ControllerRunner::ControllerRunner(const client::Client& client, ControllerRunnerOptions options,
                                   Logger& log)
    : machine_(std::make_unique<Machine>(client, std::move(options), log)) {}

ControllerRunner::~ControllerRunner() = default;

void ControllerRunner::Start() { machine_->Start(); }
void ControllerRunner::Stop() { machine_->Stop(); }
bool ControllerRunner::HasSynced() const { return machine_->HasSynced(); }

}  // namespace plimsoll::runner
