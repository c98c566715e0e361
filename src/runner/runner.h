#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/pure_core.h"
#include "base/log.h"
#include "base/metrics.h"
#include "client/client.h"
#include "client/event_recorder.h"
#include "runner/action_guard.h"
#include "runner/call_queue.h"
#include "runner/core_loop.h"
#include "runner/declared_apply.h"
#include "runner/informer_feed.h"

namespace plimsoll::runner {

struct RunnerOptions {
  client::EventRecorderOptions events;
  std::size_t calls_max = 64;       // in flight at once
  std::uint64_t seed = 1;           // for random delays
  ThreadRole role = {};             // for all of its threads
  bool keeps_lean_objects = false;  // see InformerOptions
  client::Transform transform = {};
  /// Asked before each write. Null: always act.
  std::shared_ptr<ActionGuard> guard = {};
  std::shared_ptr<CallBacklog> backlog = {};
  /// Writes of pods yield to this backlog. Null: to none.
  std::shared_ptr<const CallBacklog> yields_to = {};
  std::optional<Counter> faults = {};  // counts objects that the core could not handle
};

/// Connects a core to an API server. Informers report the objects that the core watches, and its
/// own thread calls it. Its actions are sent as requests, recorded as events, or logged.
///
///   Informer ─▶ CoreLoop ─▶ PureCore ─▶ Perform ─▶ CallQueue ─▶ Send ─▶ API server
///                   ▲                                            │
///                   └──────────────── ActionFinished ────────────┘
class Runner {
 public:
  /// The client, its clock and the log must outlive it.
  Runner(const client::Client& client, std::unique_ptr<api::PureCore> core, RunnerOptions options,
         Logger& log);
  /// Calls Stop.
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Call it once.
  void Start();
  /// Returns when nothing runs any more. Calls in flight are cancelled; the next runner finds out
  /// if they were done. May be called several times.
  void Stop();

  /// Returns true if all initial objects are known.
  bool HasSynced() const { return informers_.HasSynced(); }

 private:
  void Perform(api::Actions&& actions);
  void Record(api::RecordEvent event);
  void Log(const api::WriteLog& line);
  void Call(api::Action action);
  /// Returns the outcome of the action, or the reason why the guard withheld it.
  api::ActionFinished SendGuarded(const api::Action& action);
  /// Reports an object that the core could not handle. The core ignores it until it changes.
  void SetAside(const api::CoreInput* input, std::string_view fault);
  client::Call call() const { return {.stop = stop_}; }

  Logger& log_;
  std::optional<Counter> faults_;
  const std::string component_;
  const bool yields_;  // writes of pods yield to others
  const client::Client& client_;
  const std::shared_ptr<ActionGuard> guard_;  // null: none
  const std::unique_ptr<api::PureCore> core_;
  const std::shared_ptr<client::StopSignal> stop_;
  client::EventRecorder events_;
  DeclaredApply applies_;
  CallQueue calls_;
  CoreLoop loop_;
  InformerFeed informers_;
};

}  // namespace plimsoll::runner
