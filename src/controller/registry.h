#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "api/feature_gates.h"
#include "base/metrics.h"
#include "base/result.h"
#include "controller/controller.h"
#include "controller/node_lifecycle/node_lifecycle.h"
#include "controller/work_queue_metrics.h"
#include "match/rules.h"

namespace plimsoll::controller {

/// Options of individual controllers.
struct ControllerSettings {
  NodeLifecycleOptions node_lifecycle;
  /// True if the server tracks the owner of each taint of a node: see NodeTaintRuleOptions.
  bool owns_single_taints = true;
};

/// Dependencies of the controllers. They must outlive the controllers.
struct ControllerParts {
  const api::FeatureGates& gates;
  const match::Rules& rules;
  MetricsRegistry& metrics;
  ControllerSettings settings = {};
  WorkQueueMetrics* queues = nullptr;  // null: the work queues are not measured
};

/// Returns the names of all controllers.
std::vector<std::string_view> ControllerNames();

/// Makes the controllers that a `--controllers` list enables: `*` is all, `-name` excludes one. The
/// suffix `-controller` may be omitted. Fails with Invalid if a name is unknown.
Result<std::vector<std::unique_ptr<Controller>>> MakeControllers(std::string_view list,
                                                                 const ControllerParts& parts);

}  // namespace plimsoll::controller
