#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/core/node_selector.h"
#include "api/core/pod.h"
#include "scheduler/action.h"

namespace plimsoll::scheduler {

/// The requirements of the pod's required node affinity that compare numbers or versions.
std::vector<const api::NodeSelectorRequirement*> ComparisonsOf(const api::PodSpec& spec);

/// The line for the log when the label's value is no number, or no version, but is compared as one;
/// nothing when it is.
std::optional<LogLabelFault> FaultToLog(const api::NodeSelectorRequirement& requirement,
                                        std::string_view label);

}  // namespace plimsoll::scheduler
