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

/// What the scheduler asks of the world, and what it is told of it. Whoever carries out an action
/// hands its outcome back as an ActionFinished with the action's id, once; only events and lines of
/// the log are written without an answer. Objects are the versions that the scheduler decided by:
/// their names and uids count, and a resourceVersion only where it says so.
namespace plimsoll::scheduler {

using api::ActionId;
using api::EventType;

/// One of a pod's status.conditions.
struct PodCondition {
  std::string_view type;  // PodScheduled, DisruptionTarget
  bool status = false;    // True or False
  std::string_view reason;
  std::string message;
  /// lastTransitionTime; unset when the condition was there with the same status: then the old time
  /// stays.
  std::optional<Instant> transitioned;
  std::optional<std::int64_t> observed_generation;

  friend bool operator==(const PodCondition&, const PodCondition&) = default;
};

/// POST to the pod's `binding`, with its uid. Timeout, ServiceUnavailable and InternalError mean
/// that nobody knows whether it was done; every other failure that it was not.
struct Bind {
  ActionId id = 0;
  ObjectPtr pod;
  std::string node;
};

/// Patches the pod's status. What is not set stays.
struct PatchPodStatus {
  ActionId id = 0;
  ObjectPtr pod;
  std::optional<PodCondition> condition;
  std::optional<std::string> nominated_node;  // empty: taken back
};

/// Patches the condition into the pod's status, then deletes the pod if it still has that uid.
/// NotFound counts as done.
struct EvictVictim {
  ActionId id = 0;
  ObjectPtr pod;
  PodCondition condition;
};

/// Carries out the writes one after the other; the first that fails ends it. Asked for by plugins,
/// mostly before a pod is bound.
struct WriteObjects {
  ActionId id = 0;
  ObjectPtr pod;
  std::vector<ObjectWrite> writes;
};

/// An events.k8s.io Event. Has no outcome.
struct RecordEvent {
  ObjectPtr regarding;
  ObjectPtr related;  // may be null
  EventType type = EventType::Normal;
  std::string_view reason;
  std::string_view action;
  std::string note;
  std::string_view reporting_controller;  // the profile's; lives as long as the scheduler
};

/// A line of errors in the log: a toleration and a taint that could not be compared. Has no
/// outcome.
struct LogFault {
  std::string_view message;  // lives as long as the program
  Error error;
  std::string toleration;  // its value, or its expression
  std::string taint;       // its value; beside an expression all of it

  friend bool operator==(const LogFault&, const LogFault&) = default;
};

/// A line in the log: a node's label that node affinity could not compare. Has no outcome.
struct LogLabelFault {
  std::string message;
  std::string error;  // the parser's text

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
