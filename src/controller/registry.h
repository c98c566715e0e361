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
#include "match/rules.h"

namespace plimsoll::controller {

/// What can be set.
struct ControllerSettings {
  NodeLifecycleOptions node_lifecycle;
};

/// What controllers are made of. The parts must outlive them.
struct ControllerParts {
  const api::FeatureGates& gates;
  const match::Rules& rules;
  MetricsRegistry& metrics;
  ControllerSettings settings = {};
};

/// The names of all that there are.
std::vector<std::string_view> ControllerNames();

/// Makes those that a list names: `*` is all, `-name` takes one out, and what stands alone is in. A
/// name may go without its ending `-controller`. Invalid: a name that there is not.
Result<std::vector<std::unique_ptr<Controller>>> MakeControllers(std::string_view list,
                                                                 const ControllerParts& parts);

}  // namespace plimsoll::controller
