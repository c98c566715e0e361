#pragma once

#include <string_view>

#include "api/pure_core.h"

namespace plimsoll::controller {

using api::Action;
using api::ActionFinished;
using api::ActionId;
using api::Actions;
using api::CoreInput;
using api::CreateObject;
using api::DeleteCollection;
using api::DeleteObject;
using api::EventType;
using api::EvictPod;
using api::GetObject;
using api::ObjectChanged;
using api::ObjectPtr;
using api::PatchForm;
using api::PatchObject;
using api::PostEviction;
using api::RecordEvent;
using api::Synced;
using api::Turn;
using api::UpdateObject;
using api::WatchedKind;

class WorkQueueMetrics;

/// One controller. Each controller numbers its own actions, from 1.
class Controller : public api::PureCore {
 public:
  /// Returns the name used in `--controllers`, for example `taint-eviction-controller`.
  virtual std::string_view name() const = 0;
  /// Returns the reporting component of its events, for example `taint-eviction-controller`.
  virtual std::string_view component() const = 0;
  /// Adds the controller's work queues to the metrics, which outlive it, with upstream's names.
  /// Called at most once, before the first event.
  virtual void MeasureQueues(WorkQueueMetrics& /*metrics*/) {}
};

}  // namespace plimsoll::controller
