#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/action.h"
#include "api/core/node_selector.h"
#include "api/core/pod.h"

namespace plimsoll::scheduler {

/// Returns the terms of the pod's required node affinity that compare numbers or versions.
std::vector<const api::NodeSelectorRequirement*> ComparisonsOf(const api::PodSpec& spec);

/// Returns the log line for a label value that does not parse as the number or version that the
/// requirement compares. Returns nullopt if it parses.
std::optional<api::WriteLog> FaultToLog(const api::NodeSelectorRequirement& requirement,
                                        std::string_view label);

}  // namespace plimsoll::scheduler
