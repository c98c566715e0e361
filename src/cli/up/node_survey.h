#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "agent/node_status.h"
#include "match/rules.h"

namespace plimsoll::cli {

/// Numbers of nodes that accept pods. The commands of the start screen depend on them.
struct NodeSurvey {
  std::size_t nodes = 0;
  std::size_t surveyed = 0;      // the first nodes, because templates repeat
  std::size_t open = 0;          // surveyed nodes that accept a pod without tolerations
  std::size_t for_payments = 0;  // surveyed nodes that accept the payments of the demo
  /// Keys of the taints that keep pods without tolerations away from the first node.
  std::vector<std::string> first_keys = {};
};

NodeSurvey SurveyNodes(const std::vector<agent::HostedNode>& nodes, const match::Rules& rules);

}  // namespace plimsoll::cli
