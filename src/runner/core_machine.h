#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "client/client.h"
#include "client/event_recorder.h"
#include "runner/call_queue.h"
#include "runner/core_loop.h"
#include "runner/informer_feed.h"

namespace plimsoll::runner {

struct CoreMachineOptions {
  std::vector<WatchedObjects> watched;
  client::EventRecorderOptions events;
  std::size_t calls_max = 64;  // in flight at once
  std::uint64_t seed = 1;      // for random delays
  ThreadRole role = {};        // for all of its threads
  std::shared_ptr<CallBacklog> backlog = {};
  std::shared_ptr<const CallBacklog> gives_way_to = {};
  std::optional<Counter> faults = {};  // counts objects that the core could not handle
};

/// Returns an event that says why an object was set aside.
client::EventToRecord FailedProcessingEvent(const api::Object& object, std::string_view component,
                                            std::string_view fault);

/// Connects a core to a server: informers that report objects to it, its thread, the calls that it
/// requests, and its events.
template <class Core, class Event, class Actions>
class CoreMachine {
 public:
  using Loop = CoreLoop<Core, Event, Actions>;

  /// The client, its clock, the core and the log must outlive it.
  CoreMachine(const client::Client& client, Core& core, CoreMachineOptions options, Logger& log,
              typename Loop::CarryOut carry_out)
      : log_(log),
        faults_(options.faults),
        component_(options.events.source.component),
        client_(client),
        stop_(client.NewStopSignal()),
        events_(client, std::move(options.events), log),
        calls_({.calls_max = options.calls_max,
                .are_fibers = client.SuspendsFibers(),
                .only_wait = client.IsRemote(),
                .role = options.role,
                .backlog = std::move(options.backlog),
                .gives_way_to = std::move(options.gives_way_to)}),
        loop_(core, client.clock(), std::move(carry_out), options.role,
              [this](const Event* event, std::string_view fault) { SetAside(event, fault); }),
        feed_(client, options.watched, options.seed, log, [this](api::CoreInput input) {
          std::visit([this](auto& one) { loop_.Post(std::move(one)); }, input);
        }) {}
  ~CoreMachine() { Stop(); }
  CoreMachine(const CoreMachine&) = delete;
  CoreMachine& operator=(const CoreMachine&) = delete;

  /// Call it once.
  void Start() {
    loop_.Start();
    feed_.Start();
  }
  /// Returns when nothing runs any more. May be called several times.
  void Stop() {
    feed_.Stop();
    stop_->Stop();
    loop_.Stop();
    calls_.Stop();
    events_.Stop();
  }
  bool HasSynced() const { return feed_.HasSynced(); }

  void Record(client::EventToRecord news) { events_.Record(std::move(news)); }
  /// Runs `call` on another thread; calls with the same key run one after the other.
  void Run(std::string key, Task call, CallPriority haste = CallPriority::Now) {
    calls_.Run(std::move(key), std::move(call), haste);
  }
  /// Same as Run, and then reports the outcome of action `id` to the core.
  void Call(std::string key, api::ActionId id, std::function<Status()> send) {
    Run(std::move(key),
        [this, id, send = std::move(send)] { Post(api::ActionFinished{id, send()}); });
  }
  void Post(Event event) { loop_.Post(std::move(event)); }

  const client::Client& client() const { return client_; }
  client::Call call() const { return {.stop = stop_}; }

 private:
  /// Reports an object that the core could not handle. The core ignores it until it changes.
  void SetAside(const Event* event, std::string_view fault) {
    if (faults_) faults_->Add();
    const auto error = Fail(Reason::InternalError, std::string(fault)).error();
    const auto* const changed = event == nullptr ? nullptr : std::get_if<api::ObjectChanged>(event);
    if (changed == nullptr) {
      PL_LOG(log_, Error(error), "failed to process", {"component", component_});
      return;
    }
    const api::Object& object = changed->new_object ? *changed->new_object : *changed->old_object;
    PL_LOG(log_, Error(error), "failed to process an object, set it aside",
           {"component", component_}, {"kind", object.kind().kind},
           {"namespace", object.metadata().namespace_}, {"name", object.metadata().name});
    events_.Record(FailedProcessingEvent(object, component_, fault));
  }

  Logger& log_;
  std::optional<Counter> faults_;
  const std::string component_;
  const client::Client& client_;
  const std::shared_ptr<client::StopSignal> stop_;
  client::EventRecorder events_;
  CallQueue calls_;
  Loop loop_;
  InformerFeed feed_;
};

}  // namespace plimsoll::runner
