#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/core_input.h"
#include "base/result.h"
#include "base/time.h"
#include "scheduler/cluster/pod_class.h"
#include "scheduler/framework/plugin.h"

/// Actions that the scheduler requests, and the inputs that it receives. The caller runs each
/// action and reports its outcome once, as an ActionFinished with the action's id. Events and log
/// lines have no outcome. Objects are the versions that the scheduler used: only name and uid
/// matter, unless noted.
namespace plimsoll::scheduler {

using api::ActionId;
using api::EventType;

/// One of a pod's status.conditions.
struct PodCondition {
  std::string_view type;  // PodScheduled, DisruptionTarget
  bool status = false;    // True or False
  std::string_view reason;
  std::string message;
  /// lastTransitionTime. Unset if the condition already had the same status; the old time is then
  /// kept.
  std::optional<Instant> transitioned;
  std::optional<std::int64_t> observed_generation;

  friend bool operator==(const PodCondition&, const PodCondition&) = default;
};

/// POST to the pod's `binding` subresource, with its uid. After Timeout, ServiceUnavailable or
/// InternalError the result is unknown. Any other failure means that the pod was not bound.
struct Bind {
  ActionId id = 0;
  ObjectPtr pod;
  std::string node;
};

/// Patches the pod's status. Unset members are left as they are.
struct PatchPodStatus {
  ActionId id = 0;
  ObjectPtr pod;
  std::optional<PodCondition> condition;
  std::optional<std::string> nominated_node;  // empty: clears the nomination
};

/// Patches the condition into the pod's status, then deletes the pod if it still has that uid.
/// NotFound counts as done.
struct EvictVictim {
  ActionId id = 0;
  ObjectPtr pod;
  PodCondition condition;
};

/// Sends the writes one after the other and stops at the first failure. Plugins request it, mostly
/// before a pod is bound.
struct WriteObjects {
  ActionId id = 0;
  ObjectPtr pod;
  std::vector<ObjectWrite> writes;
};

/// An events.k8s.io Event. Has no ActionFinished.
struct RecordEvent {
  ObjectPtr regarding;
  ObjectPtr related;  // may be null
  EventType type = EventType::Normal;
  std::string_view reason;
  std::string_view action;
  std::string note;
  std::string_view reporting_controller;  // name of the profile; lives as long as the scheduler
};

/// An error line in the log: a toleration and a taint could not be compared. Has no
/// ActionFinished.
struct LogFault {
  std::string_view message;  // a string literal
  Error error;
  std::string toleration;  // its value, or its expression
  std::string taint;       // its value; for an expression the whole taint

  friend bool operator==(const LogFault&, const LogFault&) = default;
};

/// A log line: node affinity could not compare a node label. Has no ActionFinished.
struct LogLabelFault {
  std::string message;
  std::string error;  // error text of the parser

  friend bool operator==(const LogLabelFault&, const LogLabelFault&) = default;
};

using Action = std::variant<Bind, PatchPodStatus, EvictVictim, WriteObjects, RecordEvent, LogFault,
                            LogLabelFault>;
using Actions = std::vector<Action>;

using api::ActionFinished;
using api::ObjectChanged;
using api::Synced;
using InputEvent = api::CoreInput;

}  // namespace plimsoll::scheduler
